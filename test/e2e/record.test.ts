import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
	axeFindings,
	hasChromium,
	keepScreenshot,
	launch,
	openPage,
	settled,
	type WatchedPage,
} from "../support/browser.ts";
import { type Dashboard, startDashboard } from "../support/dashboard.ts";

const plain = (text: string | null) => (text ?? "").replace(/\s+/g, " ").trim();

const law = (tokens: number) => 0.02 + 1e-4 * tokens + 2e-9 * tokens * tokens;
const prefill = (tokens: number, off = 1) => ({
	phase: "prefill",
	...{ tokens, cached: 0, batch: 1, seconds: [law(tokens) * off] },
});
const decode = (batch: number, context: number) => ({
	phase: "decode",
	...{ batch, context, seconds: [0.02 + 1e-4 * batch + 2e-8 * batch * context] },
});
const run = (measurements: object[]) =>
	JSON.stringify({
		plimsoll: 1,
		...{
			gpu: "NVIDIA H100 80GB HBM3",
			gpus: 1,
			model: "llama-3.1-8b",
			engine: "vllm",
			engineVersion: "0.0.2",
		},
		...{ weights: "bf16", kv: "bf16", tp: 1 },
		measurements,
	});

describe.skipIf(!hasChromium)("the record and what to measure next", () => {
	let dashboard: Dashboard;
	let browser: Browser;
	let watched: WatchedPage;
	let page: Page;
	let own: string;

	const post = async (measurements: object[]) => {
		const response = await fetch(`${dashboard.url}/api/v1/runs`, { method: "POST", body: run(measurements) });
		const { configurations } = (await response.json()) as { configurations: { id: string }[] };
		return configurations[0]?.id ?? "";
	};

	beforeAll(async () => {
		[dashboard, browser] = await Promise.all([startDashboard({ examples: false }), launch()]);
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

	const text = async () => plain(await page.locator("main").textContent());

	it("say how to get a first forecast while there is none", async () => {
		await page.goto("/accuracy");
		await settled(page);
		expect(await text()).toContain("No forecast was put to the test yet");
	});

	it("show the record on public data with its sources, and what others say of themselves", async () => {
		await page.goto("/accuracy");
		await settled(page);
		const table = page.getByRole("table", { name: /^Accuracy on public measurements/ });
		const words = plain(await table.textContent());
		expect(words).toContain("A prompt up to four times as long as any measured");
		expect(words).toContain("AIConfigurator: TPOT off by 7.8 % on average");
		const { regimes } = (await (await fetch(`${dashboard.url}/api/v1/accuracy`)).json()) as {
			regimes: { points: number }[];
		};
		const points = regimes.reduce((sum, one) => sum + one.points, 0);
		expect(await text()).toContain(`of ${points.toLocaleString("en-US")} measured times`);
		expect(await text()).toContain("What the laws leave out");
	});

	it("give a setup that nobody measured its first runs as a script", async () => {
		await page.goto("/?model=llama-3.1-8b&gpu=h100-sxm-80gb&engine=vllm&context=16000&concurrency=8");
		const section = page.getByRole("region", { name: "What would make this answer surer" });
		await section.getByText("Script").click();
		const script = plain(await section.getByRole("region", { name: "Script" }).textContent());
		expect(script).toContain("#!/bin/sh");
		expect(script).toContain("vllm bench serve --model Llama-3.1-8B");
		expect(script).toContain(dashboard.url);
	});

	it("name on the plan the measurement that helps most, what it does, and its command", async () => {
		own = await post([
			...[512, 1024, 2048, 4096].map((tokens, i) => prefill(tokens, 1 + 0.01 * (-1) ** i)),
			...[1024, 4096].flatMap((context) => [decode(1, context), decode(4, context)]),
		]);
		await page.goto(`/?configuration=${own}&context=16000&concurrency=1`);
		const section = page.getByRole("region", { name: "What would make this answer surer" });
		await section.getByText(/^Measure /).waitFor();
		const words = plain(await section.textContent());
		expect(words).toMatch(/Now: first token ±[\d.]+%, per token ±[\d.]+%/);
		expect(words).toMatch(/First token ±[\d.]+% → ±[\d.]+%/);
		expect(words).toMatch(/about \d+ (s|min) once the model is loaded/);
		const command = plain(await section.getByRole("region", { name: "Command" }).first().textContent());
		expect(command).toMatch(/^vllm bench serve --model llama-3.1-8b .* && curl --data-binary @plimsoll.json/);
	});

	it("stand on the configuration's page too", async () => {
		await page.goto(`/configurations/${own}`);
		await page
			.getByRole("region", { name: "What would make this answer surer" })
			.getByText(/^(Measure |No single)/)
			.first()
			.waitFor();
	});

	it("count the forecasts that came true on one's own hardware", async () => {
		await post([prefill(3000), prefill(2500)]);
		await post([prefill(3500, 1.5)]);
		await page.goto("/accuracy");
		await settled(page);
		const words = await text();
		expect(words).toContain("On your own hardware");
		expect(words).toContain("All 3 forecasts");
		expect(words).toMatch(/95% interval held 2 times of 3/);
		const table = page.getByRole("table", { name: "Forecasts by configuration" });
		expect(plain(await table.textContent())).toContain("2 of 3");
		await page.getByText("Every forecast beside its measurement").click();
		const rows = page.getByRole("table", { name: /^Forecasts, newest first/ }).getByRole("row");
		const off = plain(await rows.filter({ hasText: "3,500 tokens" }).textContent());
		expect(off).toContain("missed");
		expect(off).toMatch(/5\d%/);
	});

	it.each([
		["accuracy", "light", 1440],
		["accuracy", "dark", 390],
		["plan", "light", 1440],
		["plan", "dark", 390],
		["start", "light", 390],
	] as const)("read well: %s in %s at %i pixels", async (which, colorScheme, width) => {
		const other = await openPage(browser, dashboard.url, { colorScheme, viewport: { width, height: 900 } });
		const paths = {
			accuracy: "/accuracy",
			plan: `/?configuration=${own}&context=16000&concurrency=1`,
			start: "/?model=llama-3.1-8b&gpu=h100-sxm-80gb&engine=llama.cpp&context=16000&concurrency=8",
		};
		await other.page.goto(paths[which]);
		await settled(other.page);
		if (which === "start") await other.page.getByText("Script").first().click();
		if (which === "plan") await other.page.getByText(/^Measure /).waitFor();
		await keepScreenshot(other.page, `record-${which}-${colorScheme}-${width}`);
		expect(await axeFindings(other.page)).toEqual([]);
		expect(await other.page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(
			width,
		);
		expect(other.complaints()).toEqual([]);
		await other.close();
	});
});
