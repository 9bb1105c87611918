import { describe, expect, it } from "vitest";
import { axeFindings, hasChromium } from "../support/browser.ts";
import { visiting } from "../support/visit.ts";

const DEMAND = "gpu=h100-sxm-80gb&rate=5&prefix=1024&hit=0.15&growth=0.03";
const one = (amount: number) => ({ low: amount, high: amount });

describe.skipIf(!hasChromium)("rent, buy or API", () => {
	const visit = visiting();

	const api = (path: string, init?: RequestInit) =>
		fetch(`${visit.dashboard.url}/api/v1${path}`, init).then((response) => response.json());
	const enter = (price: object) =>
		api("/prices", {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ source: "a test", ...price }),
		});
	const open = visit.open;
	const text = async () => (await visit.page.locator("main").textContent())?.replaceAll("\u00a0", " ") ?? "";

	it("asks for the prices that it lacks, and still tells the schemes with their dates", async () => {
		await open(`/economics?${DEMAND.replace("h100-sxm-80gb", "l40s")}`);
		const link = visit.page.getByRole("link", { name: "Enter what owning costs" });
		expect(await link.getAttribute("href")).toBe("/prices/new?kind=owned&subject=l40s");
		await visit.page.getByRole("link", { name: "Enter a hosted model's prices" }).waitFor();
		const schemes = visit.page.getByRole("table", { name: "How providers charge for a remembered prefix" });
		// (1.25 − 1)/(1.25 − 0.1) and (2 − 1)/(2 − 0.1).
		expect(await schemes.textContent()).toMatch(/21\.7%.*52\.6%/s);
		expect(await schemes.textContent()).toContain("read 21 Sept 2026");
	});

	it("shows the figures that the API answers, and the price behind each two clicks away", async () => {
		await enter({
			subject: "h100-sxm-80gb",
			terms: {
				...{ kind: "owned", capexPerGpu: one(29_200), lifetimeMonths: 40, residualShare: 0 },
				...{ watts: 1000, pue: 1, perKwh: one(0.1), staffPerGpuMonth: one(0), hostingPerGpuMonth: one(0) },
			},
		});
		const hosted = await enter({
			subject: "a-hosted-model",
			terms: {
				...{ kind: "hosted", inputPerMillion: one(1), outputPerMillion: one(2) },
				cache: { scheme: "paid write", write: 1.25, read: 0.1 },
				...{ minimumPrefixTokens: 1024, lifetimeSeconds: 300 },
			},
		});
		const answer = await api(`/fleet/economics?${DEMAND}`);
		const { economics, option } = answer;
		// The one default of the page and the API: the list entered here that was read last.
		expect(answer.priceIds.hosted).toBe(hosted.id);
		// What the server writes into the page has every figure's arithmetic in it, before any script.
		const written = await fetch(`${visit.dashboard.url}/economics?${DEMAND}`).then((response) =>
			response.text(),
		);
		const quantities = [
			economics.hostedUsdPerRequest,
			...[economics.rentAgainstApi.first, economics.rentAgainstApi.always],
			...[economics.ownAgainstApi.first, economics.ownAgainstApi.always],
			...Object.values<{ arithmetic: string }>(economics.prefixCache),
			option.cost.usdPerMonth,
		];
		for (const { arithmetic } of quantities) expect(written).toContain(arithmetic);

		await open(`/economics?${DEMAND}`);
		// By hand: 29,200 / (40 × 730 h) + 1 kW × 0.1 = 1.10 an hour, 730 hours, each GPU of the fleet.
		const gpus = option.gpus.value;
		const owned = visit.page.getByRole("button", { name: /^A month, owned:/ });
		await owned.click();
		const month = (1.1 * 730 * gpus).toLocaleString("en-US", {
			minimumFractionDigits: 2,
			maximumFractionDigits: 2,
		});
		await visit.page
			.getByRole("dialog", { name: /^A month, owned/ })
			.getByText(`= $${month}`)
			.waitFor();
		await visit.page.keyboard.press("Escape");
		// Cash before book value, and both with their months; the totals beside the chart.
		const turn = visit.page.getByRole("listitem").filter({ hasText: "Owning has cost no more than renting" });
		expect(await turn.textContent()).toMatch(/in cash: (from|not).*\(book value\): from the first month on/);
		const last = economics.outlay.middle.at(-1);
		const total = (value: number) =>
			`$${value.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
		expect(await text()).toContain(`${total(last.rent)} for renting; ${total(last.own)} for owning`);
		// 15 % of hits are below the 21.7 % that pay.
		expect(await text()).toContain("15 % of the requests hit, 21.7 % are needed");
		const tornado = visit.page.getByRole("table", { name: "Sensitivity of the cost of a month" });
		expect(await tornado.locator("tbody tr").count()).toBe(economics.sensitivity.bars.length);
		const labels = await tornado.locator("tbody tr td:first-child").allTextContents();
		expect(labels.map((label) => label.trim())).toEqual(
			economics.sensitivity.bars.map(({ label }: { label: string }) => label),
		);

		await visit.page.locator(`a[href="/prices/${hosted.id}"]`).click();
		await visit.page.getByRole("heading", { level: 1, name: /^a-hosted-model/ }).waitFor();
	});

	it("keeps what Fleet asked, and compares with no hosted model where that is chosen", async () => {
		await open(`/economics?${DEMAND}&percentile=90`);
		await visit.page.getByLabel("Hosted model", { exact: true }).selectOption("none");
		await visit.page.getByRole("button", { name: "Compare" }).click();
		await expect
			.poll(() => new URL(visit.page.url()).searchParams.get("hosted"), { timeout: 15_000 })
			.toBe("none");
		const query = new URL(visit.page.url()).searchParams;
		expect([query.get("percentile"), query.get("prefix"), query.get("growth")]).toEqual([
			"90",
			"1024",
			"0.03",
		]);
		await visit.page.getByRole("button", { name: /^A month, hosted model: not known/ }).waitFor();
	});

	it.each(["light", "dark"] as const)(
		"in %s axe finds nothing, and a phone scrolls nothing sideways",
		async (theme) => {
			await visit.page.setViewportSize({ width: 390, height: 900 });
			await visit.page.emulateMedia({ colorScheme: theme });
			await open(`/economics?${DEMAND}`);
			expect(await axeFindings(visit.page)).toEqual([]);
			expect(await visit.page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(
				390,
			);
		},
	);
});
