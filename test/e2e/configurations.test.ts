import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
	axeFindings,
	hasChromium,
	keepScreenshot,
	LOOKS,
	launch,
	openPage,
	settled,
	type WatchedPage,
} from "../support/browser.ts";
import { type Dashboard, startDashboard } from "../support/dashboard.ts";

const plain = (text: string | null) => (text ?? "").replace(/\s+/g, " ").trim();

/** A run whose law is known: 0.01 + 1e-4 · s + 1e-9 · s² seconds, and one prompt that took far too long. */
const law = (s: number) => 0.01 + 1e-4 * s + 1e-9 * s * s;
const OUTLIER = 4096;
const RUN = {
	plimsoll: 1,
	...{ gpu: "NVIDIA H100 80GB HBM3", gpus: 1, model: "llama-3.1-8b", engine: "vllm", engineVersion: "0.0.1" },
	...{ weights: "bf16", kv: "bf16", tp: 1 },
	measurements: [
		...[512, 1024, 2048, OUTLIER, 8192, 16_384].map((tokens) => ({
			phase: "prefill",
			...{ tokens, cached: 0, batch: 1, seconds: [tokens === OUTLIER ? 3 * law(tokens) : law(tokens)] },
		})),
		...[1, 4, 16].flatMap((batch) =>
			[1024, 8192].map((context) => ({
				phase: "decode",
				...{ batch, context, seconds: [0.02 + 1e-4 * batch + 2e-8 * batch * context] },
			})),
		),
		{ phase: "prefill", tokens: 65_536, error: "out of memory" },
	],
};

describe.skipIf(!hasChromium)("the configuration pages", () => {
	let dashboard: Dashboard;
	let browser: Browser;
	let watched: WatchedPage;
	let page: Page;
	let own: string;
	let provoked: RegExp | null;

	beforeAll(async () => {
		[dashboard, browser] = await Promise.all([startDashboard(), launch()]);
		const response = await fetch(`${dashboard.url}/api/v1/runs?fileName=known-law.json`, {
			method: "POST",
			body: JSON.stringify(RUN),
		});
		const { configurations } = (await response.json()) as { configurations: { id: string }[] };
		own = `/configurations/${configurations[0]?.id}`;
	});
	afterAll(async () => {
		await Promise.all([browser?.close(), dashboard?.stop()]);
	});
	beforeEach(async () => {
		provoked = null;
		watched = await openPage(browser, dashboard.url);
		page = watched.page;
	});
	afterEach(async () => {
		const complaints = watched.complaints().filter((complaint) => !provoked?.test(complaint));
		await watched.close();
		expect(complaints).toEqual([]);
	});

	const coefficient = async (symbol: string) => {
		const value = page.getByRole("button", { name: new RegExp(`^Coefficient ${symbol}: `) }).first();
		const parts = [value.locator(".number"), value.locator(".unit")].map((part) => part.textContent());
		return (await Promise.all(parts)).map(plain).join(" ");
	};
	const tickOf = (tokens: string) =>
		page.getByRole("checkbox", { name: new RegExp(`prefill, ${tokens} tokens`) });

	it("list what was measured, whose it is and how well the laws hold", async () => {
		await page.goto("/configurations?q=known");
		await page.getByText("No configuration matches").waitFor();
		await page.getByRole("searchbox", { name: "Search" }).fill("llama-3.1-8b vllm");
		await page.keyboard.press("Enter");
		const item = page.locator("main li", { has: page.locator(`a[href="${own}"]`) });
		await item.waitFor();
		const text = plain(await item.textContent());
		expect(text).toContain("yours");
		expect(text).toContain("512–16,384 tokens");
		expect(text).toContain("batch 1–16, context 1,024–8,192");
		expect(text).toContain("stopped 1×");
	});

	it("draw the law through the measured dots, with its range, its interval and where it stopped", async () => {
		await page.goto(own);
		const chart = page.getByRole("img", { name: /^Prefill time against prompt tokens/ });
		for (const words of ["measured", "stopped", "Prompt tokens", "1K", "16K"]) {
			await page
				.locator("figure", { has: chart })
				.locator("svg text, .name", { hasText: new RegExp(`^${words}$`) })
				.first()
				.waitFor();
		}
		expect(plain(await page.locator("main").textContent())).toContain(
			"prefill stopped at 65,536 tokens: out of memory",
		);
	});

	it("have the chart's values as a table, the measured ones as they were sent", async () => {
		await page.goto(own);
		await settled(page);
		await page.getByRole("button", { name: "Show as table" }).first().click();
		await page
			.getByRole("button", { name: /^Show all \d+ rows$/ })
			.first()
			.click();
		const table = page.getByRole("table", { name: /^Prefill time against prompt tokens/ });
		const row = plain(
			await table
				.getByRole("row")
				.filter({ hasText: /^8,192/ })
				.textContent(),
		);
		// 0.01 + 1e-4 · 8,192 + 1e-9 · 8,192² = 0.896 s
		expect(row).toContain("896 ms");
	});

	it("read a chart's values to the keyboard", async () => {
		await page.goto(own);
		await settled(page);
		await page.getByRole("img", { name: /^How far each measured prefill/ }).focus();
		await page.keyboard.press("Home");
		const reading = page.locator("figure", {
			has: page.getByRole("img", { name: /^How far each measured prefill/ }),
		});
		await expect
			.poll(async () => plain(await reading.locator("[aria-live]").textContent()))
			.toMatch(/^512: .*Whole prompts [+−]?[\d.]+%/);
		await page.keyboard.press("ArrowRight");
		await expect
			.poll(async () => plain(await reading.locator("[aria-live]").textContent()))
			.toMatch(/^1,024: /);
	});

	it("read a chart's values to the pointer, each with its unit and the law's interval", async () => {
		await page.goto(own);
		await settled(page);
		const chart = page.getByRole("img", { name: /^Prefill time against prompt tokens/ });
		const box = await chart.boundingBox();
		if (!box) throw new Error("The chart is not on the page");
		await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
		const reading = page.locator("figure", { has: chart }).locator(".chart-reading");
		await reading.waitFor();
		const text = plain(await reading.textContent());
		expect(text).toMatch(/^[\d,]+ tokens/);
		expect(text).toMatch(/95% interval[\d.]+ m?s – [\d.]+ m?s/);
		expect(text).toMatch(/Fitted law[\d.]+ m?s/);
	});

	it("leave a measurement out of the fit when told to, and take it back", async () => {
		await page.goto(own);
		await settled(page);
		const before = await coefficient("a");
		await tickOf("4,096").uncheck();
		const toast = page.getByRole("group", { name: /^Left out of the fit: prefill, 4,096 tokens/ });
		await toast.waitFor();
		expect(plain(await toast.textContent())).toMatch(/First token [\d.]+ m?s → [\d.]+ m?s; per token/);
		await expect.poll(() => coefficient("a")).not.toBe(before);
		// Without the outlier the other five points are the law itself: 100 µs a token.
		expect(await coefficient("a")).toBe("100 µs/token");
		await keepScreenshot(page, "configuration-without-outlier-light-1440");
		await toast.getByRole("button", { name: "Undo" }).click();
		await expect.poll(() => coefficient("a")).toBe(before);
		expect(await tickOf("4,096").isChecked()).toBe(true);
	});

	it("keep a history of what was decided, by whom and why", async () => {
		await page.goto(own);
		await settled(page);
		await page
			.getByRole("textbox", { name: "Why, kept with your next change" })
			.fill("the card was throttling");
		await tickOf("4,096").uncheck();
		const history = page.getByRole("table", { name: "Decisions, newest first" });
		const newest = history.getByRole("row").nth(1);
		await expect
			.poll(async () => plain(await newest.textContent()))
			.toMatch(/UTCprefill, 4,096 tokens, [\d.]+ m?s.*in → outthis machinethe card was throttling$/);
		// The word goes with one change.
		expect(await page.getByRole("textbox", { name: "Why, kept with your next change" }).inputValue()).toBe(
			"",
		);
		await tickOf("4,096").check();
		await expect.poll(async () => plain(await newest.textContent())).toMatch(/out → inthis machinenot said$/);
		expect(await history.getByRole("row").count()).toBeGreaterThanOrEqual(3);
	});

	it("show what a start-up log printed of their memory, and where it is from", async () => {
		const log = [
			"INFO 06-01 10:00:00 [api_server.py:1805] vLLM API server version 0.0.1",
			"INFO 06-01 10:00:00 [utils.py:326] non-default args: {'model': 'llama-3.1-8b', 'dtype': 'bfloat16', 'gpu_memory_utilization': 0.85}",
			"INFO 06-01 10:00:09 [r.py:1] Model loading took 15.0000 GiB and 3.1 seconds",
			"INFO 06-01 10:00:20 [w.py:1] Available KV cache memory: 48.00 GiB",
			"INFO 06-01 10:00:20 [k.py:1] GPU KV cache size: 393,216 tokens",
			"INFO 06-01 10:00:20 [k.py:1] Maximum concurrency for 8,192 tokens per request: 24.00x",
		].join("\n");
		await fetch(`${dashboard.url}/api/v1/runs?gpu=NVIDIA%20H100%2080GB%20HBM3&fileName=start-up.log`, {
			method: "POST",
			body: log,
		});
		await page.goto(own);
		const conditions = page.locator("section", {
			has: page.getByRole("heading", { name: "Conditions", exact: true }),
		});
		await settled(page);
		const said = plain(await conditions.textContent());
		// 48 GiB are 51.5 GB.
		for (const words of [
			"KV cache pool 51.5 GB",
			"Tokens it holds 393,216 tokens",
			"Share of the card 85.0%",
		])
			expect(said).toContain(words);
		// 393,216 tokens hold 48 requests of 8,192 tokens, the log says 24.
		expect(said).toMatch(
			/393216 tokens of KV cache and 24 requests of 8192 tokens, which contradict each other \(48\)/,
		);
		await conditions.getByRole("link", { name: "start-up.log" }).click();
		await page.getByRole("heading", { level: 1, name: "start-up.log" }).waitFor();
		const memory = page.locator("section", { has: page.getByRole("heading", { name: "Memory figures" }) });
		expect(plain(await memory.textContent())).toContain("They count for:");
		await keepScreenshot(page, "run-memory-light-1440");
		expect(await axeFindings(page)).toEqual([]);
	});

	it("cannot take a failure into a fit", async () => {
		await page.goto(own);
		await settled(page);
		const row = page.getByRole("row").filter({ hasText: "stopped: out of memory" });
		expect(await row.getByRole("checkbox").count()).toBe(0);
	});

	it("lead to a plan with the configuration, and to the runs behind it", async () => {
		await page.goto(own);
		await settled(page);
		await page.getByRole("link", { name: "known-law.json" }).first().click();
		await page.getByRole("heading", { level: 1, name: "known-law.json" }).waitFor();
		await page.goBack();
		await page.getByRole("link", { name: "Plan with this configuration" }).click();
		await expect
			.poll(() => new URL(page.url()).searchParams.get("configuration"))
			.toBe(own.split("/").at(-1));
	});

	it("say on an id that nobody has where to look", async () => {
		provoked = /404/;
		const response = await page.goto("/configurations/nobody-has-this");
		expect(response?.status()).toBe(404);
		expect(plain(await page.locator("main").textContent())).toContain("Configurations page lists");
	});

	const cases = ["own", "published prefill and decode", "published load"].flatMap((which) =>
		LOOKS.map((look) => ({ which, ...look })),
	);

	it.each(cases)("read well: $which in $theme at $width pixels", async ({ which, theme, width }) => {
		const other = await openPage(browser, dashboard.url, {
			colorScheme: theme,
			viewport: { width, height: 900 },
		});
		const path = which === "own" ? own : await published(which.endsWith("load") ? "serve" : "decode");
		await other.page.goto(path);
		await settled(other.page);
		await keepScreenshot(other.page, `configuration-${which.replaceAll(" ", "-")}-${theme}-${width}`);
		expect(await axeFindings(other.page)).toEqual([]);
		expect(await other.page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(
			width,
		);
		expect(other.complaints()).toEqual([]);
		await other.close();
	});

	/** The published configuration whose law of a phase rests on the most points. */
	async function published(phase: "decode" | "serve"): Promise<string> {
		const response = await fetch(`${dashboard.url}/api/v1/configurations?limit=100`);
		interface Item {
			id: string;
			origin: string;
			fits: Record<string, { n: number } | null>;
		}
		const { items } = (await response.json()) as { items: Item[] };
		const points = ({ fits }: Item) => fits[phase]?.n ?? 0;
		const [most] = items.filter((item) => item.origin === "published").sort((a, b) => points(b) - points(a));
		return `/configurations/${most?.id}`;
	}
});
