/** Reading single fields as tools write them: numbers as text, 0/1 for false/true, paths of other machines. */

import type { Conditions, Statistics } from "./record.ts";

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

const NUMERIC = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A finite number, also written as text ("190.6", "1.2e+06"); null for anything else, NaN and inf included. */
export function finite(value: unknown): number | null {
	if (typeof value === "number") return Number.isFinite(value) ? value : null;
	if (typeof value !== "string") return null;
	const trimmed = value.trim();
	return NUMERIC.test(trimmed) && Number.isFinite(Number(trimmed)) ? Number(trimmed) : null;
}

/** A finite number above 0, else null. */
export function positive(value: unknown): number | null {
	const number = finite(value);
	return number !== null && number > 0 ? number : null;
}

/** A whole number of at least 0 that is exact in a double, else null. */
export function count(value: unknown): number | null {
	const number = finite(value);
	return number !== null && number >= 0 && Number.isSafeInteger(number) ? number : null;
}

/** Text that is not blank, else null. */
export function text(value: unknown): string | null {
	return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

/** true/false, also written 1/0 or "1"/"0"/"true"/"false"; null for anything else. */
export function truth(value: unknown): boolean | null {
	if (typeof value === "boolean") return value;
	const word = String(value).toLowerCase();
	if (word === "1" || word === "true") return true;
	return word === "0" || word === "false" ? false : null;
}

/** The finite numbers of a list, null where any member is not one. */
export function numbers(value: unknown): number[] | null {
	if (!Array.isArray(value)) return null;
	const result: number[] = [];
	for (const member of value) {
		const number = finite(member);
		if (number === null) return null;
		result.push(number);
	}
	return result;
}

/** Last part of a path of either kind: file names stay, folders of the sender's machine do not. */
export function baseName(path: string): string {
	const parts = path.split(/[/\\]+/).filter((part) => part !== "");
	return parts.at(-1) ?? path;
}

/** A model as given to a server: a hub id ("org/name") stays whole, a path loses its folders. */
export function modelName(name: string): string {
	return /^[\w.-]+\/[\w.-]+$/.test(name) && !/\.gguf$/i.test(name) ? name : baseName(name);
}

/** Conditions of which nothing but the engine is known. Each call gives a new object. */
export function emptyConditions(engine: string | null): Conditions {
	return {
		gpu: null,
		gpus: null,
		gpusBasis: null,
		engine,
		engineVersion: null,
		backend: null,
		model: null,
		modelParams: null,
		modelBytes: null,
		weights: null,
		kvK: null,
		kvV: null,
		tp: null,
		pp: null,
		dp: null,
		ep: null,
		flags: {},
	};
}

/**
 * Statistics in seconds from any subset; null where none of them is a number.
 * @param given members as the source has them (text allowed)
 * @param scale factor to seconds: 0.001 for milliseconds
 */
export function statistics(given: { [name in keyof Statistics]?: unknown }, scale = 1): Statistics | null {
	const read = (value: unknown) => {
		const number = finite(value);
		return number === null || number < 0 ? null : number * scale;
	};
	const result: Statistics = {
		mean: read(given.mean),
		p50: read(given.p50),
		p90: read(given.p90),
		p95: read(given.p95),
		p99: read(given.p99),
		std: read(given.std),
	};
	return Object.values(result).every((value) => value === null) ? null : result;
}

/** Arithmetic mean; null for an empty list. */
export function mean(values: readonly number[]): number | null {
	if (values.length === 0) return null;
	let sum = 0;
	for (const value of values) sum += value;
	return sum / values.length;
}

/** Sample standard deviation √(Σ(x − x̄)²/(n − 1)); null with fewer than two values. */
export function deviation(values: readonly number[]): number | null {
	const middle = mean(values);
	if (middle === null || values.length < 2) return null;
	let sum = 0;
	for (const value of values) sum += (value - middle) ** 2;
	return Math.sqrt(sum / (values.length - 1));
}
