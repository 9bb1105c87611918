import { afterAll, describe, expect, it } from "vitest";
import { canonical } from "../support/api.ts";
import { promptSeconds, reportedApp, stepSeconds } from "../support/report-fixture.ts";

const { app, call, close, one, four } = await reportedApp();
afterAll(close);

const read = (query: string) => call("GET", `/reports/cost-latency.json?${query}`);
/** Keeps the byte order mark. */
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const text = async (query: string) => {
	const response = await app.request(`/api/v1/reports/cost-latency.csv?${query}`);
	return {
		status: response.status,
		headers: response.headers,
		csv: utf8.decode(await response.arrayBuffer()),
	};
};
/** Lines of one table of the CSV, its headings first. */
const table = async (name: string, query: string) =>
	(await text(`table=${name}&${query}`)).csv.trimEnd().split("\r\n");
const asked = `configuration=${one}&context=8192&output=100&concurrency=1`;

/** The load that was asked about, of one configuration of a report. */
const askedOf = (subject: { loads: { asked: boolean }[] }) =>
	// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON
	subject.loads.find((load) => load.asked) as any;
const cents = (usd: number) => Number(usd.toFixed(2));

// One request at a time: 8,192 tokens 0.02 + 0.8192 + 0.134217728 = 0.973417728 s,
// then 99 steps at 8,242 tokens of 0.008 + 0.0001 + 0.00008242 = 0.00818242 s: 0.81005958 s.
const cycle = promptSeconds(8192) + 99 * stepSeconds(1, 8242);
const promptShare = promptSeconds(8192) / cycle;

describe("three scenarios worked by hand", () => {
	it("takes the times from the laws that the measurements follow", () => {
		expect(cycle).toBeCloseTo(1.783477308, 9);
		expect(promptShare).toBeCloseTo(0.545797652, 8);
	});

	it("one GPU at $2.50, one request at a time", async () => {
		const { status, body } = await read(`${asked}&price=2.5`);
		expect(status).toBe(200);
		const { cost, ttft, e2e, idleShare, basis } = askedOf(body.subjects[0]);
		expect(ttft.value).toBeCloseTo(0.973417728, 6);
		expect(e2e.value).toBeCloseTo(1.783477308, 6);
		// 1 × 2.50 × 730
		expect(cents(cost.usdPerMonth.value)).toBe(1825);
		// 2.50 / 3,600 × 1.783477308 s = 0.001238526; a thousand of them $1.24
		expect(cents(1000 * cost.usdPerRequest.value)).toBe(1.24);
		// 2.50 / 3,600 × 0.973417728 s of prefill / 8,192 tokens × 10⁶ = 0.082518
		expect(cents(cost.usdPerMillionInputTokens.value)).toBe(0.08);
		// 2.50 / 3,600 × 0.81005958 s of decoding / 100 tokens × 10⁶ = 5.625414
		expect(cents(cost.usdPerMillionOutputTokens.value)).toBe(5.63);
		// 36 × 1,825.00
		expect(body.subjects[0].ownership.at(-1)).toMatchObject({ months: 36, usd: { value: 65_700 } });
		expect(idleShare.value).toBeCloseTo(1 - 1 / cycle / basis.mostRequestsPerSecond, 9);
	});

	it("four GPUs at $3.20, busy for 40 % of what is paid", async () => {
		const { body } = await read(
			`configuration=${four}&context=8192&output=100&concurrency=1&price=3.2&busy=0.4`,
		);
		const { cost } = askedOf(body.subjects[0]);
		// 4 × 3.20 × 730; idle hours are paid as well
		expect(cents(cost.usdPerMonth.value)).toBe(9344);
		// 4 × 3.20 / 3,600 × 1.783477308 s / 0.4 = 0.015853132; a thousand $15.85
		expect(cents(1000 * cost.usdPerRequest.value)).toBe(15.85);
		// 12.80 / 3,600 × 0.81005958 / 100 / 0.4 × 10⁶ = 72.005296
		expect(cents(cost.usdPerMillionOutputTokens.value)).toBe(72.01);
		// 336,384 = 36 × 9,344.00
		expect(body.subjects[0].ownership.at(-1).usd.value).toBeCloseTo(336_384, 6);
		// 1 / 1.783477308 × 3,600 × 730 × 0.4 = 589,410 requests in the first month
		expect(Math.round(body.subjects[0].ownership[0].requests.value)).toBe(589_410);
	});

	it("three copies at a price between $2 and $4.50", async () => {
		const price = {
			...{ subject: "h100-sxm-80gb", source: "offer 17", readOn: "2026-11-01" },
			terms: { kind: "agreed", perGpuHour: { low: 2, high: 4.5 } },
		};
		const headers = { "content-type": "application/json" };
		expect((await call("POST", "/prices", JSON.stringify(price), headers)).status).toBe(201);
		const { body } = await read(`configuration=${one}&context=8192&output=100&concurrency=3&gpus=3`);
		const [subject] = body.subjects;
		const { cost } = askedOf(subject);
		// middle √(2 × 4.50) = 3.00: 3 × 3.00 × 730 = 6,570; 3 × 2 × 730 = 4,380; 3 × 4.50 × 730 = 9,855
		expect([cost.usdPerMonth.low, cost.usdPerMonth.value, cost.usdPerMonth.high].map(cents)).toEqual([
			4380, 6570, 9855,
		]);
		// three copies with one request each: 9.00 / 3,600 / (3 / 1.783477308) = 0.001486231; a thousand $1.49
		expect(cents(1000 * cost.usdPerRequest.value)).toBe(1.49);
		expect(cost.usdPerRequest.low).toBeLessThan((cost.usdPerRequest.value * 2) / 3);
		const entry = subject.assumptions.find(({ key }: { key: string }) => key === "price");
		expect(entry).toMatchObject({ low: 2, high: 4.5, date: "2026-11-01", source: "Price: offer 17" });
		expect(body.cautions.join(" ")).toContain("$2.00 to $4.50");
	});
});

describe("money in another currency", () => {
	const euros = "currency=EUR&usdPerUnit=1.25&rateSource=a+bank&rateReadOn=2026-11-27";

	it("stands beside the dollars in JSON, with its rate as an assumption and on top", async () => {
		const { status, body } = await read(`${asked}&price=2.5&${euros}`);
		expect(status).toBe(200);
		expect(body.currency).toEqual({
			...{ code: "EUR", usdPerUnit: 1.25, rateSource: "a bank", rateReadOn: "2026-11-27" },
		});
		const [subject] = body.subjects;
		const { cost, inCurrency } = askedOf(subject);
		expect(cost.usdPerMonth.value).toBe(1825);
		// 1 × 2.50 × 730 / 1.25
		expect(inCurrency.perMonth).toMatchObject({ value: 1460, unit: "EUR/month" });
		expect(inCurrency.perMonth.arithmetic).toMatch(
			/^\$1,825\.00 \/ 1\.25 USD per EUR = EUR\u00a01,460\.00, in dollars: 1 × \$2\.50/,
		);
		// 36 × 1,460.00
		expect(subject.ownership.at(-1).inCurrency).toMatchObject({ value: 52_560, unit: "EUR" });
		expect(body.cautions[0]).toBe("Money is told in EUR: 1 EUR = $1.25, a bank, 2026-11-27.");
		expect(subject.assumptions.find(({ key }: { key: string }) => key === "currency")).toMatchObject({
			...{ value: 1.25, label: "US dollars for one EUR", source: "a bank", date: "2026-11-27" },
		});
		const { body: dollars } = await read(`${asked}&price=2.5`);
		expect([dollars.currency.code, askedOf(dollars.subjects[0]).inCurrency]).toEqual(["USD", null]);
	});

	it("heads the columns of a CSV and fills them", async () => {
		const [header, first = ""] = await table("ownership", `${asked}&price=2.5&${euros}`);
		expect(header).toBe(
			'Configuration,Months,Total (EUR),"Total, low (EUR)","Total, high (EUR)",Requests served',
		);
		expect(first.split(",").slice(1, 5)).toEqual(["1", "1460", "1460", "1460"]);
		const { csv } = await text(`${asked}&price=2.5&${euros}`);
		expect(csv).toContain("Month (EUR)");
		expect(csv).not.toMatch(/\((USD)\)/);
	});

	it("says by which rate a price of the book became dollars", async () => {
		const price = {
			...{ subject: "b300-sxm", source: "offer 18", readOn: "2026-11-02" },
			terms: { kind: "agreed", perGpuHour: 4 },
			currency: { code: "EUR", usdPerUnit: 1.1, rateSource: "ECB", rateReadOn: "2026-11-01" },
		};
		const headers = { "content-type": "application/json" };
		expect((await call("POST", "/prices", JSON.stringify(price), headers)).status).toBe(201);
		const { body } = await read("model=llama-3.1-8b&gpu=b300-sxm&context=1000&concurrency=1");
		const [{ assumptions }] = body.subjects;
		const of = (wanted: string) => assumptions.find(({ key }: { key: string }) => key === wanted);
		expect(of("price").value).toBeCloseTo(4.4, 12);
		expect(of("price").basis).toContain("1 EUR = $1.1, ECB, 2026-11-01");
		expect(of("priceRate")).toMatchObject({ value: 1.1, source: "ECB", date: "2026-11-01" });
	});

	it.each([
		["no rate", "currency=EUR", "usdPerUnit"],
		["a rate of nothing", "usdPerUnit=1.1", "currency"],
		["another dollar", "currency=USD&usdPerUnit=1.1", "usdPerUnit"],
		["no code", "currency=euro&usdPerUnit=1.1", "currency"],
		["a rate of 0", "currency=EUR&usdPerUnit=0", "usdPerUnit"],
	])("refuses %s and names it", async (_, query, at) => {
		const { status, body } = await read(`${asked}&${query}`);
		expect([status, body.errors[0].at]).toEqual([400, at]);
	});
});

describe("what a report holds", () => {
	it("goes from one request in flight up to the most within the limits, and to what is asked", async () => {
		const { body } = await read(`${asked.replace("concurrency=1", "concurrency=24")}&price=2&ttftSlo=10`);
		const [{ loads, capacity }] = body.subjects;
		const steps = loads.map(({ concurrency }: { concurrency: number }) => concurrency);
		const most = capacity.users.value;
		expect(steps).toEqual(
			[...new Set([1, 2, 4, 8, 16, most, 24])].filter((n) => n <= most || n === 24).sort((a, b) => a - b),
		);
		for (const load of loads) expect(load.within).toBe(load.concurrency <= most);
		expect(loads.filter((load: { asked: boolean }) => load.asked)).toHaveLength(1);
	});

	it("gives percentiles at random arrivals in order, or says why there are none", async () => {
		const { body } = await read(`${asked}&price=2&ttftSlo=30`);
		for (const { ttft, ttftP50, ttftP95, percentilesBy, idleShare } of body.subjects[0].loads) {
			expect(percentilesBy).toMatch(/^simulated: 2,000 requests at random|^not given: above 90 %/);
			if (idleShare.value < 0.1) expect(ttftP95.value).toBeNull();
			if (ttftP95.value === null) continue;
			expect(ttftP50.value).toBeLessThan(ttftP95.value);
			// A first token never comes sooner than the prompt is read.
			expect(ttftP50.value).toBeGreaterThan(promptSeconds(8192) * 0.99);
			expect(ttft.low).toBeLessThan(ttft.value);
		}
	});

	it("takes percentiles from the clients where their measurements answer", async () => {
		const run = canonical(
			{ engineVersion: "served" },
			[1, 2, 4, 8, 16, 32].map((concurrency) => ({
				...{ phase: "serve", input: 1024, output: 256, concurrency },
				// Half of the first tokens come within 0.8 of the mean.
				ttft: { mean: 0.1 + 0.01 * concurrency, p50: 0.08 + 0.008 * concurrency },
				tpot: { mean: 0.01 + 0.0002 * concurrency },
			})),
		);
		const { id } = (await call("POST", "/runs", run)).body.configurations[0];
		const { body } = await read(`configuration=${id}&context=1024&output=256&concurrency=8&price=2`);
		const { ttft, ttftP50, ttftP95, percentilesBy } = askedOf(body.subjects[0]);
		expect(ttftP50.value / ttft.value).toBeCloseTo(0.8, 6);
		expect(ttftP50.value).toBeCloseTo(0.144, 2);
		expect(ttftP95.value).toBeNull();
		expect(percentilesBy).toBe("from the clients' measurements: their distance from the mean");
	});

	it("names fits, runs and the version of the engine", async () => {
		const { body } = await read(`${asked}&price=2`);
		const [subject] = body.subjects;
		expect(subject).toMatchObject({ engine: "vllm", engineVersion: "0.11.0" });
		const { body: runs } = await call("GET", "/runs?limit=100");
		const known = runs.items.map(({ id }: { id: string }) => id);
		expect(subject.fits.map(({ phase }: { phase: string }) => phase).sort()).toEqual(["decode", "prefill"]);
		for (const { runs: behind } of subject.fits) {
			expect(behind).toHaveLength(1);
			expect(known).toContain(behind[0].id);
			expect(behind[0].label).toBe("night");
		}
		expect(new URL(subject.permalink).searchParams.get("configuration")).toBe(one);
		expect(subject.method).toContain("fitted to 7 measured points");
	});

	it("says on top what rests on extrapolation beyond twice the measured, on estimates, on an unknown price", async () => {
		const far = await read(
			`configuration=${one}&context=100000&output=100&concurrency=1&price=2&ttftSlo=600`,
		);
		// Steps at 100,050 tokens where 16,384 were measured; prompts of 100,000 after 32,768
		expect(far.body.cautions.join(" ")).toContain("6.1 times beyond what was measured");
		const near = await read(`configuration=${one}&context=30000&output=100&concurrency=1&price=2`);
		expect(near.body.cautions.join(" ")).not.toContain("extrapolation");
		expect(near.body.cautions.join(" ")).toMatch(/Of 30,000 prompt tokens [\d,]+ lie beyond: paid for/);
		const estimated = await read("model=llama-3.1-8b&gpu=a100-sxm-80gb&context=1000&concurrency=1&price=2");
		expect(estimated.body.cautions[0]).toMatch(
			/^Rests on estimates: nobody measured the time to the first token and the time per output token/,
		);
		const unknown = await read(
			`${asked}&gpu=nothing`
				.replace(`configuration=${one}`, "model=llama-3.1-8b")
				.replace("&gpu=nothing", ""),
		);
		const { cost } = askedOf(unknown.body.subjects[0]);
		expect(cost.usdPerMonth).toMatchObject({ value: null });
		expect(unknown.body.cautions.join(" ")).toContain("No price of this GPU is known");
		for (const query of [`configuration=${one}&context=100000&output=100&concurrency=1&price=2`])
			expect((await text(query)).csv.split("\r\n", 3).join(" ")).toContain("What this rests on");
	});

	it("holds up to four configurations against each other under the same load", async () => {
		const { body } = await read(`configuration=${one}&${asked.replace(one, four)}&price=2`);
		expect(body.subjects.map(({ name }: { name: string }) => name)).toEqual(["A", "B"]);
		const [a, b] = body.subjects.map(askedOf);
		// The same times on four times the GPUs: four times the money, and never on the frontier.
		expect(b.cost.usdPerRequest.value / a.cost.usdPerRequest.value).toBeCloseTo(4, 6);
		expect(a.frontier).toEqual({ ttft: true, tpot: true });
		const more = Array.from({ length: 5 }, (_, i) => `configuration=x${i}`).join("&");
		expect((await read(more)).status).toBe(400);
	});

	it("answers without a question what the planner opens with", async () => {
		const { status, body } = await read("");
		expect(status).toBe(200);
		expect(body.subjects).toHaveLength(1);
		expect(body.subjects[0].loads.length).toBeGreaterThan(0);
	});

	it.each([
		["a misspelt key", "contxt=5", "contxt"],
		["no number", "price=cheap", "price"],
		["two loads", "rate=1&concurrency=2", "rate"],
		["a key of the CSV", "locale=de", "locale"],
		["the same configuration twice", "configuration=a&configuration=a", "configuration"],
	])("refuses %s and names it", async (_, query, at) => {
		const { status, body } = await read(query);
		expect(status).toBe(400);
		expect(body.errors.map((error: { at: string }) => error.at)).toContain(at);
	});

	it("sets a paper of names without a blank, however long", async () => {
		const name = "x".repeat(5000);
		const { body } = await call(
			"POST",
			"/runs",
			JSON.stringify({
				...{ plimsoll: 1, gpu: name, gpus: 1, model: name, engine: "vllm" },
				measurements: [{ phase: "prefill", tokens: 1000, seconds: [0.1] }],
			}),
		);
		const paper = await call("GET", `/reports/cost-latency.pdf?configuration=${body.configurations[0].id}`);
		expect([paper.status, paper.body.subarray(0, 5).toString()]).toEqual([200, "%PDF-"]);
	});

	it("knows no configuration that is not there", async () => {
		expect((await read("configuration=nope")).status).toBe(404);
	});
});

describe("the CSV", () => {
	it("has as many fields in every line, and the files a name", async () => {
		const { csv, headers } = await text(`${asked}&price=2&separator=tab`);
		const fields = new Set(
			csv
				.split("\r\n")
				.slice(0, -1)
				.map((line) => line.split("\t").length),
		);
		expect(fields.size).toBe(1);
		expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
		expect(headers.get("content-disposition")).toMatch(
			/^attachment; filename="cost-latency-h100-[\w-]+\.csv"$/,
		);
		const { headers: json } = await read(`${asked}&price=2`);
		expect(json.get("content-disposition")).toMatch(/^inline; filename="cost-latency-[\w-]+\.json"$/);
	});

	it("is one plain table where one is asked for, the unit in the heading and bare numbers below", async () => {
		const [header = "", first = ""] = await table("ownership", `${asked}&price=2.5`);
		expect(header).toBe(
			'Configuration,Months,Total (USD),"Total, low (USD)","Total, high (USD)",Requests served',
		);
		expect(first.split(",").slice(1, 5)).toEqual(["1", "1825", "1825", "1825"]);
	});

	it("has semicolons, decimal commas and the mark of UTF-8 for Germany", async () => {
		const { csv } = await text(`${asked}&price=2.5&locale=de&table=loads`);
		expect(csv.startsWith("\uFEFFConfiguration;")).toBe(true);
		expect(csv).toContain(";0,973417728;");
		const plain = (await text(`${asked}&price=2.5&table=loads`)).csv;
		expect(plain.startsWith("Configuration,")).toBe(true);
		expect(plain).toContain(",0.973417728,");
		expect((await text(`${asked}&bom=1`)).csv.charCodeAt(0)).toBe(0xfeff);
		expect((await text(`${asked}&decimal=,&table=loads`)).csv.startsWith("Configuration;")).toBe(true);
		expect((await text(`${asked}&decimal=,&separator=,`)).status).toBe(400);
	});

	it("leaves empty what is not known", async () => {
		const [header = "", first = ""] = await table("loads", "model=llama-3.1-8b&concurrency=1&separator=;");
		const month = header.split(";").indexOf("Month (USD)");
		expect(first.split(";")[month]).toBe("");
		expect(first).not.toMatch(/;(0|NaN|null|undefined);/);
	});
});

describe("kept scenarios held against each other", () => {
	const json = { "content-type": "application/json" };
	const keep = async (name: string, query: string) => {
		const { status, body } = await call("POST", "/scenarios", JSON.stringify({ name, query }), json);
		expect(status).toBe(201);
		return body;
	};

	it("are each answered as they were kept, of one configuration with other GPUs too", async () => {
		const small = await keep("One card", `${asked}&price=2.5`);
		const large = await keep("Two cards", `${asked}&price=2.5&gpus=2`);
		const { status, body } = await read(`scenario=${small.id}&scenario=${large.id}`);
		expect(status).toBe(200);
		expect(body.title).toBe("Cost and latency of 2 scenarios");
		expect(body.subjects.map(({ label }: { label: string }) => label.split(" (")[0])).toEqual([
			"One card",
			"Two cards",
		]);
		const months = body.subjects.map((subject: Parameters<typeof askedOf>[0]) =>
			cents(askedOf(subject).cost.usdPerMonth.value),
		);
		expect(months).toEqual([1825, 3650]);
		for (const [i, { answer }] of [small, large].entries())
			expect(askedOf(body.subjects[i]).cost.usdPerRequest.value).toBe(answer.cost.usdPerRequest.value);
		const rows = await table("summary", `scenario=${small.id}&scenario=${large.id}`);
		expect(new Set(rows.slice(1).map((row) => row.split(",")[0]))).toEqual(new Set(["A", "B"]));
	});

	it("take no other key beside them, and are named where they are not known", async () => {
		const { id } = await keep("Alone", asked);
		const { status, body } = await read(`scenario=${id}&context=100`);
		expect([status, body.errors[0].at]).toEqual([400, "context"]);
		expect((await read("scenario=00000000-0000-4000-8000-000000000000")).status).toBe(404);
		expect((await read("scenario=nobody")).status).toBe(404);
		expect((await read(`scenario=${id}&scenario=${id}`)).status).toBe(400);
	});
});

describe("plans that nobody kept, held against each other", () => {
	const plans = (...queries: string[]) =>
		new URLSearchParams(queries.map((query) => ["plan", query])).toString();

	it("are each a question of its own, with its own link", async () => {
		const [small, large] = [`${asked}&price=2.5`, `${asked}&price=2.5&gpus=2`];
		const { status, body } = await read(plans(small, large));
		expect([status, body.title]).toEqual([200, "Cost and latency of 2 plans"]);
		const months = body.subjects.map((subject: Parameters<typeof askedOf>[0]) =>
			cents(askedOf(subject).cost.usdPerMonth.value),
		);
		// 1 and 2 × 2.50 × 730
		expect(months).toEqual([1825, 3650]);
		expect(new URL(body.subjects[1].permalink).searchParams.get("gpus")).toBe("2");
	});

	it("are refused with the place of what cannot be read, beside other keys, and beyond four", async () => {
		const wrong = await read(plans(asked, `${asked}&sprace=1`));
		expect([wrong.status, wrong.body.errors[0].at]).toEqual([400, "plan.1.sprace"]);
		expect((await read(`${plans(asked)}&context=100`)).body.errors[0].at).toBe("context");
		const five = Array.from({ length: 5 }, (_, i) => `${asked}&gpus=${i + 1}`);
		expect((await read(plans(...five))).status).toBe(400);
	});
});
