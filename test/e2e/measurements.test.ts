import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
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

const OWN = resolve(import.meta.dirname, "../fixtures/llama-cpp-cpu");
const PREFILL = join(OWN, "bench-prefill-gqa-f16-armA.jsonl");
const DECODE = join(OWN, "bench-decode-gqa-f16-kv_f16-armA.jsonl");

const plain = (text: string | null) => (text ?? "").replace(/\s+/g, " ").trim();
const outcomes = (page: Page) => page.locator(".outcomes > ul > li");
const runNames = (page: Page) => page.locator("main ul h3 a").allTextContents();
const tick = (page: Page, name: string) => page.getByRole("checkbox", { name: `Tick ${name}`, exact: true });

/** Sends a file by the button and waits until it is taken in or refused. */
async function send(page: Page, file: string): Promise<void> {
	await page.locator('input[type="file"]').setInputFiles(file);
	await page.getByText(/^The file was (taken in|refused)/).waitFor();
	await settled(page);
}

describe.skipIf(!hasChromium)("the measurements page", () => {
	let dashboard: Dashboard;
	let browser: Browser;
	let folder: string;
	let watched: WatchedPage;
	let page: Page;
	/** Complaints that the test itself provokes: refused uploads are errors to the console. */
	let provoked: RegExp | null;

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "plimsoll-uploads-"));
		[dashboard, browser] = await Promise.all([startDashboard({ examples: false }), launch()]);
	});
	afterAll(async () => {
		await Promise.all([browser?.close(), dashboard?.stop(), rm(folder, { recursive: true, force: true })]);
	});
	beforeEach(async () => {
		provoked = null;
		watched = await openPage(browser, dashboard.url);
		page = watched.page;
		await page.goto("/measurements");
		await settled(page);
	});
	afterEach(async () => {
		const complaints = watched.complaints().filter((complaint) => !provoked?.test(complaint));
		await watched.close();
		expect(complaints).toEqual([]);
	});

	/** A file of the given lines in a folder of its own. */
	async function fileOf(name: string, text: string): Promise<string> {
		const path = join(folder, name);
		await writeFile(path, text);
		return path;
	}

	it("tells a newcomer on an empty page how to post a file to this very address", async () => {
		await page.getByText("No file was posted yet").waitFor();
		expect(await page.locator("pre").first().textContent()).toContain(`${dashboard.url}/api/v1/runs`);
		await keepScreenshot(page, "measurements-empty-light-1440");
		expect(await axeFindings(page)).toEqual([]);
	});

	it("takes a file in, tells its outcome, and leads to the curve", async () => {
		await send(page, PREFILL);
		const outcome = outcomes(page).first();
		expect(plain(await outcome.textContent())).toContain("8 measurements accepted");
		await expect.poll(() => runNames(page)).toEqual(["bench-prefill-gqa-f16-armA.jsonl"]);
		await keepScreenshot(page, "measurements-uploaded-light-1440");
		await outcome.locator(".configurations a").click();
		await page.getByRole("heading", { name: "Prefill" }).waitFor();
		const chart = page.getByRole("img", { name: /^Prefill time against prompt tokens/ });
		await page.locator("figure", { has: chart }).locator(".name", { hasText: "measured" }).waitFor();
		// The file's own words: 8 lengths from 128 to 16,384 tokens.
		await expect
			.poll(async () => plain(await chart.getAttribute("aria-label")))
			.toContain("128–16,384 tokens");
	});

	it("says that the same file was here already and stores nothing twice", async () => {
		await send(page, PREFILL);
		expect(plain(await outcomes(page).first().textContent())).toContain(
			"Was here already, nothing is stored twice",
		);
		await expect.poll(() => runNames(page)).toHaveLength(1);
	});

	it("says what is wrong with a file that is no benchmark, and what to do", async () => {
		provoked = /422/;
		await send(page, await fileOf("notes.txt", "Buy milk.\nCall the data centre.\n"));
		const outcome = outcomes(page).first();
		expect(plain(await outcome.locator(".message").textContent()).length).toBeGreaterThan(30);
		expect(await outcome.getByRole("button").count()).toBe(0);
		await expect.poll(() => runNames(page)).toHaveLength(1);
		await keepScreenshot(page, "measurements-refused-light-1440");
	});

	it("keeps the good rows of a damaged file and names the bad one by place and reason", async () => {
		const lines = (await readFile(DECODE, "utf8")).trim().split("\n");
		const damaged = [lines[0], '{"n_prompt": 512, "avg_ns": ', ...lines.slice(1)].join("\n");
		await send(page, await fileOf("damaged.jsonl", damaged));
		const outcome = outcomes(page).first();
		expect(plain(await outcome.textContent())).toMatch(/5 measurements accepted, 1 row rejected/);
		expect(plain(await outcome.locator("code").first().textContent())).toBe("line 2");
		await outcome.getByRole("link", { name: "See the run" }).click();
		await page.getByRole("heading", { level: 1, name: "damaged.jsonl" }).waitFor();
		const rejected = page.locator("#rejected li");
		expect(await rejected.count()).toBe(1);
		expect(plain(await rejected.first().textContent())).toMatch(/^line 2 \S.{10,}/);
		await keepScreenshot(page, "run-light-1440");
		expect(await axeFindings(page)).toEqual([]);
	});

	it("takes several files at once by dropping them anywhere on the page, with what is said beside them", async () => {
		await page.getByText("Say what the files do not").click();
		await page.getByRole("textbox", { name: "Label" }).fill("dropped together");
		const texts = await Promise.all([PREFILL, DECODE].map((path) => readFile(path, "utf8")));
		const drop = await page.evaluateHandle(
			`(() => {
				const data = new DataTransfer();
				for (const [i, text] of ${JSON.stringify(texts)}.entries()) data.items.add(new File([text], "drop-" + i + ".jsonl"));
				return data;
			})()`,
		);
		await page.dispatchEvent("h1", "dragover", { dataTransfer: drop });
		await page.getByText("Drop the files: each becomes a run").waitFor();
		await page.dispatchEvent("h1", "drop", { dataTransfer: drop });
		await page.getByText("2 files: 2 taken in").waitFor();
		// Other words beside the same bytes make another run: the label is part of what was sent.
		expect(await outcomes(page).getByText("measurements accepted").count()).toBe(2);
		await page.goto("/measurements?q=dropped");
		await settled(page);
		await expect.poll(() => runNames(page)).toEqual(["dropped together", "dropped together"]);
	});

	it("finds runs by words and by origin, in the address", async () => {
		await page.getByRole("searchbox", { name: "Search" }).fill("damaged");
		await page.keyboard.press("Enter");
		await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe("damaged");
		await expect.poll(() => runNames(page)).toEqual(["damaged.jsonl"]);
		await page.getByLabel("Whose").selectOption("published");
		await page.getByText("No run matches").waitFor();
		await page.getByRole("link", { name: "Show all" }).click();
		await expect.poll(async () => (await runNames(page)).length).toBe(4);
	});

	it("deletes a run and brings it back", async () => {
		await page.getByRole("button", { name: "Delete damaged.jsonl" }).click();
		const toast = page.getByRole("group", { name: /^Deleted damaged\.jsonl/ });
		await toast.waitFor();
		await expect.poll(() => runNames(page)).not.toContain("damaged.jsonl");
		await toast.getByRole("button", { name: "Undo" }).click();
		await expect.poll(() => runNames(page)).toContain("damaged.jsonl");
	});

	it("tags several runs at once, finds them by the tag, and takes it back", async () => {
		await tick(page, "damaged.jsonl").focus();
		await page.keyboard.press("Space");
		await tick(page, "bench-prefill-gqa-f16-armA.jsonl").focus();
		await page.keyboard.press("Space");
		await page.getByText("2 runs ticked").waitFor();
		await page.getByRole("combobox", { name: "Tag for the ticked runs" }).fill("before the driver");
		await page.keyboard.press("Enter");
		await page.getByRole("group", { name: "Tagged 2 runs: before the driver" }).waitFor();
		expect(await axeFindings(page)).toEqual([]);
		await page.getByLabel("Tag", { exact: true }).selectOption("before the driver");
		await expect.poll(() => new URL(page.url()).searchParams.get("tag")).toBe("before the driver");
		await expect.poll(() => runNames(page)).toEqual(["damaged.jsonl", "bench-prefill-gqa-f16-armA.jsonl"]);
		await page.getByLabel("Order").selectOption("by name");
		await expect.poll(() => runNames(page)).toEqual(["bench-prefill-gqa-f16-armA.jsonl", "damaged.jsonl"]);
		await page.getByRole("button", { name: "Take the tag before the driver off damaged.jsonl" }).click();
		await expect.poll(() => runNames(page)).toEqual(["bench-prefill-gqa-f16-armA.jsonl"]);
		const toast = page.getByRole("group", { name: /^Took before the driver off damaged/ });
		await toast.getByRole("button", { name: "Undo" }).click();
		await expect.poll(() => runNames(page)).toHaveLength(2);
	});

	it("deletes all that are ticked from one to another with Shift, and brings them back", async () => {
		const before = await runNames(page);
		expect(before.length).toBeGreaterThanOrEqual(4);
		await tick(page, before[0] ?? "")
			.first()
			.focus();
		await page.keyboard.press("Space");
		const boxes = page.getByRole("checkbox", { name: /^Tick (?!all)/ });
		await boxes.nth(2).focus();
		await page.keyboard.press("Shift+Space");
		await page.getByRole("button", { name: "Delete 3 runs" }).click();
		const toast = page.getByRole("group", { name: /^Deleted 3 runs/ });
		await toast.waitFor();
		await expect.poll(() => runNames(page)).toEqual(before.slice(3));
		await toast.getByRole("button", { name: "Undo" }).click();
		await expect.poll(() => runNames(page)).toEqual(before);
	});

	it("says which of several could not be deleted, and why", async () => {
		provoked = /503/;
		const before = await runNames(page);
		let calls = 0;
		await page.route("**/api/v1/runs/*", (route) =>
			++calls === 2
				? route.fulfill({ status: 503, json: { detail: "The database did not answer in time." } })
				: route.fallback(),
		);
		await page.getByRole("checkbox", { name: "Tick all on this page" }).check();
		await page.getByRole("button", { name: /^Delete \d+ runs$/ }).click();
		await page.getByText(/not deleted: The database did not answer in time\./).waitFor();
		await expect.poll(() => runNames(page)).toEqual(before.slice(1));
		await page
			.getByRole("group", { name: /^Deleted / })
			.getByRole("button", { name: "Undo" })
			.click();
		await expect.poll(() => runNames(page)).toEqual(before);
	});

	it("hands out the very bytes that were sent", async () => {
		await page.getByRole("link", { name: "bench-prefill-gqa-f16-armA.jsonl", exact: true }).click();
		await page.getByRole("heading", { level: 1, name: "bench-prefill-gqa-f16-armA.jsonl" }).waitFor();
		const download = page.waitForEvent("download");
		await page.getByRole("link", { name: "Download the file" }).click();
		const path = await (await download).path();
		expect(await readFile(path)).toEqual(await readFile(PREFILL));
	});

	it("lists the measurements of a run page by page", async () => {
		const rows = Array.from({ length: 45 }, (_, i) => ({
			...{ phase: "prefill", tokens: 128 * (i + 1), cached: 0, batch: 1, seconds: [0.01 * (i + 1)] },
		}));
		const run = { plimsoll: 1, gpu: "Paged", gpus: 1, model: "paged", engine: "test", measurements: rows };
		await send(page, await fileOf("paged.json", JSON.stringify(run)));
		await outcomes(page).first().getByRole("link", { name: "See the run" }).click();
		const cells = page.locator("#measurements tbody tr");
		await cells.first().waitFor();
		expect(await cells.count()).toBe(20);
		await page.getByRole("link", { name: "Next page" }).click();
		await expect
			.poll(async () => plain(await page.getByText(/of 45 measurements/).textContent()))
			.toContain("21–40");
		await page.getByRole("link", { name: "Next page" }).click();
		await expect.poll(() => cells.count()).toBe(5);
	});

	it("takes the examples in and out", async () => {
		await page.getByRole("button", { name: "Put the examples in" }).click();
		await page.getByRole("button", { name: /^Take the \d+ examples out$/ }).waitFor({ timeout: 60_000 });
		await page.goto("/measurements?origin=published");
		await settled(page);
		expect((await runNames(page)).length).toBeGreaterThan(0);
		expect(await page.getByText("not measured by you").count()).toBeGreaterThan(0);
		await page.goto("/measurements");
		await settled(page);
		await page.getByRole("button", { name: /examples out$/ }).click();
		await page.getByRole("button", { name: "Put the examples in" }).waitFor();
	});

	it("says on a run that does not exist where to look", async () => {
		provoked = /404/;
		const response = await page.goto("/measurements/00000000-0000-4000-8000-000000000000");
		expect(response?.status()).toBe(404);
		expect(plain(await page.locator("main").textContent())).toContain("Measurements page lists");
	});

	it.each(LOOKS)("of a run reads well in $theme at $width pixels", async ({ theme: colorScheme, width }) => {
		const other = await openPage(browser, dashboard.url, { colorScheme, viewport: { width, height: 900 } });
		await other.page.goto("/measurements?q=damaged");
		await other.page.getByRole("link", { name: "damaged.jsonl", exact: true }).click();
		await other.page.getByRole("heading", { level: 1, name: "damaged.jsonl" }).waitFor();
		await settled(other.page);
		await keepScreenshot(other.page, `run-${colorScheme}-${width}`);
		expect(await axeFindings(other.page)).toEqual([]);
		expect(await other.page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(
			width,
		);
		expect(other.complaints()).toEqual([]);
		await other.close();
	});
});
