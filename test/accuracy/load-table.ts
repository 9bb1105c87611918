import {
	isOverloaded,
	judge,
	judgeRecording,
	type LoadScore,
	rank,
	readRecording,
	readSeries,
	readSets,
	TOLD,
} from "./load.ts";

const cell = (errors: readonly number[]) =>
	errors.length === 0
		? "–"
		: `${(100 * rank(errors, 0.5)).toFixed(1)} / ${(100 * rank(errors, 0.9)).toFixed(0)}`;

const HEAD = [
	"set",
	"told",
	"predicted",
	"TPOT",
	"TTFT below",
	"TTFT beyond",
	"TPOT p99",
	"TTFT p99",
	"throughput",
	"saturation",
	"closed TPOT",
	"closed TTFT",
];

function row({ name, told, predicted, errors, closedForm }: LoadScore): string[] {
	const { tpot, ttft, ttftBeyond, tpotP99, ttftP99, throughput, saturation } = errors;
	const figures = [
		tpot,
		ttft,
		ttftBeyond,
		tpotP99,
		ttftP99,
		throughput,
		saturation,
		closedForm.tpot,
		closedForm.ttft,
	];
	return [name, String(told), String(predicted), ...figures.map(cell)];
}

const line = ([name = "", ...cells]: string[]) =>
	[name.padEnd(40), ...cells.map((c) => c.padStart(13))].join("");

/** All series as one row. */
function together(scores: readonly LoadScore[]): LoadScore | null {
	const [first] = scores;
	if (!first) return null;
	const joined = <T extends object>(of: (score: LoadScore) => T): T =>
		Object.fromEntries(
			Object.keys(of(first)).map((key) => [key, scores.flatMap((s) => of(s)[key as keyof T] as number[])]),
		) as T;
	return {
		name: `${scores.length} public vLLM series, to 16 clients`,
		told: scores.reduce((sum, s) => sum + s.told, 0),
		predicted: scores.reduce((sum, s) => sum + s.predicted, 0),
		errors: joined((s) => s.errors),
		closedForm: joined((s) => s.closedForm),
		why: "",
	};
}

/** Prints what the simulator makes of public loads, from those of little load; median / 90 % of the error, per cent. */
export async function printLoad(): Promise<void> {
	const [sets, recording, series] = [await readSets(), readRecording(), readSeries()];
	if (sets === null) {
		console.log("skipped: no shared data");
		return;
	}
	console.log(
		"Laws from the runs of few clients, through the simulator; error of the others, median / 90 %, per cent.",
	);
	console.log(
		"below, beyond: the measured saturation. Goals: TPOT 6, TTFT below saturation 15, saturation 15.\n",
	);
	console.log(line(HEAD));
	const reasons: string[] = [];
	for (const set of sets) {
		const score = judge(set);
		if (!score) continue;
		console.log(line(row(score)));
		reasons.push(`${score.name}: ${score.why}`);
		if (!set.cases.some(isOverloaded)) continue;
		const capped = judge({ ...set, name: "  its cache from one overloaded run" }, isOverloaded);
		if (capped) console.log(line(row(capped)));
	}
	const all = together((series ?? []).flatMap((set) => judge(set) ?? []));
	if (all) console.log(line(row(all)));
	console.log(`\nWhere it breaks, and why\n${reasons.map((r) => `  ${r}`).join("\n")}`);
	if (!recording) return;
	const { measured, simulated, preemptions } = judgeRecording(recording);
	console.log(
		`\nRTX 4090, Llama 3.1 8B, ${recording.requests.count} requests at 10/s into a full cache: laws from the first ${TOLD}, the others predicted (${preemptions} thrown out)`,
	);
	for (const time of ["ttft", "tpot", "e2e"] as const)
		for (const key of ["mean", "p50", "p90", "p99"] as const) {
			const [is, was] = [simulated[time][key], measured[time][key]];
			console.log(
				`  ${time.padEnd(5)}${key.padEnd(5)} measured ${was.toFixed(4).padStart(9)} s   simulated ${is.toFixed(4).padStart(9)} s   ${(100 * (is / was - 1)).toFixed(1).padStart(6)} %`,
			);
		}
}
