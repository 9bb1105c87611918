import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { BLANK_SCENARIO, capacity, type PlanFacts, plan } from "@plimsoll/api/model";
import { Hono } from "hono";
import { milliseconds, openPlace, postRun, quantile } from "./place.ts";

const CALLS = 3000;
const WARM_UP = 500;

const law = (s: number) => 0.02 + 1e-4 * s + 2e-9 * s * s;
const run = JSON.stringify({
	...{ plimsoll: 1, gpu: "H100 SXM 80GB", gpus: 1, model: "llama-3.1-8b", engine: "vllm", weights: "bf16" },
	...{ kv: "bf16", tp: 1 },
	measurements: [
		...[512, 1024, 2048, 4096, 8192, 16384, 32768].map((tokens) => ({
			...{ phase: "prefill", tokens, cached: 0, batch: 1, seconds: [law(tokens)] },
		})),
		...[1, 4, 16, 64].flatMap((batch) =>
			[1024, 8192, 16384].map((context) => ({
				...{ phase: "decode", batch, context, seconds: [0.008 + 1e-4 * batch + 1e-8 * batch * context] },
			})),
		),
	],
});

async function listen(fetch: (request: Request) => Response | Promise<Response>) {
	const server = createServer(getRequestListener(fetch, { overrideGlobalObjects: false }));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return { server, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function latencies(url: (i: number) => string): Promise<number[]> {
	const taken: number[] = [];
	for (let i = 0; i < WARM_UP + CALLS; i++) {
		const start = performance.now();
		const response = await fetch(url(i));
		await response.arrayBuffer();
		if (response.status !== 200) throw new Error(`${url(i)}: ${response.status}`);
		if (i >= WARM_UP) taken.push(performance.now() - start);
	}
	return taken;
}

/** Median of rounds of calls one after the other, each with another context: "40,000 a second (25.0 µs)". */
function callsPerSecond(call: (context: number) => unknown, calls: number): string {
	const round = () => {
		const start = performance.now();
		for (let i = 0; i < calls; i++) call(1000 + (i % 30_000));
		return (performance.now() - start) / calls;
	};
	round();
	const each = quantile([round(), round(), round(), round(), round()], 0.5);
	return `${Math.round(1000 / each).toLocaleString("en-US")} a second (${(1000 * each).toFixed(1)} µs)`;
}

/** The pure function that the server calls for a request and the page for every move of a slider. */
function planLines(facts: PlanFacts): string[] {
	const at = (context: number) => ({
		...BLANK_SCENARIO,
		configuration: facts.configuration?.id ?? null,
		context,
	});
	const bulk = { arithmetic: false };
	return [
		`plan() without words: ${callsPerSecond((context) => plan(at(context), facts, bulk), 20_000)}  (goal < 10 µs)`,
		`plan() with its arithmetic in words: ${callsPerSecond((context) => plan(at(context), facts), 20_000)}`,
		`capacity(), as the page asks beside it: ${callsPerSecond((context) => capacity(at(context), facts), 2_000)}`,
	];
}

/** One caller, one call after the other, each with another context, beside an empty handler on the same stack. */
export async function benchPlanOverHttp(): Promise<string[]> {
	const place = await openPlace();
	const { configurations } = await postRun(place, run);
	const app = await listen((request) => place.app.fetch(request));
	const empty = await listen(new Hono().get("/", (c) => c.json({})).fetch);
	try {
		const facts = await fetch(`${app.base}/api/v1/configurations/${configurations[0]?.id}/facts`);
		const lines = planLines((await facts.json()) as PlanFacts);
		const floor = await latencies(() => `${empty.base}/`);
		const plans = await latencies(
			(i) => `${app.base}/api/v1/plan?configuration=${configurations[0]?.id}&context=${1000 + i}`,
		);
		const line = (name: string, ms: number[]) =>
			`${name}: p50 ${milliseconds(quantile(ms, 0.5))}, p99 ${milliseconds(quantile(ms, 0.99))}`;
		return [...lines, line("GET /plan", plans), line("an empty Hono handler", floor)];
	} finally {
		app.server.close();
		empty.server.close();
		await place.close();
	}
}
