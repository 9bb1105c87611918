import { describe, expect, it } from "vitest";
import { russianParts } from "./catalogue.ts";

const parts = Object.entries(russianParts());
const entries = parts.flatMap(([, part]) => Object.entries(part));
const holesOf = (sentence: string) => [...sentence.matchAll(/\{[#=]?(\w+)\}/g)].map(([, name]) => name);
const insertionsOf = (translation: string) =>
	[...translation.matchAll(/\{(\w+)(?::[^}]*)?\}/g)].map(([, name]) => name);
/** The digits that a text says itself, in no order: between its thousands English puts a comma and Russian a space. */
const digitsOf = (text: string) =>
	text
		.replace(/\{[^}]*\}/g, "")
		.replace(/\D/g, "")
		.split("")
		.sort()
		.join("");

describe("the Russian catalogue", () => {
	it("says each sentence once", () => {
		const seen = new Map<string, string>();
		const twice = parts.flatMap(([file, part]) =>
			Object.keys(part).flatMap((sentence) => {
				const other = seen.get(sentence);
				seen.set(sentence, file);
				return other === undefined ? [] : [`${sentence}: ${other} and ${file}`];
			}),
		);
		expect(twice).toEqual([]);
	});

	it("puts in every hole of a sentence, and no other", () => {
		const wrong = entries.filter(([sentence, translation]) => {
			const [holes, put] = [new Set(holesOf(sentence)), new Set(insertionsOf(translation))];
			return holes.size !== put.size || [...holes].some((hole) => !put.has(hole));
		});
		expect(wrong).toEqual([]);
	});

	it("keeps every figure that a sentence says", () => {
		const wrong = entries.filter(([sentence, translation]) => digitsOf(sentence) !== digitsOf(translation));
		expect(wrong).toEqual([]);
	});
});
