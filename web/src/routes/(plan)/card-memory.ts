import { readAmount } from "#lib/amount.ts";
import { format, formatCount } from "#lib/format.ts";

export type MemoryUnit = "GiB" | "GB";

const BYTES: Record<MemoryUnit, number> = { GiB: 2 ** 30, GB: 1e9 };
const SMALLEST = 2 ** 20;
const LARGEST = 1e15;

/**
 * Bytes of a memory size as it is typed: "24", "24 GiB", "80GB", "23,55".
 * @param unit what a number alone counts
 * @returns whole bytes from 1 MiB to 10¹⁵; null where the text is no such size
 */
export function readMemory(text: string, unit: MemoryUnit): number | null {
	const match = /^([\d.,\s]+)(gi?b)?$/i.exec(text.trim());
	const figure = readAmount(match?.[1] ?? "");
	if (!match || figure === null) return null;
	const counted = match[2] ? (match[2].toLowerCase() === "gib" ? "GiB" : "GB") : unit;
	const bytes = Math.round(figure * BYTES[counted]);
	return bytes >= SMALLEST && bytes <= LARGEST ? bytes : null;
}

/** The unit in which a size is the shorter number: 24 × 2³⁰ are GiB, 80 × 10⁹ are GB. */
export function unitOf(bytes: number | null): MemoryUnit {
	if (bytes === null) return "GiB";
	return String(bytes / BYTES.GB).length < String(bytes / BYTES.GiB).length ? "GB" : "GiB";
}

/** A size in a unit, as a field shows it. */
export const writeMemory = (bytes: number, unit: MemoryUnit): string =>
	String(Number((bytes / BYTES[unit]).toPrecision(6)));

/** The exact size, beside the two units that are taken for each other. */
export const exactly = (bytes: number): string =>
	`${formatCount(bytes)} bytes: ${format(bytes, "bytes").text}, or ${writeMemory(bytes, "GiB")} GiB`;
