import type { Run } from "#lib/records/record.ts";

/** What a run is called: its label, else its file, else its format and the beginning of its fingerprint. */
export function nameOf({
	label,
	fileName,
	format,
	sha256,
}: Pick<Run, "label" | "fileName" | "format" | "sha256">): string {
	return label ?? fileName ?? `${format} ${sha256.slice(0, 8)}`;
}
