/** One acceptance case, as the README beside the case files describes it. */
export interface Case {
	id: string;
	title: string;
	input: Record<string, unknown>;
	expected: Record<string, Expected>;
	common_wrong?: Record<string, unknown>;
}

export interface Expected {
	value: unknown;
	abs_tol?: number;
	rel_tol?: number;
}

/**
 * Answers a case of one topic from its input alone, by the product's own functions.
 * @param input the case's input
 * @param field the expected field that is asked for
 * @returns the answer or a promise of it; undefined where the topic has none to such a field
 */
export type Topic = (input: Input, field: string) => unknown;

/** Reads fields of a case's input, failing with the field's name where it is not what is needed. */
export class Input {
	readonly raw: Record<string, unknown>;

	constructor(raw: Record<string, unknown>) {
		this.raw = raw;
	}

	has(name: string): boolean {
		return this.raw[name] !== undefined && this.raw[name] !== null;
	}

	number(name: string): number {
		const value = this.raw[name];
		if (typeof value !== "number") throw new Error(`input.${name}: ${JSON.stringify(value)} is no number`);
		return value;
	}

	/** The first of some names that holds a number, times the scale that its name says. */
	bytes(stem: string): number {
		for (const [suffix, scale] of Object.entries(SCALES)) {
			const value = this.raw[stem + suffix];
			if (typeof value === "number") return value * scale;
		}
		throw new Error(`input.${stem}…: no size in GiB, MiB, GB or bytes`);
	}

	optional(name: string): number | null {
		return this.has(name) ? this.number(name) : null;
	}

	text(name: string): string {
		const value = this.raw[name];
		if (typeof value !== "string") throw new Error(`input.${name}: ${JSON.stringify(value)} is no text`);
		return value;
	}

	numbers(name: string): number[] {
		const value = this.raw[name];
		if (!Array.isArray(value) || value.some((each) => typeof each !== "number"))
			throw new Error(`input.${name}: no list of numbers`);
		return value;
	}

	texts(name: string): string[] {
		const value = this.raw[name];
		if (!Array.isArray(value) || value.some((each) => typeof each !== "string"))
			throw new Error(`input.${name}: no list of texts`);
		return value;
	}

	object(name: string): Input {
		const value = this.raw[name];
		if (typeof value !== "object" || value === null || Array.isArray(value))
			throw new Error(`input.${name}: no object`);
		return new Input(value as Record<string, unknown>);
	}

	rows(name: string): Input[] {
		const value = this.raw[name];
		if (!Array.isArray(value)) throw new Error(`input.${name}: no list`);
		return value.map((each) => new Input(each as Record<string, unknown>));
	}
}

const SCALES: Record<string, number> = { _gib: 2 ** 30, _mib: 2 ** 20, _gb: 1e9, _bytes: 1, "": 1 };

export const GIB = 2 ** 30;
export const MIB = 2 ** 20;
