import { count, text } from "../fields.ts";

/** Tokens of one test: `prompt` new on top of `depth` cached, then `generated` one by one. */
export interface Shape {
	prompt: number;
	generated: number;
	depth: number;
}

/** The tokens a row of any layout names, or why they cannot be read. */
export function shapeOf(row: Record<string, unknown>): Shape | string {
	const test = text(row.test);
	if (test !== null) return shapeOfTest(test) ?? `unknown test "${test}"`;
	// Only llama-bench rows may lack a depth: builds before b5163 had none. A missing length is a zero one.
	const shape = {
		prompt: row.n_prompt === undefined ? 0 : count(row.n_prompt),
		generated: row.n_gen === undefined ? 0 : count(row.n_gen),
		depth: row.n_depth === undefined ? 0 : count(row.n_depth),
	};
	const { prompt, generated, depth } = shape;
	if (prompt === null || generated === null || depth === null) {
		return "n_prompt, n_gen and n_depth must be whole numbers";
	}
	return prompt + generated === 0
		? "the row names neither prompt nor generated tokens"
		: { prompt, generated, depth };
}

const TEST = /^(?:pp\s?(\d+))?\+?(?:tg\s?(\d+))?(?:\s*@\s*d\s?(\d+))?$/;

/** Reads "pp512", "tg 128", "pp512+tg128", "pp2048 @ d4096"; null for anything else. */
export function shapeOfTest(test: string): Shape | null {
	const [, prompt, generated, depth] = TEST.exec(test.trim()) ?? [];
	if (prompt === undefined && generated === undefined) return null;
	return { prompt: Number(prompt ?? 0), generated: Number(generated ?? 0), depth: Number(depth ?? 0) };
}
