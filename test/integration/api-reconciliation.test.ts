import { seedCatalogs } from "@plimsoll/db";
import { afterAll, beforeAll, expect, it } from "vitest";
import { canonical, testApp } from "../support/api.ts";

const { call, close, deps } = await testApp();
afterAll(close);
let query: string;
beforeAll(async () => {
	await seedCatalogs(deps.database);
	const measurements = [
		...[512, 2048, 8192].map((tokens) => ({
			phase: "prefill",
			tokens,
			cached: 0,
			batch: 1,
			seconds: [1e-4 * tokens],
		})),
		...[1, 8].flatMap((batch) =>
			[1024, 8192].map((context) => ({
				...{ phase: "decode", batch, context, seconds: [0.008 + 1e-4 * batch + 1e-8 * batch * context] },
			})),
		),
	];
	const { body } = await call("POST", "/runs", canonical({}, measurements));
	query = `configuration=${body.configurations[0].id}&context=4000&output=500&concurrency=8&price=2.5&busy=0.6`;
});

const HEADER = "month;gpu_hours;usd;prompt_tokens;output_tokens";
const post = (csv: string, more = "") =>
	call("POST", `/reports/reconciliation?${query}${more}`, csv, { "content-type": "text/csv" });

it("holds each month against the plan of the query", async () => {
	const { status, body } = await post(
		`${HEADER}\n2026-09;365;912,50;400000000;50000000\n2026-10;730;;400000000;50000000\n`,
	);
	expect(status).toBe(200);
	const [september, october] = body.months;
	const plan = (await call("GET", `/plan?${query}`)).body;
	// 100,000 requests, each at what the plan says a request costs.
	expect(september.plannedUsd.value).toBeCloseTo(1e5 * plan.cost.usdPerRequest.value, 6);
	expect(september.actualUsd).toMatchObject({ value: 912.5, evidence: "measured" });
	expect(september.utilisation.value).toBeCloseTo(2 * october.utilisation.value, 9);
	expect(october.actualUsd.value).toBeCloseTo(730 * 2.5, 9);
	expect(body.scenario).toMatchObject({ context: 4000, busy: 0.6 });
});

it("refuses a month that no year has, and a month twice by its second line", async () => {
	const { status, body } = await post(`${HEADER}\n2026-13;365;;4;5\n2026-10;365;;4;5\n2026-10;365;;4;5`);
	expect(status).toBe(400);
	expect(body.errors).toMatchObject([{ at: "line 2, month" }, { at: "line 4, month" }]);
});

it("names the wrong cell, and the wrong key", async () => {
	const { status, body } = await post(`${HEADER}\n2026-09;many;1;2;3`);
	expect(status).toBe(400);
	expect(body.errors).toEqual([{ at: "line 2, gpu_hours", reason: '"many" is no number' }]);
	expect((await post(`${HEADER}\n2026-09;1;1;2;3`, "&contxt=5")).body.errors[0].at).toBe("contxt");
});
