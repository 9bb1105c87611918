/// <reference lib="dom" />
import { gzipSync } from "node:zlib";
import type { Browser, CDPSession, Page } from "playwright-core";
import { hasChromium, launch, openPage, settled } from "../support/browser.ts";
import { startDashboard } from "../support/dashboard.ts";
import { milliseconds, quantile } from "./place.ts";

const MEASUREMENTS = 5000;
const MOVES = 60;

const law = (s: number) => 0.02 + 1e-4 * s + 2e-9 * s * s;

/** A configuration with thousands of distinct measurements: half prefill, half decode. */
const large = JSON.stringify({
	...{ plimsoll: 1, gpu: "H100 SXM 80GB", gpus: 1, model: "llama-3.1-8b", engine: "vllm", weights: "bf16" },
	...{ kv: "bf16", tp: 1 },
	measurements: Array.from({ length: MEASUREMENTS / 2 }, (_, i) => [
		{ phase: "prefill", tokens: 128 + 24 * i, seconds: [law(128 + 24 * i) * (1 + (i % 7) / 500)] },
		{
			...{ phase: "decode", batch: 1 + (i % 32), context: 512 + 24 * i },
			seconds: [0.008 + 1e-4 * (1 + (i % 32)) + 1e-8 * (1 + (i % 32)) * (512 + 24 * i)],
		},
	]).flat(),
});

/** Seen on 2026-11-30 in Chromium: script of other planners' first page, kB gzip. */
const OTHERS = "InferenceX 701, LLM-Viewer 567, llmvram 297, ConfigIQ 268, gpu_poor 67";

/** Chromium's "Fast 3G" on a processor a quarter as fast. */
const SLOW = { latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375, offline: false };
const SLOWER_BY = 4;

interface Visit {
	/** gzip bytes of the scripts that were there when the page answered input, and of those that came after. */
	before: number;
	after: number;
	/** Milliseconds from navigation to the first paint, to that of the answer, and until the page answers input. */
	painted: number;
	answered: number;
	ready: number;
	layoutShift: number;
}

/** Runs in the page before anything else: notes when it answers input, what shifts, and when the answer is painted. */
function watch(): void {
	const seen = { ready: Number.NaN, answered: Number.NaN, layoutShift: 0 };
	Object.assign(window, { seen });
	new MutationObserver(() => {
		if (document.documentElement.dataset.ready !== undefined) seen.ready ||= performance.now();
	}).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-ready"] });
	new PerformanceObserver((list) => {
		for (const entry of list.getEntries()) seen.answered = entry.startTime;
	}).observe({ type: "largest-contentful-paint", buffered: true });
	new PerformanceObserver((list) => {
		for (const entry of list.getEntries() as (PerformanceEntry & {
			value: number;
			hadRecentInput: boolean;
		})[])
			if (!entry.hadRecentInput) seen.layoutShift += entry.value;
	}).observe({ type: "layout-shift", buffered: true });
}

/** Opens the first page with an empty cache. */
async function firstVisit(browser: Browser, url: string, slow = false): Promise<Visit> {
	const { page, close } = await openPage(browser, url);
	await page.addInitScript(watch);
	if (slow) {
		const session = await page.context().newCDPSession(page);
		await session.send("Network.enable");
		await session.send("Network.emulateNetworkConditions", SLOW);
		await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER_BY });
	}
	const scripts = new Map<string, Promise<number>>();
	page.on("response", (response) => {
		if (/\.js(\?|$)/.test(response.url()))
			scripts.set(
				response.url(),
				response.body().then((body) => gzipSync(body).length),
			);
	});
	await page.goto("/");
	await settled(page);
	await page.waitForTimeout(1000);
	const seen = await page.evaluate(() => ({
		...(window as unknown as { seen: { ready: number; answered: number; layoutShift: number } }).seen,
		painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
		ends: performance
			.getEntriesByType("resource")
			.map((r) => [r.name, (r as PerformanceResourceTiming).responseEnd] as const),
	}));
	const ends = new Map(seen.ends);
	const bytes = { before: 0, after: 0 };
	for (const [script, size] of scripts)
		bytes[(ends.get(script) ?? 0) <= seen.ready ? "before" : "after"] += await size;
	await close();
	return { ...seen, ...bytes };
}

/** Seconds of processor that the page has spent on script so far: what other programs do meanwhile is not in it. */
async function scriptSeconds(session: CDPSession): Promise<number> {
	const { metrics } = await session.send("Performance.getMetrics");
	return metrics.find((m) => m.name === "ScriptDuration")?.value ?? Number.NaN;
}

/** Script time of each slider step: until every chart in sight is painted anew, and with all that follows. */
async function slide(page: Page): Promise<{ painted: number[]; all: number[] }> {
	const session = await page.context().newCDPSession(page);
	await session.send("Performance.enable", { timeDomain: "threadTicks" });
	const slider = page.getByRole("slider", { name: /context/i }).first();
	await slider.focus();
	const spent: { painted: number[]; all: number[] } = { painted: [], all: [] };
	for (let i = 0; i < MOVES + 10; i++) {
		const before = await scriptSeconds(session);
		await page.evaluate(LISTEN);
		await page.keyboard.press(i % 20 < 10 ? "ArrowRight" : "ArrowLeft");
		await page.evaluate("painted");
		const then = await scriptSeconds(session);
		await page.waitForTimeout(REST_MS);
		const last = await scriptSeconds(session);
		if (i < 10) continue;
		spent.painted.push((then - before) * 1000);
		spent.all.push((last - before) * 1000);
	}
	return spent;
}
/** Long enough for what follows a step when the page is idle, too short for what waits until the slider rests. */
const REST_MS = 100;
/** Begins to listen for the next key: "painted" resolves when the frame after it has been painted. */
const LISTEN = `void (globalThis.painted = new Promise((done) =>
	addEventListener("keydown", () => requestAnimationFrame(() => setTimeout(done)), { once: true, capture: true }),
))`;

const kB = (bytes: number) => `${Math.round(bytes / 1000)} kB`;
const spread = (spent: number[]) =>
	`p50 ${milliseconds(quantile(spent, 0.5))}, p95 ${milliseconds(quantile(spent, 0.95))}, max ${milliseconds(Math.max(...spent))}`;

export async function benchPage(): Promise<string[]> {
	if (!hasChromium) return ["no Chromium: not measured"];
	const dashboard = await startDashboard();
	const browser = await launch();
	try {
		const posted = await fetch(`${dashboard.url}/api/v1/runs`, { method: "POST", body: large });
		const { configurations } = (await posted.json()) as { configurations: { id: string }[] };
		await firstVisit(browser, dashboard.url);
		const visits = [await firstVisit(browser, dashboard.url), await firstVisit(browser, dashboard.url)];
		const slow = [
			await firstVisit(browser, dashboard.url, true),
			await firstVisit(browser, dashboard.url, true),
			await firstVisit(browser, dashboard.url, true),
		];
		const { page, close } = await openPage(browser, dashboard.url);
		await page.goto(`/?configuration=${configurations[0]?.id}`);
		await settled(page);
		const spent = await slide(page);
		await close();
		const least = (of: Visit[], figure: keyof Visit) => milliseconds(Math.min(...of.map((v) => v[figure])));
		const shift = Math.max(...[...visits, ...slow].map((v) => v.layoutShift));
		return [
			`script of the first page, gzip: ${kB(visits[0]?.before ?? 0)} before it answers input (floor 100 kB), ${kB(visits[0]?.after ?? 0)} after`,
			`  beside it, all of their first page: ${OTHERS} kB`,
			`answer painted: ${least(visits, "answered")}, answers input after ${least(visits, "ready")} (local server, no throttling)`,
			`  4× slower processor, Fast 3G: first paint ${least(slow, "painted")}, answer ${least(slow, "answered")} (floor 1 s), answers input after ${least(slow, "ready")}`,
			`layout shift, the most of ${visits.length + slow.length} visits: ${shift.toFixed(3)} (floor 0)`,
			`slider step, ${MEASUREMENTS} measurements, script until charts are painted: ${spread(spent.painted)} (floor 16 ms)`,
			`  with what follows when the page is idle: ${spread(spent.all)}`,
		];
	} finally {
		await browser.close();
		await dashboard.stop();
	}
}
