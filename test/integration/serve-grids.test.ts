import { readFileSync } from "node:fs";
import { join } from "node:path";
import { seedCatalogs } from "@plimsoll/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GRIDS, type GridRow } from "../fixtures/serve-grid.ts";
import { testApp } from "../support/api.ts";
import { sharedFolder } from "../support/reading.ts";

const { call, close, deps } = await testApp();
afterAll(close);
beforeAll(() => seedCatalogs(deps.database));

const shared = sharedFolder(
	"formats/vllm-serve",
	process.env.PLIMSOLL_FORMATS && `${process.env.PLIMSOLL_FORMATS}/vllm-serve`,
);

/** At each load that its law stands on, Plan serves about the tokens per second that the file says; two layouts of a grid are one point. */
async function answersItsOwnLoads(id: string, rows: readonly GridRow[]) {
	const { body: list } = await call("GET", `/configurations/${id}/measurements?limit=100`);
	const kept = new Set(
		list.items
			.filter(({ included }: { included: boolean }) => included)
			.map(({ tokens, batch }: { tokens: number; batch: number }) => `${tokens} ${batch}`),
	);
	const held = rows.filter(([, input, clients]) => kept.has(`${input} ${clients}`));
	expect(held.length).toBeGreaterThan(rows.length / 2);
	for (const [name, context, concurrency, , , , tokensPerSecond] of held) {
		const query = new URLSearchParams({ configuration: id, output: "128" });
		query.set("context", String(context));
		query.set("concurrency", String(concurrency));
		const { body } = await call("GET", `/plan?${query}`);
		const share = body.load.outputTokensPerSecond.value / tokensPerSecond;
		expect(share, name).toBeGreaterThan(0.75);
		expect(share, name).toBeLessThan(1.3);
	}
}

const middle = (values: number[]): number =>
	values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

describe.skipIf(shared === null)(
	shared === null
		? "grids of public loads (skipped: no shared data)"
		: "grids of public loads, which carry medians only",
	() => {
		it.each(GRIDS)(
			"$folder: each file is a load, and the law is fitted to them",
			async ({ folder, model, rows }) => {
				const ids = new Set<string>();
				for (const [name] of rows) {
					const { status, body } = await call(
						"POST",
						"/runs?gpu=NVIDIA%20H200&gpus=8",
						readFileSync(join(shared ?? "", folder, name)),
					);
					expect([status, body.accepted], name).toEqual([201, 1]);
					ids.add(body.configurations[0].id);
				}
				expect(ids.size).toBe(1);
				const [id] = ids;
				const { body } = await call("GET", `/configurations/${id}`);
				expect(body).toMatchObject({
					gpuId: "h200-sxm",
					gpus: 8,
					modelName: model,
					counts: { measurements: rows.length },
				});
				const { serve } = body.fits;
				expect(serve.notes.join()).toContain("no mean at every point: the median stands for it");
				// Loads of equal lengths and clients are one point; what a cache may have answered is left out.
				const loads = new Set(rows.map(([, input, clients]) => `${input} ${clients}`)).size;
				expect(serve.n).toBeLessThanOrEqual(loads);
				expect(serve.n).toBeGreaterThanOrEqual(loads - body.counts.excluded);
				expect(body.counts.excluded).toBeLessThan(rows.length / 4);
				// A load that is there is answered by its law within what the law errs.
				const [, input, clients, , , tpot] =
					rows.find(([, length, many]) => length === 8192 && many === 4) ?? rows[0] ?? [];
				const point = { phase: "serve", input, output: 128, concurrency: clients };
				const { body: answer } = await call(
					"POST",
					"/predict",
					JSON.stringify({ configuration: id, points: [point] }),
					{ "content-type": "application/json" },
				);
				const [{ tpot: predicted }] = answer.predictions;
				expect(predicted.mean).toBeGreaterThan(0);
				expect(predicted.low).toBeLessThan(Number(tpot));
				expect(predicted.high).toBeGreaterThan(Number(tpot));
				await answersItsOwnLoads(String(id), rows);
			},
		);

		// GLM-5 is in no catalog: without its geometry one length says nothing of another.
		it.each(GRIDS.filter(({ model }) => !model.includes("GLM")).map((grid) => ({ ...grid, told: 8192 })))(
			"$folder: the loads of one prompt length tell those of all others",
			async ({ folder, rows, told }) => {
				let id = "";
				for (const [name] of rows.filter(([, input]) => input === told)) {
					const file = readFileSync(join(shared ?? "", folder, name));
					const { body } = await call(
						"POST",
						"/runs?gpu=NVIDIA%20H200&gpus=8&engineVersion=one-length",
						file,
					);
					id = body.configurations[0].id;
				}
				const others = rows.filter(([, input]) => input !== told);
				const answers = await Promise.all(
					others.map(async ([, context, concurrency]) => {
						const query = `context=${context}&concurrency=${concurrency}&output=128&configuration=${id}`;
						const { body } = await call("GET", `/plan?${query}`);
						return { ttft: body.ttft, rate: body.load.outputTokensPerSecond };
					}),
				);
				const off = (of: (at: number) => number) => middle(others.map((_, at) => Math.abs(Math.log(of(at)))));
				expect(off((at) => answers[at]?.ttft.value / (others[at]?.[4] ?? 0))).toBeLessThan(Math.log(1.7));
				expect(off((at) => answers[at]?.rate.value / (others[at]?.[6] ?? 0))).toBeLessThan(Math.log(1.3));
				const held = others.filter(([, , , , ttft], at) => {
					const { low, high } = answers[at]?.ttft ?? {};
					return low <= ttft && ttft <= high;
				});
				expect(held.length / others.length).toBeGreaterThan(0.9);
			},
		);
	},
);
