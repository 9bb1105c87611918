import { ACCURACY_SOURCES, PEER_CLAIMS } from "@plimsoll/api/model";
import { describe, expect, test } from "vitest";
import kept from "../../api/src/model/trust/record.json" with { type: "json" };
import { readJobs } from "./evaluate.ts";
import { COMMAND, recordOf } from "./record.ts";

const jobs = readJobs();
/** Worked out before any test, whose clock would stop it on a busy machine. */
const fresh = recordOf(jobs ?? [], kept.computedOn);

/** Sums of many terms differ in the last digits between machines. */
const SAME = 0.02;

describe.skipIf(jobs === null)(
	jobs ? "the record that the dashboard shows" : "skipped: no shared data",
	() => {
		test(`is what the laws of today give; otherwise run ${COMMAND}`, () => {
			const numbers = (rows: object[]) =>
				rows.map((row) =>
					Object.values(row).map((value) => (typeof value === "number" ? value : String(value))),
				);
			for (const part of ["regimes", "advice"] as const) {
				const [ours, theirs] = [numbers(kept[part]), numbers(fresh[part])];
				expect(ours.length).toBe(theirs.length);
				for (const [i, row] of ours.entries())
					for (const [j, value] of row.entries()) {
						const now = theirs[i]?.[j];
						if (typeof value === "string") expect(value).toBe(now);
						else expect(Math.abs(value - Number(now))).toBeLessThanOrEqual(SAME * Math.abs(value) + 1e-9);
					}
			}
		});
	},
);

test("every kind of data names its source, and every claim stands beside figures that are there", () => {
	const groups = new Set(ACCURACY_SOURCES.map(({ group }) => group));
	for (const { group } of kept.regimes) expect(groups).toContain(group);
	const names = new Set(kept.regimes.map(({ group, regime }) => `${group} ${regime}`));
	for (const { beside } of PEER_CLAIMS) for (const name of beside) expect(names).toContain(name);
});

test("says when and how it was computed", () => {
	expect(kept.computedOn).toMatch(/^20\d\d-\d\d-\d\d$/);
	expect(kept.command).toBe(COMMAND);
});
