import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
	type EngineSetting,
	fitConfiguration,
	type Point,
	simulateLoad,
	sweepLoads,
	type Trace,
	type Workload,
} from "@plimsoll/api/model";

const once = { n: 1, betweenRuns: null, withinRun: null, measurementIds: [] };

/** An engine that carries the conversation trace, not twice of it. */
function engine(): EngineSetting {
	const prefills = [512, 1024, 2048, 4096, 8192, 16384].map(
		(tokens): Point => ({
			phase: "prefill",
			tokens,
			cached: 0,
			batch: 1,
			seconds: 0.02 + 8e-5 * tokens + 1e-9 * tokens ** 2,
			...once,
		}),
	);
	const steps = [1, 4, 16, 64, 128].flatMap((batch) =>
		[512, 4096].map(
			(context): Point => ({
				phase: "decode",
				batch,
				context,
				seconds: 0.012 + 3e-5 * batch + 1.2e-8 * batch * context,
				...once,
			}),
		),
	);
	const { prefill, decode } = fitConfiguration([...prefills, ...steps]);
	if (!prefill || !decode) throw new Error("no fits");
	const limits = {
		maxSequences: 256,
		chunkTokens: 8192,
		kvTokens: 600_000,
		blockTokens: 16,
		acceptanceLength: 1,
	};
	return { prefill, decode, ...limits };
}

function conversation(): Trace {
	const file = new URL("../../db/seed/traces/azure-2023-conversation.json", import.meta.url);
	const { tenthMillisecondGaps, promptTokens, outputTokens } = JSON.parse(readFileSync(file, "utf8"));
	let tenths = 0;
	const arrivalSeconds = tenthMillisecondGaps.map((gap: number) => {
		tenths += gap;
		return tenths / 1e4;
	});
	return { arrivalSeconds, promptTokens, outputTokens };
}

const workload = (requests: number, speed = 1): Workload => ({
	arrivals: { kind: "trace", speed },
	requests,
	prompt: { kind: "trace" },
	output: { kind: "trace" },
	trace: conversation(),
});

/** Milliseconds of a call on this thread: the median of several, after one that is not counted. */
function milliseconds(call: () => void, times = 7): number {
	call();
	const sample = Array.from({ length: times }, () => {
		const start = performance.now();
		call();
		return performance.now() - start;
	}).sort((a, b) => a - b);
	return sample[times >> 1] ?? Number.NaN;
}

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const heldBytes = () => {
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return heapUsed + arrayBuffers;
};

/** Megabytes in use at most while a call tells how far it is, garbage included, over those before it. */
function megabytes(call: (told: () => void) => void): number {
	// Twice: what the first one lets go of, such as typed arrays, is freed by the second.
	collect();
	collect();
	const before = heldBytes();
	let most = before;
	call(() => {
		most = Math.max(most, heldBytes());
	});
	return (most - before) / 1e6;
}

/** Figures of the load simulator, as lines. */
export async function benchLoad(): Promise<string[]> {
	const setting = engine();
	const simulate = (requests: number, speed?: number, told?: () => void) =>
		simulateLoad({ setting, workload: workload(requests, speed), seed: 1 }, told);
	const timed = (requests: number, speed?: number) => milliseconds(() => simulate(requests, speed));
	const each = timed(20_000);
	const outcome = simulate(20_000);
	const many = timed(200_000);
	const [memory, muchMemory] = [20_000, 200_000].map((n) => megabytes((told) => simulate(n, 1, told)));
	const sweep = milliseconds(() => sweepLoads({ setting, workload: workload(2000), seed: 1 }), 3);
	const line = (what: string, value: string) => `${what.padEnd(58)}${value}`;
	return [
		line(
			"conversation trace, 20,000 requests",
			`${each.toFixed(0)} ms   (goal < 1,500 ms; public simulators 6.4, 29, 154 CPU s)`,
		),
		line("  requests per second of CPU", `${Math.round(20_000 / (each / 1000)).toLocaleString("en")}`),
		line(
			"  iterations stood for, most running, engine busy",
			`${outcome.iterations.toLocaleString("en")}, ${outcome.running.peak}, ${(100 * outcome.busyShare).toFixed(0)} %`,
		),
		line("  twice as fast: overloaded", `${timed(20_000, 2).toFixed(0)} ms`),
		line("200,000 requests", `${many.toFixed(0)} ms   (${(many / each).toFixed(1)} × the time of 20,000)`),
		line("memory at most, 20,000 / 200,000 requests", `${memory?.toFixed(0)} / ${muchMemory?.toFixed(0)} MB`),
		line("a sweep of 11 rates, 2,000 requests each", `${sweep.toFixed(0)} ms`),
	];
}
