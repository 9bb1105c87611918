import { writeFileSync } from "node:fs";
import { PEER_CLAIMS } from "@plimsoll/api/model";
import { BARS, evaluate, readJobs, type Score } from "./evaluate.ts";
import { printLoad } from "./load-table.ts";
import { recordOf } from "./record.ts";

/** What public tools state of their own accuracy, beside the regime that comes nearest. None speaks of longer lengths. */
const claimsBeside = (regime: string): string =>
	PEER_CLAIMS.filter(({ beside }) => beside.includes(regime))
		.map(({ tool, says }) => `${tool}: ${says}`)
		.join("; ");

const columns = ["jobs", "points", "median %", "p90 %", "mean %", "max %", "inside 95 %", "± %"];

function cells({ jobs, points, median, p90, mean, max, coverage, halfWidth }: Score): string[] {
	const errors = [median, p90, mean, max].map((x) => x.toFixed(x < 10 ? 2 : 1));
	return [String(jobs), String(points), ...errors, (100 * coverage).toFixed(1), halfWidth.toFixed(1)];
}

function line(regime: string, score: Score): string {
	const bar = BARS[regime];
	const short =
		bar &&
		(score.median > bar.median ||
			score.p90 > bar.p90 ||
			score.coverage < bar.coverage ||
			score.halfWidth > bar.halfWidth);
	const held = bar ? `${bar.median} / ${bar.p90} / ${100 * bar.coverage} / ${bar.halfWidth}` : "none";
	const row = cells(score).map((cell) => cell.padStart(12));
	return [
		regime.padEnd(32),
		...row,
		`   ${(held + (short ? " SHORT" : "")).padEnd(26)}`,
		claimsBeside(regime),
	].join("");
}

const RECORD = new URL("../../api/src/model/trust/record.json", import.meta.url);

const jobs = readJobs();
if (process.argv.includes("load")) {
	await printLoad();
} else if (jobs === null) {
	console.log("skipped: no shared data");
} else if (process.argv.includes("--write")) {
	const record = recordOf(jobs, new Date().toISOString().slice(0, 10));
	writeFileSync(RECORD, `${JSON.stringify(record, null, "\t")}\n`);
	console.log(`written: ${record.regimes.length} regimes, ${record.advice.length} of advice`);
} else {
	console.log(
		[
			"regime".padEnd(32),
			...columns.map((c) => c.padStart(12)),
			"   bar (median p90 cover ±)   ",
			"peers say of themselves",
		].join(""),
	);
	for (const [regime, score] of evaluate(jobs)) console.log(line(regime, score));
}
