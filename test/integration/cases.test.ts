import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { type Case, Input } from "./cases/case.ts";
import { isWrong, meets } from "./cases/compare.ts";
import { TOPICS } from "./cases/topics.ts";

const folder = process.env.PLIMSOLL_CASES ?? resolve(import.meta.dirname, "../../../shared/data/cases");
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];

describe.skipIf(files.length === 0)(files.length === 0 ? "cases: skipped: no shared data" : "cases", () => {
	for (const file of files) {
		const { topic, cases } = JSON.parse(readFileSync(resolve(folder, file), "utf8")) as {
			topic: string;
			cases: Case[];
		};
		describe(topic, () => {
			for (const one of cases)
				test.skipIf(!TOPICS[topic])(`${one.id} ${one.title}`, async () => {
					const input = new Input(one.input);
					for (const [field, expected] of Object.entries(one.expected)) {
						const got = await TOPICS[topic]?.(input, field);
						expect(got, `the topic answers ${field}`).not.toBeUndefined();
						const shown = `${field}: got ${JSON.stringify(got)}, want ${JSON.stringify(expected)}`;
						expect(meets(got, expected), shown).toBe(true);
						// A value can be wrong for the whole and right for a part of it.
						const wrongs = Object.entries(one.common_wrong ?? {}).filter(
							([, wrong]) => !meets(wrong, expected),
						);
						for (const [name, wrong] of wrongs)
							expect(isWrong(got, wrong), `${field} is the wrong value ${name}`).toBe(false);
					}
				});
		});
	}
});
