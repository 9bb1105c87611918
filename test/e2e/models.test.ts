import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

/** Mistral-7B's shape: 2 · 32 layers · 8 heads · 128 · 2 bytes = 131,072 bytes a token in 16 bit. */
const CONFIG = {
	model_type: "mistral",
	torch_dtype: "bfloat16",
	num_hidden_layers: 32,
	num_attention_heads: 32,
	num_key_value_heads: 8,
	head_dim: 128,
	hidden_size: 4096,
	intermediate_size: 14336,
	vocab_size: 32768,
	max_position_embeddings: 32768,
};

/** A GGUF header of four layers, 2 KV heads of 64 + 64, with 512 × 1,000 values of f16; weights of zeros behind it. */
function gguf(): Buffer {
	const u32 = (n: number) => {
		const bytes = Buffer.alloc(4);
		bytes.writeUInt32LE(n);
		return bytes;
	};
	const u64 = (n: number) => {
		const bytes = Buffer.alloc(8);
		bytes.writeBigUInt64LE(BigInt(n));
		return bytes;
	};
	const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
	const pairs: [string, string | number][] = [
		["general.architecture", "llama"],
		["general.name", "Acme Tiny"],
		["general.file_type", 1],
		["llama.block_count", 4],
		["llama.context_length", 8192],
		["llama.embedding_length", 512],
		["llama.attention.head_count", 8],
		["llama.attention.head_count_kv", 2],
		["llama.attention.key_length", 64],
	];
	return Buffer.concat([
		...[Buffer.from("GGUF"), u32(3), u64(1), u64(pairs.length)],
		...pairs.map(([key, value]) =>
			Buffer.concat([
				text(key),
				...(typeof value === "string" ? [u32(8), text(value)] : [u32(4), u32(value)]),
			]),
		),
		...[text("token_embd.weight"), u32(2), u64(512), u64(1000), u32(1), u64(0)],
		Buffer.alloc(2 ** 20),
	]);
}

describe.skipIf(!hasChromium)("the model pages", () => {
	let dashboard: Dashboard;
	let browser: Browser;
	let watched: WatchedPage;
	let page: Page;
	let folder: string;
	let provoked: RegExp | null;

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "plimsoll-models-"));
		[dashboard, browser] = await Promise.all([startDashboard({ examples: false }), launch()]);
	});
	afterAll(async () => {
		await Promise.all([browser?.close(), dashboard?.stop(), rm(folder, { recursive: true, force: true })]);
	});
	beforeEach(async () => {
		provoked = null;
		watched = await openPage(browser, dashboard.url);
		page = watched.page;
		await page.goto("/models");
		await settled(page);
	});
	afterEach(async () => {
		const complaints = watched.complaints().filter((complaint) => !provoked?.test(complaint));
		await watched.close();
		expect(complaints).toEqual([]);
	});

	const choose = async (name: string, content: string | Buffer) => {
		const path = join(folder, name);
		await writeFile(path, content);
		await page.getByLabel("Model file").setInputFiles(path);
	};
	const quantity = async (label: string) =>
		plain(
			await page
				.getByRole("button", { name: new RegExp(`^${label}: `) })
				.first()
				.locator(".number")
				.textContent(),
		);
	const nameField = () => page.getByLabel("Name in the catalog");
	const add = () => page.getByRole("button", { name: "Add to the catalog" });

	it("list the catalog with geometry, cache bytes and sources, and find a model", async () => {
		await page.getByRole("searchbox", { name: "Search" }).fill("llama-3.1-70b");
		await page.keyboard.press("Enter");
		const item = page.locator("main li", { has: page.locator('a[href="/models/llama-3.1-70b"]') });
		await item.waitFor();
		const text = plain(await item.textContent());
		expect(text).toContain("80 layers");
		expect(text).toContain("8 of 64 heads × 128");
		expect(text).toContain("327,680");
		expect(text).toContain("70.6 billion");
		expect(text).toMatch(/model_configs and \d+ more/);
	});

	it("show what a config.json implies and which fields decided it, before anything is stored", async () => {
		await choose("config.json", JSON.stringify(CONFIG));
		await page.getByRole("region", { name: "What config.json implies" }).waitFor();
		expect(await quantity("KV cache per token")).toBe("131,072");
		await page.getByText("Which fields of the file decided it").click();
		expect(plain(await page.getByRole("table", { name: /decided the figures/ }).textContent())).toContain(
			"num_key_value_heads = 8",
		);
		expect(await add().isDisabled()).toBe(true);
		const { status } = await fetch(`${dashboard.url}/api/v1/models/acme-7b`);
		expect(status).toBe(404);
		await nameField().fill("Acme 7B");
		await add().click();
		const done = page.getByRole("status").filter({ hasText: "Acme 7B is in the catalog. See it" });
		await done.waitFor();
		await done.getByLabel("On").selectOption("rtx-4090");
		await done.getByRole("button", { name: "Plan with this model" }).click();
		await page.waitForURL(/model=acme-7b/);
		expect(new URL(page.url()).searchParams.get("gpu")).toBe("rtx-4090");
		await settled(page);
		expect(plain(await page.locator("main").textContent())).toContain("Acme 7B");
	});

	it("read the header of a .gguf without sending the file", async () => {
		const sent: number[] = [];
		page.on("request", (request) => {
			if (request.method() === "POST") sent.push(request.postDataBuffer()?.length ?? 0);
		});
		await choose("acme-tiny-f16.gguf", gguf());
		await page.getByRole("region", { name: "What acme-tiny-f16.gguf implies" }).waitFor();
		// 4 layers × 2 heads × (64 + 64) × 2 bytes, and 512 × 1,000 values of 2 bytes.
		expect(await quantity("KV cache per token")).toBe("2,048");
		expect(await quantity("Bytes of the weights")).toBe("1.02");
		expect(await nameField().inputValue()).toBe("Acme Tiny");
		expect(sent).toEqual([]);
		await add().click();
		await page.getByText("Acme Tiny is in the catalog").first().waitFor();
		expect(sent.length).toBe(1);
		expect(sent[0]).toBeLessThan(2000);
	});

	it("take a dropped file, and refuse in words what is no model", async () => {
		const drop = async (name: string, content: string) => {
			const transfer = await page.evaluateHandle(
				([name, content]) => {
					const data = new DataTransfer();
					data.items.add(new File([content ?? ""], name ?? ""));
					return data;
				},
				[name, content],
			);
			await page.dispatchEvent("main", "drop", { dataTransfer: transfer });
		};
		await drop("notes.txt", "hello");
		await page.getByRole("alert").filter({ hasText: "notes.txt is not JSON" }).waitFor();
		await drop("config.json", JSON.stringify(CONFIG));
		await page.getByRole("region", { name: "What config.json implies" }).waitFor();
		expect(await page.getByRole("alert").count()).toBe(0);
	});

	it("never replace another model silently", async () => {
		provoked = /409/;
		await choose("config.json", JSON.stringify(CONFIG));
		await nameField().fill("Llama 3.1 70B");
		await add().click();
		const notice = page.getByRole("status").filter({ hasText: "comes with Plimsoll" });
		await notice.waitFor();
		await nameField().fill("Llama 3.1 70B mine");
		await add().click();
		await page.getByText("Llama 3.1 70B mine is in the catalog").first().waitFor();
		const seed = await (await fetch(`${dashboard.url}/api/v1/models/llama-3.1-70b`)).json();
		expect(seed).toMatchObject({ layers: 80, origin: "seed" });
	});

	it("take back what was added", async () => {
		await choose("config.json", JSON.stringify(CONFIG));
		await nameField().fill("Gone Soon");
		await add().click();
		const toast = page.getByRole("group", { name: /^Gone Soon is in the catalog/ });
		await toast.getByRole("button", { name: "Undo" }).click();
		await expect.poll(async () => (await fetch(`${dashboard.url}/api/v1/models/gone-soon`)).status).toBe(404);
	});

	it("of one model show the cache by type, the sources and what was measured with it", async () => {
		await page.goto("/models/llama-3.1-70b");
		await settled(page);
		const table = page.getByRole("table", { name: "KV cache by type" });
		expect(plain(await table.getByRole("row").filter({ hasText: "16 bit" }).textContent())).toContain(
			"327,680",
		);
		expect(plain(await table.getByRole("row").filter({ hasText: "q8_0" }).textContent())).toContain(
			"174,080",
		);
		expect(plain(await page.locator("main").textContent())).toContain("ai-dynamo/aiconfigurator");
	});

	it("say on an id that nobody has where to look", async () => {
		provoked = /404/;
		const response = await page.goto("/models/nobody-has-this");
		expect(response?.status()).toBe(404);
		expect(plain(await page.locator("main").textContent())).toContain("Models page lists");
	});

	it.each([
		["list", "light", 1440],
		["list", "dark", 390],
		["reading", "light", 1440],
		["reading", "dark", 390],
		["detail", "light", 1440],
		["detail", "dark", 390],
	] as const)("read well: %s in %s at %i pixels", async (which, colorScheme, width) => {
		const other = await openPage(browser, dashboard.url, { colorScheme, viewport: { width, height: 900 } });
		await other.page.goto(which === "detail" ? "/models/gemma-3-12b" : "/models");
		await settled(other.page);
		if (which === "reading") {
			const path = join(folder, "shown.json");
			await writeFile(
				path,
				JSON.stringify({ ...CONFIG, num_key_value_heads: undefined, model_type: "mystery" }),
			);
			await other.page.getByLabel("Model file").setInputFiles(path);
			await other.page.getByText("Which fields of the file decided it").click();
		}
		await settled(other.page);
		await keepScreenshot(other.page, `models-${which}-${colorScheme}-${width}`);
		expect(await axeFindings(other.page)).toEqual([]);
		expect(await other.page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(
			width,
		);
		expect(other.complaints()).toEqual([]);
		await other.close();
	});
});
