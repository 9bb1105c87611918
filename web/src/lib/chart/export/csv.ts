import { csvOf } from "#lib/csv.ts";
import { detailsOf } from "../details.ts";
import type { ChartOption } from "../option.ts";
import { type Provenance, provenanceWords } from "./provenance.ts";
import { inEnglish, saidIn } from "./words.ts";

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ");

/**
 * The values of a chart as CSV (RFC 4180, decimal points): a comment that says where they come from, a heading, and one
 * row for each value, in base units.
 */
export function chartCsv(chart: ChartOption, provenance: Provenance): string {
	const { title, label, say = inEnglish } = provenance;
	const option = saidIn(chart, say);
	const { xAxis, yAxis } = option;
	const heading = [
		`${xAxis.name} (${xAxis.unit})`,
		...["series", "value", "unit", "low", "high", "evidence", "measurements", "configuration"].map(say),
	];
	const rows = detailsOf(option).map(({ at, name, value, low, high, evidence, n, source }) => [
		...[at, name, value, yAxis.unit, low, high, say(evidence), n, source?.configuration ?? null],
	]);
	const comment = oneLine(`# ${title} · ${say(label)} · ${provenanceWords(option, provenance)}`);
	return `${comment}\r\n${csvOf([heading, ...rows])}`;
}
