import { describe, expect, it } from "vitest";
import { hasChromium } from "../support/browser.ts";
import { visiting } from "../support/visit.ts";

describe.skipIf(!hasChromium)("scenarios", () => {
	const visit = visiting();

	const open = visit.open;
	const row = (name: string) => visit.page.getByRole("row").filter({ hasText: name });

	async function keep(path: string, name: string) {
		await open(path);
		await visit.page.getByRole("button", { name: "Keep", exact: true }).click();
		const dialog = visit.page.getByRole("dialog", { name: "Keep this scenario" });
		await dialog.getByRole("textbox", { name: "Name" }).fill(name);
		await dialog.getByRole("button", { name: "Keep", exact: true }).click();
		await visit.page.getByText(`“${name}” is kept`).waitFor();
	}

	it("are empty at first, and the page says what to do", async () => {
		await open("/scenarios");
		await visit.page.getByText("No scenario is kept yet").waitFor();
		await visit.page.getByRole("link", { name: "Go to Plan" }).click();
		await expect.poll(() => new URL(visit.page.url()).pathname).toBe("/");
	});

	it("are kept from Plan, held side by side, taken out and put back", async () => {
		await keep("/?context=1000&concurrency=2", "Short chat");
		await keep("/?context=3000&concurrency=2", "Long chat");
		await open("/scenarios");
		await visit.page.getByRole("checkbox", { name: "Compare Short chat" }).check();
		await visit.page.getByRole("checkbox", { name: "Compare Long chat" }).check();
		const compared = visit.page.getByRole("region", { name: "Kept scenarios side by side" });
		await compared.waitFor();
		await visit.page.reload();
		await compared.waitFor();
		// The three times longer prompt takes longer to its first token.
		const first = compared.getByRole("row").filter({ hasText: "Time to the first token" });
		expect(await first.textContent()).toMatch(/[+]\d+%/);

		await row("Short chat").getByRole("button", { name: "Take out" }).click();
		await visit.page.getByText("“Short chat” is taken out").waitFor();
		await expect.poll(() => visit.page.getByRole("checkbox", { name: "Compare Short chat" }).count()).toBe(0);
		await visit.page.getByRole("button", { name: "Undo" }).click();
		await expect.poll(() => visit.page.getByRole("checkbox", { name: "Compare Short chat" }).count()).toBe(1);
	});

	it("tell that newer measurements change the answer, and open what was asked in Plan", async () => {
		const send = (secondsPerToken: number) =>
			fetch(`${visit.dashboard.url}/api/v1/runs?label=since-${secondsPerToken}`, {
				method: "POST",
				body: JSON.stringify({
					...{ plimsoll: 1, gpu: "H100 SXM 80GB", gpus: 1, model: "llama-3.1-8b", engine: "vllm" },
					...{ engineVersion: "0.99.0", weights: "bf16", kv: "bf16", tp: 1 },
					measurements: [512, 2048, 8192, 16384].map((tokens) => ({
						...{ phase: "prefill", tokens, cached: 0, batch: 1, seconds: [secondsPerToken * tokens] },
					})),
				}),
			}).then((response) => response.json());
		const { configurations } = await send(1e-4);
		await keep(`/?configuration=${configurations[0].id}&context=8000&concurrency=1`, "Before the upgrade");
		await send(2e-4);
		await open("/scenarios");
		await visit.page.getByRole("link", { name: "Before the upgrade" }).click();
		await visit.page.getByText("Today the answer is another one").waitFor();
		expect(await visit.page.getByText("prefill measurements").isVisible()).toBe(true);
		// Measured once at 1 and once at 2 times the time: the geometric mean is √2, 41 % more.
		const change = visit.page.getByRole("row").filter({ hasText: "Time to the first token" });
		expect(await change.textContent()).toContain("+41%");
		await visit.page.getByRole("link", { name: "Open in Plan" }).click();
		await expect.poll(() => new URL(visit.page.url()).searchParams.get("context")).toBe("8000");
	});
});
