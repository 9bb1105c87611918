import { type Features, featuresOf } from "./words.ts";

/** A thing that texts are told apart into, and what it has in common with others: they learn together. */
export interface Kind {
	name: string;
	traits: readonly string[];
	/** Texts that mean it. */
	texts: readonly string[];
}

/** How likely a text means a kind, and the words that say so. */
export interface Told {
	name: string;
	probability: number;
	words: string[];
}

const PASSES = 4;
const RATE = 2;
/** Gradients below it change nothing that can be seen, and cost most of the time. */
const LEAST_GRADIENT = 0.01;
const MOST_WORDS = 4;

interface Vector {
	at: Int32Array;
	value: Float32Array;
	words: string[];
}

/** Says what a text means: likeliest first; empty where nothing of the text was ever seen. */
export type Judge = (text: string) => Told[];

/** Examples that are learned from at one go: a few milliseconds. */
const AT_ONE_GO = 128;

/** Learns to the end. */
export function learn(kinds: readonly Kind[]): Judge {
	const learner = learning(kinds);
	for (let step = learner.next(); ; step = learner.next()) if (step.done) return step.value;
}

/**
 * Learns to tell kinds of texts apart, a little at each step: multinomial logistic regression over the words of a text, weighed by how rare
 * they are, learned by a few passes of gradient descent. The score of a kind is its own plus those of its traits, so
 * that "erase" learned of one thing is known of all. The same texts always give the same answers.
 */
export function* learning(kinds: readonly Kind[]): Generator<undefined, Judge> {
	const rowNames = [...new Set(kinds.flatMap(({ name, traits }) => [`=${name}`, ...traits]))];
	const rowsOf = kinds.map(({ name, traits }) => [`=${name}`, ...traits].map((row) => rowNames.indexOf(row)));
	const texts = kinds.flatMap((one, kind) => one.texts.map((text) => ({ kind, text })));
	const examples: { kind: number; features: Features }[] = [];
	for (const { kind, text } of texts) {
		examples.push({ kind, features: featuresOf(text) });
		if (examples.length % AT_ONE_GO === 0) yield;
	}
	const vectorOf = weigher(examples.map(({ features }) => features));
	yield;
	const vectors: { kind: number; vector: Vector }[] = [];
	for (const { kind, features } of examples) {
		vectors.push({ kind, vector: vectorOf(features) });
		if (vectors.length % AT_ONE_GO === 0) yield;
	}
	const width = rowNames.length;
	const weights = new Float32Array(vectorOf.size * width);
	const rows = new Float32Array(width);
	const chances = new Float32Array(kinds.length);

	/** Fills `chances` with the softmax of all scores. */
	const judge = ({ at, value }: Vector): void => {
		rows.fill(0);
		for (let k = 0; k < at.length; k++) {
			const from = (at[k] as number) * width;
			const x = value[k] as number;
			for (let row = 0; row < width; row++)
				rows[row] = (rows[row] as number) + (weights[from + row] as number) * x;
		}
		let most = Number.NEGATIVE_INFINITY;
		for (let kind = 0; kind < chances.length; kind++) {
			let score = 0;
			for (const row of rowsOf[kind] as number[]) score += rows[row] as number;
			chances[kind] = score;
			if (score > most) most = score;
		}
		let sum = 0;
		for (let kind = 0; kind < chances.length; kind++) {
			const power = Math.exp((chances[kind] as number) - most);
			chances[kind] = power;
			sum += power;
		}
		for (let kind = 0; kind < chances.length; kind++) chances[kind] = (chances[kind] as number) / sum;
	};

	const learnFrom = ({ kind, vector }: { kind: number; vector: Vector }, rate: number): void => {
		judge(vector);
		chances[kind] = (chances[kind] as number) - 1;
		rows.fill(0);
		for (let one = 0; one < chances.length; one++)
			for (const row of rowsOf[one] as number[]) rows[row] = (rows[row] as number) + (chances[one] as number);
		const felt: number[] = [];
		for (let row = 0; row < width; row++) if (Math.abs(rows[row] as number) > LEAST_GRADIENT) felt.push(row);
		for (let k = 0; k < vector.at.length; k++) {
			const from = (vector.at[k] as number) * width;
			const step = rate * (vector.value[k] as number);
			for (const row of felt)
				weights[from + row] = (weights[from + row] as number) - step * (rows[row] as number);
		}
	};

	for (let pass = 0; pass < PASSES; pass++)
		for (const [nth, index] of shuffled(vectors.length, pass).entries()) {
			learnFrom(vectors[index] as { kind: number; vector: Vector }, RATE / (1 + 0.3 * pass));
			if (nth % AT_ONE_GO === 0) yield;
		}

	return (text) => {
		const vector = vectorOf(featuresOf(text));
		if (vector.at.length === 0) return [];
		judge(vector);
		return kinds
			.map(({ name }, kind) => ({
				name,
				probability: chances[kind] as number,
				words: wordsFor(vector, weights, width, rowsOf[kind] as number[]),
			}))
			.sort((a, b) => b.probability - a.probability);
	};
}

/** Words of the text that speak most for a kind, in the order in which they stand there. */
function wordsFor(
	{ at, value, words }: Vector,
	weights: Float32Array,
	width: number,
	rows: readonly number[],
): string[] {
	const spoken = new Map<string, number>();
	for (const [k, word] of words.entries()) {
		const from = (at[k] as number) * width;
		let weight = 0;
		for (const row of rows) weight += weights[from + row] as number;
		spoken.set(word, (spoken.get(word) ?? 0) + weight * (value[k] as number));
	}
	const heard = [...spoken].filter(([, weight]) => weight > 0).sort(([, a], [, b]) => b - a);
	const most = new Set(heard.slice(0, MOST_WORDS).map(([word]) => word));
	return [...spoken.keys()].filter((word) => most.has(word));
}

/** Features as vectors of length 1, each weighed by the logarithm of its rarity; a pair or gram seen once is chance. */
function weigher(all: readonly Features[]) {
	const seen = new Map<string, number>();
	for (const features of all) for (const name of features.keys()) seen.set(name, (seen.get(name) ?? 0) + 1);
	const known = new Map<string, { at: number; rarity: number }>();
	for (const [name, count] of seen)
		if (count > 1 || name.startsWith("w "))
			known.set(name, { at: known.size, rarity: Math.log(1 + all.length / count) });
	const vectorOf = (features: Features): Vector => {
		const parts = [...features].flatMap(([name, { weight, word }]) => {
			const feature = known.get(name);
			return feature ? [{ at: feature.at, value: weight * feature.rarity, word }] : [];
		});
		// Words that were never seen make a text less like any other.
		let square = 0;
		for (const name of features.keys())
			if (name.startsWith("w ") && !known.has(name)) square += Math.log(1 + all.length) ** 2;
		for (const { value } of parts) square += value * value;
		const length = Math.sqrt(square) || 1;
		return {
			at: Int32Array.from(parts, ({ at }) => at),
			value: Float32Array.from(parts, ({ value }) => value / length),
			words: parts.map(({ word }) => word),
		};
	};
	return Object.assign(vectorOf, { size: known.size });
}

/** 0…n−1 in an order that looks random and is always the same. */
function shuffled(n: number, pass: number): number[] {
	const order = Array.from({ length: n }, (_, index) => index);
	let state = 48271 + pass;
	for (let last = n - 1; last > 0; last--) {
		state = (state * 48271) % 2147483647;
		const other = state % (last + 1);
		[order[last], order[other]] = [order[other] as number, order[last] as number];
	}
	return order;
}
