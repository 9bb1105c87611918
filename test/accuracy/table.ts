import { BARS, evaluate, readJobs, type Score } from "./evaluate.ts";

/** What public tools state of their own accuracy, beside the regime that comes nearest. None speaks of longer lengths. */
const PEERS: Record<string, string> = {
	"splitwise prefill-inside": "Splitwise: < 3 % inside its table",
	"splitwise decode": "Splitwise: < 3 % inside its table",
	"kernel_composed prefill-inside": "Vidur: < 9 % latency error on its own models",
	"kernel_composed decode": "Vidur: < 9 % latency error on its own models",
	"serving serve-tpot": "AIConfigurator: TPOT MAPE 7.8 %",
	"serving serve-ttft": "AIConfigurator: TTFT MAPE 17–22 %",
};

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
		PEERS[regime] ?? "",
	].join("");
}

const jobs = readJobs();
if (jobs === null) {
	console.log("skipped: no shared data");
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
