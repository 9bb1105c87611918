/** One sample of a Prometheus text page. */
export interface PrometheusSample {
	name: string;
	labels: Record<string, string>;
	value: number;
}

const SAMPLE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})?\s+([-+\w.]+)(?:\s+-?\d+)?\s*$/;
const LABEL = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Samples of a page in the text format; comments and lines that are no sample are passed over. */
export function* prometheusSamples(body: string): Generator<PrometheusSample> {
	for (const line of unbroken(body).split("\n")) {
		if (line.startsWith("#")) continue;
		const found = SAMPLE.exec(line);
		if (found === null) continue;
		const value = sampleValue(found[3] ?? "");
		if (value !== null) yield { name: found[1] ?? "", labels: labelsOf(found[2] ?? ""), value };
	}
}

/** Labels hold no line end: where one stands between braces, a terminal put it there. */
function unbroken(body: string): string {
	return body.replace(/^[A-Za-z_:][\w:]*\{[^}\n]*\n[^}]*\}/gm, (broken) => broken.replaceAll("\n", ""));
}

function labelsOf(written: string): Record<string, string> {
	const labels: Record<string, string> = {};
	for (const [, key = "", value = ""] of written.matchAll(LABEL)) {
		if (key !== "__proto__")
			labels[key] = value.replace(/\\(["\\n])/g, (_, mark) => (mark === "n" ? "\n" : mark));
	}
	return labels;
}

function sampleValue(written: string): number | null {
	const value = Number(written);
	return Number.isFinite(value) ? value : null;
}
