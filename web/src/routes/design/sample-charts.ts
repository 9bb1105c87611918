import type { Evidence } from "@plimsoll/api/model";
import type { ChartOption } from "#lib/chart/option.ts";
import { frontierOption } from "#lib/chart/options/frontier.ts";
import { prefillOption } from "#lib/chart/options/prefill.ts";
import { sequencesOption } from "#lib/chart/options/sequences.ts";
import { tpotOption } from "#lib/chart/options/tpot.ts";
import { trapOption } from "#lib/chart/options/trap.ts";

/*
 * Charts of a made-up law, to show how charts look and behave. Nothing of it was measured, and nothing here is an answer:
 * t = 20 ms + 100 µs per token + 2 ns per token².
 */
const seconds = (tokens: number) => 0.02 + 1e-4 * tokens + 2e-9 * tokens ** 2;
const LENGTHS = [256, 512, 1e3, 2e3, 4e3, 8e3, 16e3, 32e3, 64e3, 128e3];
const MEASURED = { from: 1e3, to: 32e3 };
const known = (tokens: number): Evidence =>
	tokens >= MEASURED.from && tokens <= MEASURED.to ? "fitted" : "extrapolated";
const widened = (tokens: number) => (known(tokens) === "fitted" ? 1.08 : 1.4);
const curve = LENGTHS.map((x) => ({
	...{ x, y: seconds(x), low: seconds(x) / widened(x), high: seconds(x) * widened(x), evidence: known(x) },
}));
const dots = LENGTHS.filter((x) => known(x) === "fitted").map((x, i) => ({
	...{ x, y: seconds(x) * (1 + (i % 2 === 0 ? 0.03 : -0.02)), n: i + 1 },
}));

interface Sample {
	/** What of a chart it shows. */
	name: string;
	option: ChartOption;
	label: string;
	place: string;
}

export const LAW: Sample = {
	name: "A law with its band, measured dots, the measured range and a limit",
	option: prefillOption({ curve, points: dots, range: MEASURED, powerLaw: null, stoppedAt: 100_000 }),
	label: "A made-up law of prefill time against prompt tokens, with its interval and dots.",
	place: "Tokens",
};

export const SAMPLES: readonly Sample[] = [
	LAW,
	{
		name: "Ground shaded where nothing fits",
		option: sequencesOption({
			curve: LENGTHS.map((x) => ({ x, y: Math.floor(60_000 / x) })),
		}),
		label: "A made-up memory: how many fit against context length.",
		place: "Context",
	},
	{
		name: "An objective, and a load beyond what memory holds",
		option: tpotOption({
			curve: [1, 2, 4, 8, 16, 32, 64].map((x) => ({ x, y: 0.02 + 0.001 * x, evidence: "estimated" })),
			points: [],
			slo: 0.05,
			fits: 24,
		}),
		label: "A made-up time per token against requests in flight, estimated, with an objective.",
		place: "In flight",
	},
	{
		name: "Dots of two grounds on a frontier",
		option: frontierOption({
			time: "Time of a whole answer",
			places: [
				{ usdPerMonth: 4000, seconds: 40, low: 30, high: 55, evidence: "fitted" },
				{ usdPerMonth: 9000, seconds: 18, low: 14, high: 26, evidence: "estimated" },
				{ usdPerMonth: 30_000, seconds: 7, low: 5, high: 11, evidence: "fitted" },
			],
		}),
		label: "A made-up frontier of time against the cost of a month.",
		place: "A month",
	},
	{
		name: "Lines named at their ends",
		option: trapOption({
			curve: LENGTHS.map((context) => ({
				...{ context, asMeasured: true, ttft: null, maxSequences: null, usdPerRequest: null },
				kvBytes: 131_072 * context,
				prefill: {
					seconds: seconds(context),
					low: seconds(context),
					high: seconds(context),
					evidence: known(context),
				},
			})),
		}),
		label: "Made-up growth of money, time and memory against context.",
		place: "Context",
	},
	{
		name: "Nothing to draw",
		option: sequencesOption({ curve: [] }),
		label: "A chart without values.",
		place: "Context",
	},
];
