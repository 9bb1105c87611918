import { seedCatalogs } from "@plimsoll/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testApp } from "../support/api.ts";

const { call, close, deps } = await testApp();
afterAll(close);
beforeAll(() => seedCatalogs(deps.database));

const json = { "content-type": "application/json" };
const add = (price: object) => call("POST", "/prices", JSON.stringify(price), json);
const reserved = (perGpuHour: number) => ({
	subject: "h100-sxm-80gb",
	seller: "Example Cloud",
	terms: { kind: "reserved", perGpuHour, upfrontPerGpu: 8760, termMonths: 12 },
	source: "offer 17",
	readOn: "2026-10-01",
});
const owned = {
	kind: "owned",
	capexPerGpu: { low: 25_000, high: 35_000 },
	lifetimeMonths: 36,
	residualShare: 0.1,
	watts: 1000,
	pue: 1.3,
	perKwh: 0.1,
	staffPerGpuMonth: 73,
	hostingPerGpuMonth: 146,
};
const hosted = {
	kind: "hosted",
	inputPerMillion: 3,
	outputPerMillion: 15,
	cache: { scheme: "paid write", write: 1.25, read: 0.1 },
	minimumPrefixTokens: 1024,
	lifetimeSeconds: 300,
};

describe("the price book", () => {
	it("takes a reservation and says what its hour costs", async () => {
		const { status, body } = await add(reserved(1.5));
		expect(status).toBe(201);
		// 1.50 + 8,760 / (12 × 730)
		expect(body).toMatchObject({
			version: 1,
			usdPerGpuHour: { low: 2.5, high: 2.5 },
			supersedes: null,
			origin: "user",
		});
		expect(body.terms.perGpuHour).toEqual({ low: 1.5, high: 1.5 });
	});

	it("keeps the version that an old answer was made with, and names its successor", async () => {
		const { body: first } = await add(reserved(1.5));
		const { body: second } = await add({ ...reserved(1.25), readOn: "2026-11-01" });
		expect(second).toMatchObject({ version: 2, supersedes: first.id, series: first.series });
		const { body: old } = await call("GET", `/prices/${first.id}`);
		expect(old).toMatchObject({ version: 1, supersededBy: second.id, usdPerGpuHour: { low: 2.5 } });
		expect(old.versions.map(({ version }: { version: number }) => version)).toEqual([2, 1]);

		const listed = async (query: string) =>
			(await call("GET", `/prices?subject=h100-sxm-80gb&kind=reserved&${query}`)).body;
		expect((await listed("")).items.map(({ id }: { id: string }) => id)).toEqual([second.id]);
		expect((await listed("history=true")).totalCount).toBe(2);
	});

	it("adds nothing where the newest version says the same, even from eight at once", async () => {
		const price = { ...reserved(9), seller: "Eight" };
		const answers = await Promise.all(Array.from({ length: 8 }, () => add(price)));
		expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
		const next = await Promise.all([1, 2, 3, 4].map((usd) => add({ ...reserved(usd), seller: "Eight" })));
		expect(next.map(({ body }) => body.version).sort()).toEqual([2, 3, 4, 5]);
	});

	it("keeps owned hardware and hosted lists, in their currency with its rate", async () => {
		const rack = await add({ subject: "h100-sxm-80gb", terms: owned, source: "quote" });
		// By hand in the tests of hourly.ts
		expect(rack.body.usdPerGpuHour.low).toBeCloseTo(1.286164, 6);
		const list = await add({
			subject: "a-hosted-model",
			terms: hosted,
			source: "list",
			readOn: "2026-11-01",
		});
		expect(list.body).toMatchObject({ usdPerGpuHour: null, terms: { cache: { write: 1.25 } } });
		const euro = { code: "EUR", usdPerUnit: 1.1, rateSource: "ECB", rateReadOn: "2026-11-27" };
		const terms = { kind: "on-demand", perGpuHour: 2.5 };
		const { body } = await add({
			subject: "l4",
			terms,
			currency: euro,
			source: "list",
			readOn: "2026-11-01",
		});
		expect(body.usdPerGpuHour.low).toBeCloseTo(2.75, 12);
		expect(body.currency).toEqual(euro);
		const { body: refused } = await add({
			subject: "l4",
			terms,
			currency: { ...euro, code: "USD" },
			source: "x",
		});
		expect(refused.errors).toEqual([{ at: "currency.usdPerUnit", reason: "a US dollar is 1 US dollar" }]);
	});

	it("comes with hosted lists and owned servers, each with its seller, address and day", async () => {
		const came = async (query: string) =>
			(await call("GET", `/prices?limit=100&${query}`)).body.items.filter(
				({ origin }: { origin: string }) => origin === "seed",
			);
		const lists = await came("kind=hosted");
		expect(lists).toHaveLength(14);
		const schemes = lists.map(({ terms }: { terms: { cache: { scheme: string } } }) => terms.cache.scheme);
		expect(new Set(schemes)).toEqual(new Set(["none", "paid write", "free write", "paid storage"]));
		const own = await came("kind=owned");
		for (const { seller, source, readOn } of [...lists, ...own]) {
			expect(seller).toBeTruthy();
			expect(source).toMatch(/https:\/\//);
			expect(Date.parse(readOn)).toBeLessThan(Date.now());
		}
		// $33,750 to $39,625 / (60 × 730 h) + 1.275 kW × 1.54 × $0.146 + $234.68 to $248.56 / 730 h
		const [server] = await came("kind=owned&subject=h100-sxm-80gb");
		expect(server.usdPerGpuHour.low).toBeCloseTo(1.378698, 6);
		expect(server.usdPerGpuHour.high).toBeCloseTo(1.5318445, 6);
		// 7.50 CNY an hour at 7.1 CNY a dollar
		const [yuan] = await came("subject=h20");
		expect(yuan.currency).toMatchObject({ code: "CNY", rateReadOn: null });
		expect(yuan.usdPerGpuHour.low).toBeCloseTo(7.5 / 7.1, 9);
		// Renting stays what a plan is made with.
		const { body } = await call("GET", "/plan?model=llama-3.1-8b&gpu=b200-sxm&concurrency=1&context=1000");
		expect(body.cost.usdPerMonth.arithmetic).toContain("$5.00 to $7.15");
	});

	it("flags what is old", async () => {
		const { body } = await call("GET", "/prices?subject=a10g");
		// Read on 2024-07-24.
		expect(body.items[0].age).toMatchObject({ old: true, freshDays: 90 });
	});

	it("counts no price that came with an earlier version and was withdrawn, and keeps it for old answers", async () => {
		const [row] = await deps.database.sql`
			insert into prices (series, version, subject, kind, terms, source, read_on, origin)
			values ('seed | reserved | mi325x', 1, 'mi325x', 'reserved',
				'{"kind": "reserved", "perGpuHour": {"low": 1.28, "high": 1.8}, "upfrontPerGpu": {"low": 0, "high": 0}, "termMonths": 36}',
				'an estimate of ownership', '2026-04-01', 'seed') returning id`;
		expect((await call("GET", "/prices?subject=mi325x")).body.items).toEqual([]);
		expect((await call("GET", "/prices?subject=mi325x&history=true")).body.items).toHaveLength(1);
		expect((await call("GET", `/prices/${row?.id}`)).status).toBe(200);
		const query = "/plan?model=llama-3.1-8b&gpu=mi325x&context=1000&output=100&concurrency=1";
		expect((await call("GET", query)).body.cost.usdPerMonth).toMatchObject({ value: null });
	});

	it("plans with what was agreed before any list, and names the version", async () => {
		const query = "/plan?model=llama-3.1-8b&gpu=l40s&context=1000&output=100&concurrency=1";
		const { body: before } = await call("GET", query);
		expect(before.cost.usdPerMonth.evidence).toBe("vendor");
		await add({ gpuId: "l40s", usdPerGpuHourLow: 1, source: "our contract", readOn: "2026-01-01" });
		const { body: after } = await call("GET", query);
		// 1 GPU × $1 × 730 h
		expect(after.cost.usdPerMonth).toMatchObject({ value: 730, evidence: "arithmetic" });
	});

	it("follows a named version, once, and only one of the same thing", async () => {
		const { body: first } = await add({ ...reserved(3), seller: "Renamed Ltd" });
		const moved = { ...reserved(2.9), seller: "Renamed Inc", supersedes: first.id };
		expect((await add(moved)).body).toMatchObject({
			series: first.series,
			version: 2,
			seller: "Renamed Inc",
		});
		expect((await add({ ...moved, readOn: "2026-11-01" })).body.errors[0].reason).toMatch(
			/superseded before/,
		);
		const other = {
			subject: "l4",
			terms: { kind: "agreed", perGpuHour: 1 },
			source: "x",
			supersedes: first.id,
		};
		expect((await add(other)).status).toBe(422);
	});

	it("is followed by one of several that name the same version at once", async () => {
		const { body: first } = await add({ ...reserved(3), seller: "Raced Ltd" });
		const answers = await Promise.all(
			[1, 2, 4, 5, 6].map((usd) => add({ ...reserved(usd), seller: "Raced Ltd", supersedes: first.id })),
		);
		expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422]);
		const second = answers.find(({ status }) => status === 201)?.body;
		expect(second).toMatchObject({ version: 2, supersedes: first.id });
		for (const { status, body } of answers)
			if (status === 422)
				expect(body.errors).toEqual([{ at: "supersedes", reason: `was superseded before, by ${second.id}` }]);
	});

	it("takes what is read today, tomorrow east of here, and nothing from days to come", async () => {
		const dayAhead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
		const read = (readOn: string) => add({ ...reserved(2), seller: "Early", readOn });
		expect((await read(dayAhead(0))).status).toBe(201);
		expect((await read(dayAhead(1))).status).toBe(201);
		const { status, body } = await read(dayAhead(3));
		expect(status).toBe(422);
		expect(body.errors[0]).toMatchObject({ at: "readOn", reason: expect.stringContaining("still to come") });
		const currency = { code: "EUR", usdPerUnit: 1.1, rateReadOn: "2999-01-01" };
		expect((await add({ ...reserved(2), currency })).body.errors[0].at).toBe("currency.rateReadOn");
	});

	it.each([
		[{ ...owned, lifetimeMonths: 1e-308 }, "terms.lifetimeMonths"],
		[{ ...owned, lifetimeMonths: 601 }, "terms.lifetimeMonths"],
		[{ ...owned, watts: 1e9 }, "terms.watts"],
		[{ ...owned, pue: 11 }, "terms.pue"],
		[{ ...owned, perKwh: 1e-300 }, "terms.perKwh"],
		[{ ...reserved(1).terms, termMonths: 1e-300 }, "terms.termMonths"],
		[{ ...reserved(1).terms, upfrontPerGpu: 2e9 }, "terms.upfrontPerGpu"],
	])("refuses terms out of bounds by their field: %o", async (terms, at) => {
		const { status, body } = await add({ subject: "l4", terms, source: "x" });
		expect(status).toBe(400);
		expect(body.errors[0].at).toContain(at);
	});

	it.each([
		[
			"a GPU that nobody knows",
			{ subject: "nope", terms: { kind: "agreed", perGpuHour: 1 }, source: "x" },
			422,
		],
		["neither form", { source: "x" }, 400],
		["both forms", { ...reserved(1), gpuId: "l4", usdPerGpuHourLow: 1 }, 400],
		[
			"a range upside down",
			{ subject: "l4", terms: { kind: "agreed", perGpuHour: { low: 2, high: 1 } }, source: "x" },
			400,
		],
		["a PUE below 1", { subject: "l4", terms: { ...owned, pue: 0.9 }, source: "x" }, 400],
		[
			"a key that is none",
			{ subject: "l4", terms: { kind: "agreed", perGpuHour: 1, perYear: 2 }, source: "x" },
			400,
		],
	])("refuses %s", async (_, price, status) => {
		const answer = await add(price);
		expect(answer.status).toBe(status);
		expect(answer.body.errors.length).toBeGreaterThan(0);
	});

	it("answers 404 for a version that never was", async () => {
		expect((await call("GET", "/prices/00000000-0000-4000-8000-000000000000")).status).toBe(404);
		expect((await call("GET", "/prices/nope")).status).toBe(404);
	});
});
