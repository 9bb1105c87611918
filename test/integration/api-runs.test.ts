import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { canonical, testApp } from "../support/api.ts";

const { call, close, deps } = await testApp();
afterAll(close);

/** t = 0.02 + 1e-4·s + 2e-9·s², a law chosen here; no product code computes it. */
const law = (s: number) => 0.02 + 1e-4 * s + 2e-9 * s * s;
const prefill = (tokens: number, seconds = law(tokens)) => ({
	phase: "prefill",
	tokens,
	cached: 0,
	batch: 1,
	seconds: [seconds],
});
const LENGTHS = [512, 1024, 2048, 4096, 8192, 16384];
const totalRuns = async () => (await call("GET", "/runs?limit=1")).body.totalCount;

describe("POST /runs", () => {
	it("stores a file once, fits it, and gives its bytes back", async () => {
		const body = canonical({ engineVersion: "once" }, [
			...LENGTHS.map((tokens) => prefill(tokens)),
			{ phase: "prefill", tokens: 500000, error: "out of memory" },
		]);
		const first = await call("POST", "/runs?label=a&fileName=x.json", body);
		expect(first.status).toBe(201);
		expect(first.body).toMatchObject({
			duplicate: false,
			accepted: 6,
			failed: 1,
			rejected: [],
			sha256: createHash("sha256").update(body).digest("hex"),
			fileName: "x.json",
		});
		const { a, b } = first.body.configurations[0].fits.prefill
			? await coefficients(first.body.configurations[0].id)
			: { a: 0, b: 0 };
		expect(a).toBeCloseTo(1e-4, 6);
		expect(b).toBeCloseTo(2e-9, 10);
		const again = await call("POST", "/runs?label=a", body);
		expect(again.status).toBe(200);
		expect(again.body).toMatchObject({ id: first.body.id, duplicate: true, accepted: 6, failed: 1 });
		const raw = await call("GET", `/runs/${first.body.id}/raw`);
		expect(raw.body.toString()).toBe(body);
	});

	const coefficients = async (id: string) =>
		(await call("GET", `/configurations/${id}`)).body.fits.prefill.coefficients;

	it("takes the same bytes with another label as another run", async () => {
		const body = canonical({ engineVersion: "labels" }, [prefill(512)]);
		const one = await call("POST", "/runs?label=one", body);
		const two = await call("POST", "/runs?label=two", body);
		expect([one.status, two.status]).toEqual([201, 201]);
		expect(one.body.id).not.toBe(two.body.id);
	});

	it("knows a file again when it comes packed, announced or not, once or twice", async () => {
		const body = canonical({ engineVersion: "packed" }, [prefill(512)]);
		const { id } = (await call("POST", "/runs", body)).body;
		const packed = gzipSync(body);
		const answers = [
			await call("POST", "/runs", packed, { "content-encoding": "gzip" }),
			await call("POST", "/runs", packed),
			await call("POST", "/runs", gzipSync(packed), { "content-encoding": "gzip" }),
		];
		expect(answers.map(({ status, body }) => [status, body.id])).toEqual([
			[200, id],
			[200, id],
			[200, id],
		]);
	});

	it("lets one of twenty identical uploads at the same moment in", async () => {
		const before = await totalRuns();
		const body = canonical({ engineVersion: "twenty" }, [prefill(512)]);
		const answers = await Promise.all(Array.from({ length: 20 }, () => call("POST", "/runs", body)));
		expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
		expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
		expect(await totalRuns()).toBe(before + 1);
	});

	it("adds different files of one configuration up, also at the same moment", async () => {
		const files = Array.from({ length: 12 }, (_, i) =>
			canonical({ engineVersion: "together" }, [prefill(1024, 0.1 + i / 1000)]),
		);
		const answers = await Promise.all(files.map((body) => call("POST", "/runs", body)));
		expect(answers.every(({ status }) => status === 201)).toBe(true);
		const { body } = await call("GET", `/configurations/${answers[0]?.body.configurations[0].id}`);
		expect(body.counts).toMatchObject({ measurements: 12, runs: 12 });
		const [point] = body.points;
		expect(point.n).toBe(12);
		// Geometric mean and spread of 0.100 … 0.111 s, by their definitions.
		const logs = files.map((_, i) => Math.log(0.1 + i / 1000));
		const mean = logs.reduce((sum, x) => sum + x, 0) / 12;
		const spread = Math.sqrt(logs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 11);
		expect(point.seconds).toBeCloseTo(Math.exp(mean), 10);
		expect(point.betweenRuns).toBeCloseTo(spread, 8);
	});

	it("keeps the good rows of a file and names the bad ones", async () => {
		const body = canonical({ engineVersion: "partly" }, [
			prefill(512),
			{ phase: "prefill", tokens: "many", seconds: [1] },
			prefill(1024),
		]);
		const { status, body: answer } = await call("POST", "/runs", body);
		expect(status).toBe(201);
		expect(answer.accepted).toBe(2);
		expect(answer.rejected).toHaveLength(1);
		expect(answer.rejected[0].at).toMatch(/1.*tokens|2.*tokens/);
		const { rejections, rejected } = (await call("GET", `/runs/${answer.id}`)).body;
		expect([rejections, rejected]).toEqual([answer.rejected, 1]);
	});

	it.each([
		["empty", ""],
		["words", "hello, this is not a benchmark"],
		["an open bracket", "["],
		["NUL bytes", "\0\0\0"],
		["no measurement", JSON.stringify({ plimsoll: 1, gpu: "x", measurements: [] })],
		[
			"only bad rows",
			JSON.stringify({
				plimsoll: 1,
				gpu: "x",
				measurements: [{ phase: "prefill", tokens: -1, seconds: [1] }],
			}),
		],
	])("refuses %s with 422 and stores nothing", async (_, body) => {
		const before = await totalRuns();
		const answer = await call("POST", "/runs", body);
		expect(answer.status).toBe(422);
		expect(answer.headers.get("content-type")).toBe("application/problem+json");
		expect(answer.body).toMatchObject({ status: 422, title: expect.any(String), detail: expect.any(String) });
		expect(await totalRuns()).toBe(before);
		const [left] = await deps.database.sql`select (select count(*) from measurements m where not exists
			(select 1 from runs r where r.id = m.run_id)) as orphans`;
		expect(left?.orphans).toBe(0);
	});

	it("says of a JSON file that was cut in half where it ends, not which figures it lacks", async () => {
		const cut =
			'{\n "backend": "vllm",\n "completed": 8,\n "mean_ttft_ms": 200,\n "mean_tpot_ms": 20,\n "total_inp';
		const { status, body } = await call("POST", "/runs", cut);
		expect(status).toBe(422);
		expect(body.errors).toEqual([
			{
				at: "result 1",
				reason: expect.stringMatching(
					/^the file breaks off inside this result \(.*in line 6 behind 11 characters\)/,
				),
			},
		]);
	});

	it("stores text that PostgreSQL cannot hold as it is without failing", async () => {
		const { status, body } = await call(
			"POST",
			"/runs",
			canonical({ engineVersion: "odd \\ \t\u0000 \ud800 text", model: 'a\\b"c\n' }, [prefill(512)]),
		);
		expect(status).toBe(201);
		expect((await call("GET", `/runs/${body.id}`)).body.measurements).toHaveLength(1);
	});

	it.each([
		["a form", { "content-type": "multipart/form-data; boundary=x" }, 415],
		["Brotli", { "content-encoding": "br" }, 415],
		["gzip that is none", { "content-encoding": "gzip" }, 400],
	])("says what to do about %s", async (_, headers, status) => {
		const answer = await call(
			"POST",
			"/runs",
			canonical({}, [prefill(512)]),
			headers as Record<string, string>,
		);
		expect(answer.status).toBe(status);
	});

	it("refuses a parameter it does not know, by name", async () => {
		const answer = await call("POST", "/runs?gpuu=x", canonical({}, [prefill(512)]));
		expect(answer.status).toBe(400);
		expect(answer.body.errors[0].at).toBe("gpuu");
	});

	it("refuses cut gzip", async () => {
		const packed = gzipSync(canonical({}, [prefill(512)]));
		const answer = await call("POST", "/runs", packed.subarray(0, packed.length - 10));
		expect(answer.status).toBe(400);
		expect(answer.body.title).toBe("Broken gzip");
	});

	it("refuses a small gzip that unpacks to 300 MB before it is unpacked", async () => {
		const answer = await call("POST", "/runs", gzipSync(Buffer.alloc(300 * 1024 * 1024)), {
			"content-encoding": "gzip",
		});
		expect(answer.status).toBe(413);
	});

	it("stores a dropped upload not at all", async () => {
		const before = await totalRuns();
		const body = Buffer.from(canonical({ engineVersion: "dropped" }, [prefill(512)]));
		const broken = new ReadableStream({
			start(controller) {
				controller.enqueue(body.subarray(0, 100));
				controller.error(new Error("connection lost"));
			},
		});
		const request = new Request("http://localhost/api/v1/runs", {
			method: "POST",
			body: broken,
			duplex: "half",
		} as RequestInit);
		expect((await (await testAppOf()).request(request)).status).toBeGreaterThanOrEqual(400);
		expect(await totalRuns()).toBe(before);
	});

	const testAppOf = async () => (await import("@plimsoll/api")).createApp(deps);
});

describe("a run of many rows", () => {
	it("comes in whole, in order, and its copy in the database adds up", async () => {
		const count = 30_000;
		const measurements = Array.from({ length: count }, (_, i) =>
			prefill(512 * (1 + (i % 20)), 0.05 + (i % 20) / 100),
		);
		const { status, body } = await call("POST", "/runs", canonical({ engineVersion: "many" }, measurements));
		expect(status).toBe(201);
		expect(body.accepted).toBe(count);
		const [sums] = await deps.database.sql`select sum(n)::int as n, count(*)::int as points from points
			where configuration_id = ${body.configurations[0].id}`;
		expect(sums).toEqual({ n: count, points: 20 });
		const { body: page } = await call("GET", `/runs/${body.id}/measurements?limit=100`);
		expect(page.totalCount).toBe(count);
		expect(page.items.map((item: { tokens: number }) => item.tokens)).toEqual(
			measurements.slice(0, 100).map(({ tokens }) => tokens),
		);
	});

	it("is spooled to a file that has no name, and leaves nothing", async () => {
		const { readdirSync } = await import("node:fs");
		expect(readdirSync(deps.limits.spoolFolder)).toEqual([]);
	});
});

describe("DELETE /runs/{id} and restore", () => {
	it("takes the run out of fits, lists and counts, and puts it back", async () => {
		const version = { engineVersion: "delete" };
		const one = (
			await call(
				"POST",
				"/runs",
				canonical(
					version,
					LENGTHS.map((t) => prefill(t)),
				),
			)
		).body;
		const two = (
			await call(
				"POST",
				"/runs",
				canonical(
					version,
					LENGTHS.map((t) => prefill(t, law(t) * 2)),
				),
			)
		).body;
		const id = one.configurations[0].id;
		const a = async () => (await call("GET", `/configurations/${id}`)).body.fits.prefill?.coefficients.a;
		// The geometric mean of t and 2t is √2·t, and so are its coefficients.
		expect(await a()).toBeCloseTo(Math.SQRT2 * 1e-4, 6);

		expect((await call("DELETE", `/runs/${two.id}`)).status).toBe(204);
		expect(await a()).toBeCloseTo(1e-4, 6);
		expect((await call("GET", `/runs/${two.id}`)).status).toBe(404);
		expect((await call("DELETE", `/runs/${two.id}`)).status).toBe(404);

		expect((await call("DELETE", `/runs/${one.id}`)).status).toBe(204);
		expect((await call("GET", `/configurations/${id}`)).status).toBe(404);

		expect((await call("POST", `/runs/${two.id}/restore`)).status).toBe(200);
		expect(await a()).toBeCloseTo(2e-4, 6);
		expect((await call("POST", `/runs/${one.id}/restore`)).status).toBe(200);
		expect(await a()).toBeCloseTo(Math.SQRT2 * 1e-4, 6);
		expect((await call("GET", `/configurations/${id}`)).body.counts).toMatchObject({
			measurements: 12,
			runs: 2,
		});
	});

	it("brings a deleted run back when its file is sent again", async () => {
		const body = canonical({ engineVersion: "sent again" }, [prefill(512)]);
		const { id } = (await call("POST", "/runs", body)).body;
		await call("DELETE", `/runs/${id}`);
		const again = await call("POST", "/runs", body);
		expect([again.status, again.body.id, again.body.duplicate]).toEqual([200, id, true]);
		expect((await call("GET", `/runs/${id}`)).status).toBe(200);
	});
});

describe("PATCH of a measurement", () => {
	it("moves the fit, and keeps who decided what", async () => {
		const wild = prefill(4096, law(4096) * 3);
		const { body: run } = await call(
			"POST",
			"/runs",
			canonical({ engineVersion: "wild" }, [...LENGTHS.map((t) => prefill(t)), wild]),
		);
		const id = run.configurations[0].id;
		const point = async () =>
			(await call("GET", `/configurations/${id}`)).body.points.find(
				(p: { tokens: number }) => p.tokens === 4096,
			);
		expect((await point()).seconds).toBeCloseTo(Math.sqrt(3) * law(4096), 8);

		const { body: page } = await call("GET", `/runs/${run.id}/measurements`);
		const wildId = page.items.at(-1).id;
		const out = await call(
			"PATCH",
			`/configurations/${id}/measurements/${wildId}`,
			JSON.stringify({ included: false, reason: "throttled" }),
			json,
		);
		expect(out.body).toMatchObject({ id: wildId, included: false });
		expect((await point()).seconds).toBeCloseTo(law(4096), 8);
		const { fits, counts } = (await call("GET", `/configurations/${id}`)).body;
		expect(fits.prefill.coefficients.a).toBeCloseTo(1e-4, 6);
		expect(counts.excluded).toBe(1);

		await call(
			"PATCH",
			`/configurations/${id}/measurements/${wildId}`,
			JSON.stringify({ included: true }),
			json,
		);
		expect((await point()).n).toBe(2);

		const { body: history } = await call("GET", `/configurations/${id}/decisions`);
		expect(history).toMatchObject({
			totalCount: 2,
			items: [
				{
					from: "out",
					to: "in",
					by: "this machine",
					reason: null,
					measurement: { id: wildId, included: true },
				},
				{ from: "in", to: "out", by: "this machine", reason: "throttled", measurement: { tokens: 4096 } },
			],
		});
		const [last, first] = history.items.map(({ at }: { at: string }) => Date.parse(at));
		expect(last).toBeGreaterThanOrEqual(first);
	});

	it("keeps no decision that changes nothing; a measurement can be read by itself", async () => {
		const { body: run } = await call(
			"POST",
			"/runs",
			canonical({ engineVersion: "nothing changes" }, [prefill(512), prefill(1024)]),
		);
		const id = run.configurations[0].id;
		const { body: page } = await call("GET", `/configurations/${id}/measurements`);
		const one = `/configurations/${id}/measurements/${page.items[0].id}`;
		expect((await call("GET", one)).body).toEqual({ ...page.items[0], runId: run.id });
		expect((await call("GET", `/configurations/${id}/measurements/0`)).status).toBe(404);
		expect((await call("GET", one.replace(id, "nobody"))).status).toBe(404);
		const same = JSON.stringify({ included: true, reason: "it is fine" });
		await call("PATCH", one, same, json);
		expect((await call("GET", `/configurations/${id}/decisions`)).body).toMatchObject({
			totalCount: 0,
			items: [],
		});
		expect((await call("GET", "/configurations/nobody/decisions")).status).toBe(404);
	});

	it("walks a long history by pages, newest first", async () => {
		const { body: run } = await call(
			"POST",
			"/runs",
			canonical({ engineVersion: "to and fro" }, [prefill(512), prefill(1024)]),
		);
		const id = run.configurations[0].id;
		const { body: page } = await call("GET", `/configurations/${id}/measurements`);
		const path = `/configurations/${id}/measurements/${page.items[0].id}`;
		for (const included of [false, true, false, true, false])
			await call("PATCH", path, JSON.stringify({ included }), json);
		const first = (await call("GET", `/configurations/${id}/decisions?limit=3`)).body;
		const rest = (await call("GET", `/configurations/${id}/decisions?limit=3&cursor=${first.nextCursor}`))
			.body;
		expect([first.totalCount, first.truncated, rest.offset, rest.truncated]).toEqual([5, true, 3, false]);
		expect([...first.items, ...rest.items].map(({ to }: { to: string }) => to)).toEqual([
			...["out", "in", "out", "in", "out"],
		]);
	});

	it("cannot take a failure in", async () => {
		const { body: run } = await call(
			"POST",
			"/runs",
			canonical({ engineVersion: "failed" }, [
				prefill(512),
				{ phase: "prefill", tokens: 9999, error: "out of memory" },
			]),
		);
		const id = run.configurations[0].id;
		const { body: page } = await call("GET", `/configurations/${id}/measurements`);
		const failure = page.items.find((item: { status: string }) => item.status === "failed");
		const answer = await call(
			"PATCH",
			`/configurations/${id}/measurements/${failure.id}`,
			JSON.stringify({ included: true }),
			json,
		);
		expect(answer.status).toBe(409);
	});

	const json = { "content-type": "application/json" };
});

describe("suspicious measurements", () => {
	it("are kept and left out of the fits when the card cannot be that fast", async () => {
		await deps.database.sql`select 1`;
		// 8 billion parameters × 2 FLOP × 100,000 tokens are 1.6e15 FLOP: 1.6 s at the H100's 989e12 FLOP/s, not 1 ms.
		const body = canonical({ engineVersion: "impossible" }, [
			...LENGTHS.map((t) => prefill(t)),
			prefill(100_000, 0.001),
		]);
		const { seedCatalogs } = await import("@plimsoll/db");
		await seedCatalogs(deps.database);
		const { body: run } = await call("POST", "/runs", body);
		expect(run.accepted).toBe(7);
		const { body: page } = await call("GET", `/runs/${run.id}/measurements`);
		const last = page.items.at(-1);
		expect(last.included).toBe(false);
		expect(last.suspicions.join()).toMatch(/faster than/);
		expect(run.configurations[0].fits.prefill.n).toBe(6);
	});
});

describe("forecasts", () => {
	it("judge the fit that stood before a run, not the one after it", async () => {
		const version = { engineVersion: "forecast" };
		const first = await call(
			"POST",
			"/runs",
			canonical(
				version,
				LENGTHS.map((t) => prefill(t)),
			),
		);
		expect(first.body.configurations[0].forecast).toBeNull();
		// 10 % slower than the law that was fitted to the first run.
		const second = await call(
			"POST",
			"/runs",
			canonical(
				version,
				[3000, 6000].map((t) => prefill(t, law(t) * 1.1)),
			),
		);
		const { forecast } = second.body.configurations[0];
		expect(forecast.count).toBe(2);
		expect(forecast.medianError).toBeCloseTo(0.1, 2);
		const again = await call(
			"POST",
			"/runs",
			canonical(
				version,
				[3000, 6000].map((t) => prefill(t, law(t) * 1.1)),
			),
		);
		expect(again.body.configurations[0].forecast).toEqual(forecast);
	});
});

describe("rows that no law can read", () => {
	it("are rejected by name, and the others count", async () => {
		const load = { phase: "serve", input: 1024, output: 128, concurrency: 4, tpot: { mean: 0.02 } };
		const { status, body } = await call(
			"POST",
			"/runs",
			canonical({ engineVersion: "nothing generated" }, [load, { ...load, output: 0 }]),
		);
		expect(status).toBe(201);
		expect([body.accepted, body.rejectedCount]).toEqual([1, 1]);
	});
});

describe("GPUs that are too few for their tensor parallel ranks", () => {
	const row = { phase: "prefill", tokens: 512, seconds: [0.1] };
	const open = { gpus: null, tp: null, engineVersion: "ranks" };

	it.each([
		["said in the file", "/runs", { gpus: 2, tp: 8 }],
		["said beside it", "/runs?gpus=2&tp=8", open],
		["said in both", "/runs?gpus=2", { ...open, tp: 8 }],
	])("are refused where they are %s", async (_, path, fields) => {
		const { status, body } = await call("POST", path, canonical(fields, [row]));
		expect(status).toBe(422);
		expect(body.errors[0].reason).toBe("tp 8 needs at least 8 GPUs, gpus says 2");
	});

	it("are no matter where nobody counted them", async () => {
		const { status, body } = await call("POST", "/runs?tp=8", canonical(open, [row]));
		expect([status, body.configurations[0].tp]).toEqual([201, 8]);
	});
});

describe("versions of a fit", () => {
	it("name the runs that brought their phase, and no others", async () => {
		const version = { engineVersion: "lineage" };
		const decode = { phase: "decode", batch: 1, context: 1024, seconds: [0.02] };
		const first = (
			await call(
				"POST",
				"/runs?label=prompts",
				canonical(
					version,
					LENGTHS.map((t) => prefill(t)),
				),
			)
		).body;
		const second = (await call("POST", "/runs?label=steps", canonical(version, [decode]))).body;
		const { id } = first.configurations[0];
		const { body: facts } = await call("GET", `/configurations/${id}/facts`);
		expect(facts.runs).toEqual([
			{ phase: "decode", id: second.id, label: "steps" },
			{ phase: "prefill", id: first.id, label: "prompts" },
		]);
		const { body: plan } = await call("GET", `/plan?configuration=${id}&context=2000&concurrency=1`);
		const links = ({ sources }: { sources: { href?: string }[] }) => sources.map(({ href }) => href);
		expect(links(plan.ttft)).toEqual([`/configurations/${id}`, `/measurements/${first.id}`]);
		expect(links(plan.tpot)).toEqual([`/configurations/${id}`, `/measurements/${second.id}`]);
		expect(links(plan.e2e)).toContain(`/measurements/${first.id}`);
	});

	it("stay with their law and the runs they read, and one of each phase is current", async () => {
		const version = { engineVersion: "versions" };
		const runs = [];
		for (const factor of [1, 1.2, 1.4]) {
			const points = LENGTHS.map((t) => prefill(t, law(t) * factor));
			runs.push((await call("POST", "/runs", canonical(version, points))).body);
		}
		const versions = await deps.database.sql`
			select current, run_ids, fit from fits
			where configuration_id = ${runs[0].configurations[0].id} and phase = 'prefill' order by revision`;
		expect(versions.map(({ current }) => current)).toEqual([false, false, true]);
		expect(versions.map(({ run_ids }) => new Set(run_ids))).toEqual([
			new Set([runs[0].id]),
			new Set([runs[0].id, runs[1].id]),
			new Set(runs.map(({ id }) => id)),
		]);
		expect(versions[0]?.fit.coefficients.a).toBeCloseTo(1e-4, 6);
		expect(versions[2]?.fit.measurementIds).toHaveLength(18);
	});
});
