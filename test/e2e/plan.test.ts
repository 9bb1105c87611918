import { readFile } from "node:fs/promises";
import { blankFor, type Plan, type PlanFacts, plan as planOf, type Quantity } from "@plimsoll/api/model";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
	figureOf,
	hasChromium,
	keepScreenshot,
	launch,
	openPage,
	pickConfiguration,
	settled,
	type WatchedPage,
} from "../support/browser.ts";
import { type Dashboard, startDashboard } from "../support/dashboard.ts";

const query = (page: Page) => new URL(page.url()).searchParams;
const heading = async (page: Page) =>
	((await page.getByRole("heading", { level: 1 }).textContent()) ?? "").replace(/\s+/g, " ").trim();
const field = (page: Page, label: string) => page.getByRole("textbox", { name: label, exact: true });

/** "62 users; 200 ms per token is the limit", "184 users at 189 ms per token; memory is the limit". */
const ANSWER =
	/[\d,]+ users?(; .* per token is the limit| at .* per token; (?!.*per token).* is the limit)(; one more .*)?$/;

async function type(page: Page, label: string, text: string): Promise<void> {
	await field(page, label).fill(text);
	await field(page, label).press("Enter");
}

/** The text of what a link downloads. */
const downloaded = async (page: Page, link: Locator): Promise<string> => {
	const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
	return readFile(await download.path(), "utf8");
};

/** The address has a key's value as soon as the page has written it. */
const addressSays = (page: Page, key: string, value: string | null) =>
	expect.poll(() => query(page).get(key)).toBe(value);

/** Takes the thumb of a slider to the middle and on to the right, as a hand does. */
async function drag(page: Page, slider: Locator): Promise<void> {
	const box = await slider.boundingBox();
	if (!box) throw new Error("The slider is not on the page");
	const y = box.y + box.height / 2;
	await page.mouse.move(box.x + box.width * 0.5, y);
	await page.mouse.down();
	for (const share of [0.55, 0.6, 0.65, 0.7]) await page.mouse.move(box.x + box.width * share, y);
	await page.mouse.up();
}

describe.skipIf(!hasChromium)("the plan page", () => {
	let dashboard: Dashboard;
	let browser: Browser;
	let watched: WatchedPage;
	let page: Page;

	beforeAll(async () => {
		[dashboard, browser] = await Promise.all([startDashboard(), launch()]);
	});
	afterAll(async () => {
		await Promise.all([browser?.close(), dashboard?.stop()]);
	});
	beforeEach(async () => {
		watched = await openPage(browser, dashboard.url);
		page = watched.page;
	});
	afterEach(async () => {
		const complaints = watched.complaints();
		await watched.close();
		expect(complaints).toEqual([]);
	});

	const plan = async (search: string): Promise<Plan> => {
		const response = await fetch(`${dashboard.url}/api/v1/plan${search}`);
		expect(response.status).toBe(200);
		return (await response.json()) as Plan;
	};
	const precision = (page: Page, of: "Weight precision" | "KV cache precision", name: RegExp) =>
		page.getByRole("group", { name: new RegExp(`^${of}`) }).getByRole("radio", { name });
	const open = async (path = "/") => {
		await page.goto(path);
		await settled(page);
	};

	it("has the answer in its HTML, before any script", async () => {
		const html = await (await fetch(dashboard.url)).text();
		expect(html).toMatch(/<h1[^>]*>.*H100.*users?.*is the limit/s);
		expect(html).toContain("Memory of");
		const silent = await openPage(browser, dashboard.url, { javaScriptEnabled: false });
		await silent.page.goto("/");
		expect(await heading(silent.page)).toMatch(ANSWER);
		expect(
			await silent.page
				.getByText("Does not fit")
				.or(silent.page.getByText("Fits", { exact: true }))
				.first()
				.isVisible(),
		).toBe(true);
		await silent.close();
	});

	it.each([
		["/", /^.* users?; an assumed 200 ms per token is the limit; one more (makes it .* ms|is just over it)/],
		[
			"/?context=8000&ttftSlo=1000&tpotSlo=1000",
			/^.* users? at .* per token; memory is the limit; one more waits [\d.,]+ (ms|s)/,
		],
	])("says at %s how many users and what the limit is", async (path, answer) => {
		await open(path);
		const said = await heading(page);
		expect(said).toMatch(answer);
		expect(said).toMatch(ANSWER);
		const users = Number(/ ([\d,]+) users?/.exec(said)?.[1]?.replaceAll(",", ""));
		expect(await figureOf(page, "Most users")).toBe(users);
		await page.getByText("Most users within every limit, on average").waitFor();
	});

	it("does again what was pressed and typed before its code was there", async () => {
		let release: () => void = () => undefined;
		const held = new Promise<void>((done) => {
			release = done;
		});
		await page.route("**/*.js", async (route) => {
			await held;
			await route.continue();
		});
		await page.goto("/", { waitUntil: "commit" });
		await page.getByRole("button", { name: "Context: 16K" }).click();
		await page.getByLabel("Requests in flight", { exact: true }).first().fill("3");
		await page.getByRole("radio", { name: "GPUs" }).check({ force: true });
		expect(await page.evaluate(() => "ready" in document.documentElement.dataset)).toBe(false);
		release();
		await settled(page);
		await expect
			.poll(() => Object.fromEntries(new URL(page.url()).searchParams))
			.toMatchObject({ context: "16000", concurrency: "3", solve: "gpus" });
		expect(await page.getByRole("radio", { name: "GPUs" }).isChecked()).toBe(true);
	});

	it("stays whole where two laws change their evidence within sight", async () => {
		const { items } = await (
			await fetch(`${dashboard.url}/api/v1/configurations?q=${encodeURIComponent("Llama-3.1-70B")}`)
		).json();
		await open(`/?configuration=${items[0].id}&output=2000`);
		await page.getByRole("heading", { name: "Time per token under load" }).waitFor();
		expect(await page.getByRole("heading", { level: 2, name: /^(Time|Memory|Money)$/ }).count()).toBe(3);
	});

	it("leads to the simulation of the same load", async () => {
		await open("/?context=2000&output=300&ttftSlo=3");
		const most = await figureOf(page, "Most users");
		const configuration = (await plan("?context=2000")).scenario.configuration;
		await page.getByRole("link", { name: /^Which share of requests holds them/ }).click();
		await expect.poll(() => new URL(page.url()).pathname).toBe("/load");
		expect(Object.fromEntries(query(page))).toEqual({
			...{ configuration, arrivals: "users", users: String(most) },
			...{ prompt: "2000", output: "300", ttftSlo: "3" },
		});
		await page.getByRole("heading", { level: 1, name: /user/ }).waitFor();
	});

	it.each([
		["/?context=1000&concurrency=1&ttftSlo=1000&tpotSlo=1000", "Fits"],
		["/?context=4000&concurrency=4000", "Does not fit"],
	])("the verdict on %s is %s", async (path, word) => {
		await open(path);
		expect((await plan(path.slice(1))).verdict.feasible).toBe(word === "Fits");
		await page.getByRole("status").getByText(word, { exact: true }).waitFor();
	});

	it("agrees with /plan for the same query, figure by figure", async () => {
		await open("/?context=2000&output=300&concurrency=4&price=2.5&ttftSlo=3");
		await type(page, "Output", "200");
		await addressSays(page, "output", "200");
		const said = await plan(new URL(page.url()).search);
		const figures: [string, Quantity][] = [
			["First token", said.ttft],
			["Per token after it", said.tpot],
			["Whole answer", said.e2e],
			["Users that fit at this length", said.memory.maxSequences],
			["KV cache per user", said.memory.kvBytesPerSequence],
			["One request", said.cost.usdPerRequest],
			["1M output tokens", said.cost.usdPerMillionOutputTokens],
			["A month of it", said.cost.usdPerMonth],
			["Output tokens", said.load.outputTokensPerSecond],
		];
		for (const [label, { value }] of figures) {
			expect(value, label).not.toBeNull();
			expect(await figureOf(page, label), label).toBeCloseTo(value ?? 0, 9);
		}
	});

	it.each([
		["Context", "64k", "context", "64000"],
		["Context", "65536", "context", "65536"],
		["Output", "1,024", "output", "1024"],
		["Requests in flight", "3", "concurrency", "3"],
		["Prompt already cached", "50%", "cached", "0.5"],
		["Price per GPU-hour", "3.25", "price", "3.25"],
		["Price per GPU-hour", "2,5", "price", "2.5"],
		["First token within", "1,5 s", "ttftSlo", "1.5"],
		["Paid hours that are busy", "40%", "busy", "0.4"],
		["First token within", "1.5", "ttftSlo", "1.5"],
		["Per token within", "50", "tpotSlo", "0.05"],
	])(
		"%s: what is typed as %s is %s=%s of the address, and comes back from it",
		async (label, text, key, value) => {
			await open();
			await type(page, label, text);
			await addressSays(page, key, value);
			const [before, written] = [await heading(page), await field(page, label).inputValue()];
			await page.reload();
			await settled(page);
			expect(await heading(page)).toBe(before);
			expect(await field(page, label).inputValue()).toBe(written);
		},
	);

	it("says what a field does not understand, and keeps the old answer", async () => {
		await open();
		const before = await heading(page);
		await type(page, "Context", "many");
		await expect.poll(() => page.getByRole("alert").textContent()).toContain("“many” is not understood");
		expect(await heading(page)).toBe(before);
		expect(page.url()).toBe(`${dashboard.url}/`);
	});

	it("asks which is meant where a comma could group thousands", async () => {
		await open();
		await type(page, "Price per GPU-hour", "1,500");
		await expect.poll(() => page.getByRole("alert").textContent()).toContain("write 1500 or 1.5");
		expect(page.url()).toBe(`${dashboard.url}/`);
	});

	it("moves every figure with the slider, from the keyboard too, as one step of history", async () => {
		await open();
		const slider = page.getByRole("slider", { name: "Context" });
		const before = await figureOf(page, "First token");
		await slider.focus();
		for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowRight");
		await expect.poll(() => query(page).get("context")).not.toBeNull();
		expect(await figureOf(page, "First token")).toBeGreaterThan(before);
		await drag(page, slider);
		const dragged = await field(page, "Context").inputValue();
		await addressSays(page, "context", dragged.replaceAll(",", ""));
		await page.goBack();
		await expect.poll(() => field(page, "Context").inputValue()).not.toBe(dragged);
		await page.goForward();
		await expect.poll(() => field(page, "Context").inputValue()).toBe(dragged);
	});

	it("presets, attention, cache precision and demand are choices of one press", async () => {
		await open();
		await page.getByRole("button", { name: "Context: 32K" }).click();
		await addressSays(page, "context", "32000");
		const kv = await figureOf(page, "KV cache per user");
		await page.getByRole("radio", { name: /^MHA/ }).check({ force: true });
		await expect.poll(() => query(page).get("kvHeads")).not.toBeNull();
		expect(await figureOf(page, "KV cache per user")).toBeGreaterThan(kv);
		await page.getByRole("radio", { name: /^As is/ }).check({ force: true });
		await addressSays(page, "kvHeads", null);
		await precision(page, "KV cache precision", /^fp8/).check({ force: true });
		await addressSays(page, "kv", "fp8");
		expect(await figureOf(page, "KV cache per user")).toBeCloseTo(kv / 2, -3);
		await page.getByRole("radio", { name: "Requests per second" }).check({ force: true });
		await addressSays(page, "rate", "1");
		await type(page, "Requests per second", "0.25");
		await addressSays(page, "rate", "0.25");
		expect(query(page).get("concurrency")).toBeNull();
		await type(page, "Sequences at most, per engine", "16");
		await addressSays(page, "maxSequences", "16");
		await type(page, "Sequences at most, per engine", "");
		await addressSays(page, "maxSequences", null);
	});

	it("another weight precision gains the users it promises, and says that times are carried over", async () => {
		await open();
		const now = await figureOf(page, "Most users");
		const fp8 = precision(page, "Weight precision", /^fp8/);
		const promised = /([+−])([\d,]+) users?/.exec((await fp8.locator("..").textContent()) ?? "");
		await fp8.check({ force: true });
		await addressSays(page, "weights", "fp8");
		const gained = Number(promised?.[2]?.replaceAll(",", "")) * (promised?.[1] === "−" ? -1 : 1);
		expect(await figureOf(page, "Most users")).toBe(now + gained);
		await page.getByText("carried over by the ratio of the rooflines").waitFor();
		await page.reload();
		await settled(page);
		expect(await fp8.isChecked()).toBe(true);
		await precision(page, "Weight precision", /^bf16/).check({ force: true });
		await addressSays(page, "weights", null);
		expect(await figureOf(page, "Most users")).toBe(now);
	});

	it.each([
		["Context", "context", "Longest prompt", "context"],
		["GPUs", "gpus", "Fewest GPUs", "gpus"],
	])(
		"solved for %s, the address keeps it and one press takes the answer",
		async (choice, solve, label, key) => {
			await open("/?concurrency=100");
			await page.getByRole("radio", { name: choice, exact: true }).check({ force: true });
			await addressSays(page, "solve", solve);
			const answer = await figureOf(page, label);
			const said = await heading(page);
			expect(said).toContain(answer.toLocaleString("en-US"));
			await page.reload();
			await settled(page);
			expect(await heading(page)).toBe(said);
			await page.getByRole("button", { name: new RegExp(`^Plan with it: ${label}`) }).click();
			await addressSays(page, key, String(answer));
			expect(await page.locator("p.verdict").first().textContent()).toMatch(/Fits|Probably fits/);
			await page.goBack();
			await page.goBack();
			await addressSays(page, "solve", null);
		},
	);

	it("solved for the price: what is taken costs what was stated", async () => {
		await open("/?concurrency=4&context=2000");
		await page.getByRole("radio", { name: "Price", exact: true }).check({ force: true });
		await addressSays(page, "solve", "price");
		await type(page, "may cost", "0.02");
		await addressSays(page, "goal", "0.02");
		await page.getByRole("button", { name: /^Plan with it: Highest price/ }).click();
		await expect.poll(() => query(page).get("price")).not.toBeNull();
		const cost = await figureOf(page, "One request");
		expect(cost).toBeLessThanOrEqual(0.02);
		expect(cost).toBeGreaterThan(0.0199);
		await page.getByRole("combobox", { name: "What it may cost for" }).selectOption("month");
		await addressSays(page, "per", "month");
		await type(page, "may cost", "nothing");
		await page.getByRole("alert").filter({ hasText: "is not understood" }).waitFor();
	});

	it("says beside the longest length that it is beyond what the model was made for", async () => {
		const html = async (model: string) =>
			(await fetch(`${dashboard.url}/?model=${model}&gpu=h100-sxm-80gb&context=1000&concurrency=8`)).text();
		expect(await html("bitnet-b1.58-2b-4t")).toContain("beyond the model's 4,096");
		expect(await html("llama-3.1-8b")).not.toContain("beyond the model's");
	});

	it("greys the answer to the goal before while another is refused", async () => {
		await open("/?concurrency=4&context=2000&solve=price&goal=0.02");
		const behind = page.locator("h1.stale, .found.stale");
		expect(await behind.count()).toBe(0);
		for (const [text, why] of [
			["0", "“0” is out of range"],
			["-5", "“-5” is not understood"],
			["1e12", "“1e12” is out of range"],
		] as const) {
			await type(page, "may cost", text);
			const alert = page.getByRole("alert").filter({ hasText: why });
			await alert.waitFor();
			expect(await alert.textContent()).toContain("from 1e-9 to 1,000,000,000");
			expect(await behind.count(), text).toBe(2);
			expect(await page.getByRole("button", { name: /^Plan with it: Highest price/ }).count()).toBe(0);
		}
		await type(page, "may cost", "0.03");
		await addressSays(page, "goal", "0.03");
		await expect.poll(() => behind.count()).toBe(0);
		await page.getByRole("button", { name: /^Plan with it: Highest price/ }).waitFor();
	});

	it("says of plans side by side which parts of each could not be used, and leaves out what is none", async () => {
		const plans = [
			"model=llama-3.1-8b&gpu=h100-sxm-80gb&context=-1",
			"x",
			"\0",
			"model=llama-3.1-8b&gpu=l40s&concurrency=4&rate=2",
			"context=8000",
		];
		await open(`/compare/plans?${new URLSearchParams(plans.map((plan) => ["plan", plan]))}`);
		const notice = (text: string) => page.getByRole("status").filter({ hasText: text });
		const unused = await notice("could not be used").textContent();
		expect(unused).toMatch(/Plan A: dropped context=-1:.*Plan B: dropped rate=2:/s);
		expect(await notice("is left out").allTextContents()).toEqual([
			expect.stringContaining("dropped x="),
			expect.stringContaining("dropped %00="),
		]);
		await notice("1 more was left out.").waitFor();
		await page.getByRole("button", { name: "Drop from the link" }).last().click();
		await expect.poll(() => notice("is left out").count()).toBe(0);
		// The fifth has a place now.
		await expect.poll(() => notice("more was left out.").count()).toBe(0);
		await page.getByRole("button", { name: "Drop from the link" }).click();
		await expect.poll(() => notice("could not be used").count()).toBe(0);
		expect(page.url()).not.toMatch(/context%3D-1|rate%3D2/);
		const table = page.getByRole("table", { name: "Plans side by side" });
		expect(await table.getByRole("row").first().getByRole("columnheader").count()).toBe(4);
		await keepScreenshot(page, "plans-dropped-light-1440");
	});

	it("reads the three charts in one strip: as asked, where the keys are, where it is pinned", async () => {
		await open("/?context=2000&concurrency=4");
		const strip = page.getByRole("region", { name: "Reading of the three charts" });
		const asked = await figureOf(strip, "At 2,000 prompt tokens: First token");
		expect(asked).toBe(await figureOf(page.locator(".time .lead"), "First token"));
		expect(await strip.textContent()).toContain("2,000 prompt tokens");
		await page.locator(".memory .plot").focus();
		await page.keyboard.press("End");
		await expect.poll(() => strip.textContent()).toMatch(/128,000 prompt tokens.*pointed at/s);
		// The values stand in the strip, and beside the keys in their own chart alone.
		expect(await page.locator(".currencies .chart-reading").count()).toBe(1);
		await page.keyboard.press("Enter");
		await expect.poll(() => strip.textContent()).toContain("pinned");
		expect(await figureOf(strip, "At 128,000 prompt tokens: First token")).not.toBe(asked);
		await page.locator(".memory .plot").press("Escape");
		await expect.poll(() => strip.textContent()).toMatch(/^2,000 prompt tokens as asked/);
	});

	it("holds two GPUs side by side in two actions, and adds to them from Plan", async () => {
		await open("/?context=2000&concurrency=4");
		const own = await figureOf(page, "1M output tokens");
		await page.getByRole("link", { name: "Compare", exact: true }).last().click();
		await page.getByRole("heading", { level: 1, name: "Plans side by side" }).waitFor();
		await page.getByRole("combobox", { name: "The same on another GPU" }).selectOption({ label: "H200 SXM" });
		const table = page.getByRole("table", { name: "Plans side by side" });
		const row = table.getByRole("row", { name: /^A million output tokens/ });
		await expect.poll(() => row.getByRole("cell").count()).toBe(3);
		expect(await figureOf(row, "A million output tokens, A")).toBe(own);
		expect(await figureOf(row, "A million output tokens, B")).toBeGreaterThan(0);
		expect(await row.getByRole("cell").last().textContent()).toMatch(/[+−][\d.]+%|same/);
		// The same axes on every chart of a row.
		const ticks = await page
			.locator(".multiples")
			.first()
			.locator(".one")
			.evaluateAll((charts) =>
				charts.map((chart) => [...chart.querySelectorAll("svg text")].map((t) => t.textContent)),
			);
		const axis = (texts: (string | null)[] = []) =>
			texts.filter((text) => /^[\d.,]+\s(ms|s)$/.test(text ?? ""));
		expect(axis(ticks[0]).length).toBeGreaterThan(2);
		// Beside its ticks a chart has the words of the chosen place.
		expect(axis(ticks[1]).filter((text) => !axis(ticks[0]).includes(text)).length).toBeLessThanOrEqual(1);
		const file = (await downloaded(page, page.getByRole("link", { name: "Download CSV" }))).split("\r\n");
		expect(file[0]).toMatch(/^figure,unit,plan,value/);
		expect(file.filter((line) => line.startsWith("A million output tokens")).length).toBe(2);
		await page.getByRole("link", { name: "Open in Plan" }).first().click();
		await page.getByRole("button", { name: "Context: 4K" }).click();
		await addressSays(page, "context", "4000");
		await page.getByRole("link", { name: "Compare with 2 more" }).click();
		await expect.poll(() => query(page).getAll("plan").length).toBe(3);
		await page.getByRole("button", { name: /^Leave out C:/ }).click();
		await expect.poll(() => query(page).getAll("plan").length).toBe(2);
	});

	it("time to the first token and per token rise with the context for every configuration", async () => {
		const { items } = await (await fetch(`${dashboard.url}/api/v1/configurations?limit=100`)).json();
		let answered = 0;
		for (const { id, label } of items as { id: string; label: string }[]) {
			const facts = (await (
				await fetch(`${dashboard.url}/api/v1/configurations/${id}/facts`)
			).json()) as PlanFacts;
			for (const concurrency of [1, 8])
				for (const key of ["ttft", "tpot"] as const) {
					const times = [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000].flatMap((context) => {
						const said = planOf({ ...blankFor(facts), configuration: id, context, concurrency }, facts);
						// Beyond what memory holds fewer run together, and each of them is faster.
						const held = (said.memory.maxSequences.value ?? concurrency) >= concurrency;
						return held && said[key].value !== null ? [said[key].value] : [];
					});
					if (times.length > 1) answered++;
					times.forEach((time, at) => {
						const [before, far] = [times[at - 1], times[at - 3]];
						// What was measured may fall a little from one length to the next: it is noise.
						if (before !== undefined) expect(time, `${label} ${key}`).toBeGreaterThan(0.98 * before);
						if (far !== undefined) expect(time, `${label} ${key}`).toBeGreaterThan(far);
					});
				}
		}
		expect(answered).toBeGreaterThan(25);
	});

	it("another KV head count can be written out", async () => {
		await open();
		await page.getByRole("radio", { name: /^Other/ }).check({ force: true });
		await type(page, "KV heads", "16");
		await addressSays(page, "kvHeads", "16");
	});

	it("plans another configuration, and a pair that nobody measured", async () => {
		await open();
		const before = await heading(page);
		const choice = page.getByRole("combobox", { name: "Configuration" });
		await pickConfiguration(choice, "rtx 4090", /RTX 4090/);
		await expect.poll(() => heading(page)).toContain("RTX 4090");
		await pickConfiguration(choice, "", /^\s*Any model on any GPU/);
		await page.getByRole("combobox", { name: "GPU" }).waitFor();
		await page.getByRole("combobox", { name: "GPU" }).selectOption({ label: "H200 SXM" });
		await addressSays(page, "gpu", "h200-sxm");
		await expect.poll(() => query(page).get("model")).not.toBeNull();
		await expect.poll(() => page.locator(".card.time").textContent()).toContain("estimated");
		for (const step of ["RTX 4090, ", "RTX 4090, ", before]) {
			await page.goBack();
			await expect.poll(() => heading(page)).toContain(step);
		}
	});

	it("keeps a model that was chosen while its GPU is chosen too, before either has been answered", async () => {
		await open("?model=llama-2-70b&gpu=h100-sxm-80gb");
		await page
			.getByRole("combobox", { name: "Model" })
			.locator("option")
			.nth(3)
			.waitFor({ state: "attached" });
		const facts = /\/api\/v1\/facts\?/;
		await page.route(facts, async (route) => {
			await new Promise((done) => setTimeout(done, 700));
			await route.continue();
		});
		await page.getByRole("combobox", { name: "Model" }).selectOption("llama-3.1-8b");
		await page.getByRole("combobox", { name: "GPU" }).selectOption("h200-sxm");
		await expect.poll(() => heading(page)).toContain("H200 SXM");
		expect([query(page).get("model"), query(page).get("gpu")]).toEqual(["llama-3.1-8b", "h200-sxm"]);
		expect(await page.getByRole("combobox", { name: "Model" }).inputValue()).toBe("llama-3.1-8b");
		await page.unroute(facts);
	});

	it("goes back from changes that are still on their way, and stays with what the address says", async () => {
		await open("?model=llama-3.1-70b&gpu=h200-sxm&gpus=4");
		await type(page, "Context", "16000");
		await page
			.getByRole("combobox", { name: "Model" })
			.locator("option")
			.nth(3)
			.waitFor({ state: "attached" });
		const facts = /\/api\/v1\/facts\?/;
		await page.route(facts, async (route) => {
			await new Promise((done) => setTimeout(done, 500));
			await route.continue().catch(() => undefined);
		});
		await page.getByRole("combobox", { name: "Model" }).selectOption("llama-3.1-8b");
		await page.getByRole("combobox", { name: "Model" }).selectOption("deepseek-v3");
		await page.goBack();
		await expect.poll(() => page.locator(".stale").count()).toBe(0);
		await page.waitForTimeout(1200);
		expect([query(page).get("model"), query(page).get("gpus")]).toEqual(["llama-3.1-70b", "4"]);
		expect(await heading(page)).toContain("4 × H200 SXM");
		expect(await page.locator(".stale").count()).toBe(0);
		await page.unroute(facts);
	});

	it("undoes, redoes, resets and takes the reset back", async () => {
		await open();
		const start = await heading(page);
		await type(page, "Context", "3000");
		const changed = await heading(page);
		expect(changed).not.toBe(start);
		await page.getByRole("button", { name: "Undo" }).first().click();
		await expect.poll(() => heading(page)).toBe(start);
		await page.getByRole("button", { name: "Redo" }).click();
		await expect.poll(() => heading(page)).toBe(changed);
		await page.getByRole("button", { name: "Reset" }).click();
		await expect.poll(() => heading(page)).toBe(start);
		await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
		await expect.poll(() => heading(page)).toBe(changed);
		await page.keyboard.press("Control+z");
		await expect.poll(() => heading(page)).toBe(start);
	});

	it("tries single changes that lift the limit; one press takes one, and undo takes it back", async () => {
		await open("/?concurrency=4000");
		const start = await heading(page);
		const table = page.getByRole("table", { name: "What one change carries" });
		const users = async (name: RegExp) =>
			Number(
				(
					await table
						.getByRole("row", { name })
						.getByRole("button", { name: /^(With .*|As it is), users/ })
						.locator(".number")
						.textContent()
				)?.replaceAll(",", ""),
			);
		const promised = await users(/fp8 KV cache/);
		expect(promised).toBeGreaterThan(await users(/As it is/));
		await table.getByRole("button", { name: "fp8 KV cache", exact: true }).click();
		await addressSays(page, "kv", "fp8");
		expect(await heading(page)).toContain(`${promised.toLocaleString("en-US")} users`);
		await expect.poll(() => users(/As it is/)).toBe(promised);
		await page.keyboard.press("Control+z");
		await expect.poll(() => heading(page)).toBe(start);
		await page.getByRole("button", { name: /^Take it: Fewest GPUs/ }).click();
		await expect.poll(() => query(page).get("gpus")).not.toBeNull();
		expect(await page.locator("p.verdict").first().textContent()).toMatch(/Fits|Probably/);
	});

	it("a copied link gives this very answer to somebody else", async () => {
		await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
		await open("/?context=3000&concurrency=5");
		await page.getByRole("button", { name: "Copy link" }).click();
		await page.getByText("Link copied").waitFor();
		const link = await page.evaluate<string>("navigator.clipboard.readText()");
		expect(new URL(link).searchParams.get("configuration")).not.toBeNull();
		const friend = await openPage(browser, dashboard.url);
		await friend.page.goto(link);
		expect(await heading(friend.page)).toBe(await heading(page));
		expect(await figureOf(friend.page, "One request")).toBe(await figureOf(page, "One request"));
		expect(friend.complaints()).toEqual([]);
		await friend.close();
	});

	it("names what a link says that cannot be used", async () => {
		await open("/?context=abc&concurrency=4&configuration=gone");
		const notice = page.getByRole("status").filter({ hasText: "could not be used" });
		expect(await notice.textContent()).toContain("context=abc");
		expect(await notice.textContent()).toContain("configuration=gone");
		expect(await field(page, "Requests in flight").inputValue()).toBe("4");
		await notice.getByRole("button", { name: "Dismiss" }).click();
		await notice.waitFor({ state: "detached" });
	});

	it("greys the old answer while a request fails, says why, and tries again", async () => {
		await open();
		const before = await heading(page);
		const choice = page.getByRole("combobox", { name: "Configuration" });
		await page.route("**/facts", (route) => route.abort());
		await pickConfiguration(choice, "rtx 4090", /RTX 4090/);
		const alert = page.getByRole("alert").filter({ hasText: "could not be read" });
		await alert.waitFor();
		expect(await heading(page)).toBe(before);
		expect(await page.locator(".card.time[aria-busy=true]").count()).toBe(1);
		expect(watched.complaints().every((complaint) => complaint.includes("net::ERR_FAILED"))).toBe(true);
		await page.unroute("**/facts");
		await alert.getByRole("button", { name: "Try again" }).click();
		await expect.poll(() => heading(page)).toContain("RTX 4090");
		// What to measure next is asked for a moment after the answer.
		await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
	});

	it.each([
		["/", false],
		["/?context=4000&concurrency=4000", true],
	])("the parts of the memory bar add up to it, at %s", async (path, brokenOff) => {
		await open(path);
		const boxOf = async (locator: Locator) => {
			const box = await locator.boundingBox();
			if (!box) throw new Error("The bar is not on the page");
			return box;
		};
		const sum = (widths: number[]) => widths.reduce((total, width) => total + width, 0);
		const bar = await boxOf(page.locator(".stack"));
		const parts = await Promise.all((await page.locator(".stack [data-part]").all()).map(boxOf));
		expect(parts.length).toBeGreaterThanOrEqual(3);
		const end = bar.x + bar.width;
		const seen = parts.map(({ x, width }) => Math.max(0, Math.min(x + width, end) - x));
		expect(Math.abs(sum(seen) - bar.width)).toBeLessThan(0.5);
		const beyond = sum(parts.map(({ width }) => width)) - bar.width;
		if (!brokenOff) return expect(beyond).toBeLessThan(0.5);
		// The bar is 1.4 cards wide, and says how much of what is asked for it has no room for.
		const card = await figureOf(page, "Memory of the card");
		const said = /^… ([\d.]+)\sTB more$/.exec((await page.locator(".stack .cut").textContent()) ?? "");
		expect(Number(said?.[1])).toBeCloseTo((beyond / bar.width) * 1.4 * (card / 1e12), 1);
	});

	it("opens the arithmetic of a number from the keyboard, with its sources", async () => {
		await open();
		await page.getByRole("button", { name: /^First token: / }).focus();
		await page.keyboard.press("Enter");
		const dialog = page.getByRole("dialog", { name: "First token: how it is known" });
		await dialog.waitFor();
		expect(await dialog.locator(".arithmetic").textContent()).toMatch(/\d/);
		expect(await dialog.getByRole("link").count()).toBeGreaterThan(0);
		await page.keyboard.press("Escape");
		await dialog.waitFor({ state: "hidden" });
	});

	it("keeps what a number opens off the edges of a phone", async () => {
		await page.setViewportSize({ width: 390, height: 844 });
		await open();
		const numbers = page.getByRole("button", { name: /Show how it is known$/ });
		const count = await numbers.count();
		expect(count).toBeGreaterThan(5);
		for (let i = 0; i < count; i++) {
			await numbers.nth(i).click();
			const box = await page.locator(":popover-open").boundingBox();
			expect(box?.x ?? 0).toBeGreaterThanOrEqual(8);
			expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(382);
			await page.keyboard.press("Escape");
		}
	});

	it("offers models that take what its own model was not made for", async () => {
		await open("?context=64000");
		const link = page.getByRole("link", { name: "The same of Llama-3.1-70B" });
		await link.click();
		await page
			.getByRole("heading", { level: 1, name: /64,000-token prompts: .*memory holds \d+ users/ })
			.waitFor();
		const asked = new URL(page.url()).searchParams;
		expect([asked.get("model"), asked.get("gpu"), asked.get("gpus"), asked.get("context")]).toEqual([
			...["llama-3.1-70b", "h100-sxm-80gb", "4", "64000"],
		]);
		expect(await link.count()).toBe(0);
	});

	it("draws four charts, each with its values as a table", async () => {
		await open();
		await expect.poll(() => page.locator(".plot > svg").count()).toBe(4);
		const chart = page.locator("figure.chart").first();
		await chart.getByRole("button", { name: "Show as table" }).click();
		await chart.getByRole("button", { name: /^Show all \d+ rows$/ }).click();
		const rows = page.getByRole("region", { name: /Time to the first token/ }).getByRole("row");
		await expect.poll(() => rows.count()).toBeGreaterThan(20);
	});
});

describe.skipIf(!hasChromium)("the plan page without measurements", () => {
	it("says what to do, and brings the examples back", async () => {
		const dashboard = await startDashboard({ examples: false });
		const browser = await launch();
		try {
			const { page, complaints } = await openPage(browser, dashboard.url);
			await page.goto("/");
			await settled(page);
			expect(await heading(page)).toBe("Nothing is measured yet");
			expect(await page.locator("pre").textContent()).toContain(`${dashboard.url}/api/v1/runs`);
			await page.getByRole("button", { name: "Put the examples in" }).click();
			await expect.poll(() => heading(page), { timeout: 60_000 }).toMatch(ANSWER);
			expect(complaints()).toEqual([]);
		} finally {
			await browser.close();
			await dashboard.stop();
		}
	});
});
