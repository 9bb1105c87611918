/// <reference lib="dom" />
import { gzipSync } from "node:zlib";
import type { Browser, CDPSession, Page } from "playwright-core";
import { hasChromium, launch, openPage, settled } from "../support/browser.ts";
import { startDashboard } from "../support/dashboard.ts";
import { milliseconds, quantile } from "./place.ts";

const MEASUREMENTS = 1000;
const MOVES = 60;

const law = (s: number) => 0.02 + 1e-4 * s + 2e-9 * s * s;

/** A configuration with a thousand distinct measurements: half prefill, half decode. */
const large = JSON.stringify({
	...{ plimsoll: 1, gpu: "H100 SXM 80GB", gpus: 1, model: "llama-3.1-8b", engine: "vllm", weights: "bf16" },
	...{ kv: "bf16", tp: 1 },
	measurements: Array.from({ length: MEASUREMENTS / 2 }, (_, i) => [
		{ phase: "prefill", tokens: 128 + 64 * i, seconds: [law(128 + 64 * i) * (1 + (i % 7) / 500)] },
		{
			...{ phase: "decode", batch: 1 + (i % 32), context: 512 + 64 * i },
			seconds: [0.008 + 1e-4 * (1 + (i % 32)) + 1e-8 * (1 + (i % 32)) * (512 + 64 * i)],
		},
	]).flat(),
});

interface Script {
	url: string;
	gzipBytes: number;
}

/** Opens the first page with an empty cache; what it loads, and when its answer is painted. */
async function firstVisit(browser: Browser, url: string) {
	const { page, close } = await openPage(browser, url);
	const scripts: Promise<Script>[] = [];
	page.on("response", (response) => {
		if (!/\.js(\?|$)/.test(response.url())) return;
		scripts.push(response.body().then((body) => ({ url: response.url(), gzipBytes: gzipSync(body).length })));
	});
	await page.goto("/");
	await page.locator(".plot svg").first().waitFor({ timeout: 20_000 });
	await settled(page);
	const paint = await page.evaluate(
		() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
	);
	const loaded = await Promise.all(scripts);
	await close();
	return { paint, bytes: loaded.reduce((sum, s) => sum + s.gzipBytes, 0) };
}

/** Script seconds that the page has spent so far. */
async function scriptSeconds(session: CDPSession): Promise<number> {
	const { metrics } = await session.send("Performance.getMetrics");
	return metrics.find((m) => m.name === "ScriptDuration")?.value ?? Number.NaN;
}

/** Script time from one slider step to the frame in which every chart is painted anew. */
async function slide(page: Page): Promise<number[]> {
	const session = await page.context().newCDPSession(page);
	await session.send("Performance.enable");
	const slider = page.getByRole("slider", { name: /context/i }).first();
	await slider.focus();
	const spent: number[] = [];
	for (let i = 0; i < MOVES + 10; i++) {
		const before = await scriptSeconds(session);
		await page.keyboard.press(i % 20 < 10 ? "ArrowRight" : "ArrowLeft");
		await page.evaluate(
			() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
		);
		if (i >= 10) spent.push(((await scriptSeconds(session)) - before) * 1000);
	}
	return spent;
}

export async function benchPage(): Promise<string[]> {
	if (!hasChromium) return ["no Chromium: not measured"];
	const dashboard = await startDashboard();
	const browser = await launch();
	try {
		const posted = await fetch(`${dashboard.url}/api/v1/runs`, { method: "POST", body: large });
		const { configurations } = (await posted.json()) as { configurations: { id: string }[] };
		await firstVisit(browser, dashboard.url);
		const visits = [await firstVisit(browser, dashboard.url), await firstVisit(browser, dashboard.url)];
		const { page, close } = await openPage(browser, dashboard.url);
		await page.goto(`/?configuration=${configurations[0]?.id}`);
		await settled(page);
		const spent = await slide(page);
		await close();
		return [
			`JavaScript of the first page, charts included: ${Math.round((visits[0]?.bytes ?? 0) / 1000)} kB gzip`,
			`answer painted: ${milliseconds(Math.min(...visits.map((v) => v.paint)))} after navigation (local server, no throttling)`,
			`slider step to painted charts, ${MEASUREMENTS} measurements: script p50 ${milliseconds(quantile(spent, 0.5))}, p95 ${milliseconds(quantile(spent, 0.95))}, max ${milliseconds(Math.max(...spent))}`,
		];
	} finally {
		await browser.close();
		await dashboard.stop();
	}
}
