import type { CheckedFleet } from "@plimsoll/api";
import type { Quantity } from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import { axeFindings, figureOf, hasChromium, settled } from "../support/browser.ts";
import { visiting } from "../support/visit.ts";

describe.skipIf(!hasChromium)("the fleet page", () => {
	const visit = visiting();

	/** In closed form: whether there is time to simulate depends on the machine. */
	const MEASURED = "measured=true&check=0";
	const open = (query: string) => visit.open(`/fleet?${query}`);
	const fleet = async (query: string): Promise<CheckedFleet> => {
		const response = await fetch(`${visit.dashboard.url}/api/v1/fleet?${query}`);
		expect(response.status).toBe(200);
		return (await response.json()) as CheckedFleet;
	};
	const field = (label: string) => visit.page.getByRole("textbox", { name: label, exact: true });

	it("searches for what its form asks; the address is the question and outlives a reload", async () => {
		await open(MEASURED);
		await field("Tasks per second, mean of the day").fill("3");
		await field("Prompt").fill("2k");
		await field("First token within").fill("1.5");
		await visit.page.getByRole("button", { name: "Find fleets" }).click();
		const asked = { rate: "3", context: "2k", ttftSlo: "1.5", measured: "true" };
		await expect.poll(() => Object.fromEntries(new URL(visit.page.url()).searchParams)).toEqual(asked);
		const demand = visit.page.getByRole("region", { name: "What faster costs" });
		await expect.poll(() => figureOf(demand, "Busiest hour")).toBe(3);
		expect(await figureOf(demand, "Prompt")).toBe(2000);
		await visit.page.reload();
		await settled(visit.page);
		expect(await field("Prompt").inputValue()).toBe("2k");
		expect(await visit.page.getByRole("checkbox", { name: /Only what was measured/ }).isChecked()).toBe(true);
		expect(await figureOf(demand, "Busiest hour")).toBe(3);
	});

	it("shows that a long search is under way, until it is stopped or its answer is there", async () => {
		await open(MEASURED);
		const bar = visit.page.getByRole("progressbar", { name: "Being worked out" });
		let answer = () => {};
		const held = new Promise<void>((resolve) => {
			answer = resolve;
		});
		await visit.page.route(/\/fleet\/__data\.json/, async (route) => {
			await held;
			await route.continue();
		});
		await field("Prompt").fill("3k");
		await visit.page.getByRole("button", { name: "Find fleets" }).click();
		await bar.waitFor();
		await visit.page.getByRole("button", { name: "Stop" }).click();
		await bar.waitFor({ state: "detached" });
		expect(new URL(visit.page.url()).searchParams.get("context")).toBeNull();
		expect(await field("Prompt").inputValue()).toBe("3k");
		await visit.page.getByRole("button", { name: "Find fleets" }).click();
		await bar.waitFor();
		answer();
		await bar.waitFor({ state: "detached" });
		await visit.page.unroute(/\/fleet\/__data\.json/);
		expect(new URL(visit.page.url()).searchParams.get("context")).toBe("3k");
	});

	it("names the model that it chose itself, and says that nobody did", async () => {
		await open(MEASURED);
		const heading = (await visit.page.getByRole("heading", { level: 1 }).textContent()) ?? "";
		const name = heading.split(":")[0];
		await visit.page.getByText(`model not said: ${name}, as measured first`).waitFor();
		const [option] = (await fleet(MEASURED)).options;
		await open(`${MEASURED}&model=${option?.scenario.model}`);
		expect(await visit.page.getByRole("heading", { level: 1 }).textContent()).toBe(heading);
		expect(await visit.page.getByText("model not said").count()).toBe(0);
	});

	it("asks by people in place of tasks", async () => {
		await open(MEASURED);
		await visit.page.getByRole("radio", { name: "People at work" }).check();
		await field("People in the busiest hour").fill("40");
		await visit.page.getByRole("button", { name: "Find fleets" }).click();
		await expect.poll(() => new URL(visit.page.url()).search).toBe("?users=40&measured=true");
		expect(await field("People in the busiest hour").inputValue()).toBe("40");
	});

	it("says of the first fleet what /fleet says, figure by figure", async () => {
		const query = `${MEASURED}&rate=2&context=1200&output=250&price=2`;
		await open(query);
		const [option] = (await fleet(query)).options;
		if (!option) throw new Error("no option");
		const heading = (await visit.page.getByRole("heading", { level: 1 }).textContent()) ?? "";
		expect(heading).toContain(`${option.gpus.value} × ${option.gpu.name}`);
		const row = visit.page
			.getByRole("table", { name: "Fleets that hold the limits" })
			.locator("tbody tr")
			.first();
		const figures: [string, Quantity][] = [
			["A month", option.cost.usdPerMonth],
			["1M output", option.cost.usdPerMillionOutputTokens],
			["First token, 95 %", option.ttft],
			["Per token, 95 %", option.tpot],
			["Whole answer", option.e2e],
			["Idle", option.idleShare],
		];
		for (const [label, { value }] of figures) {
			expect(value, label).not.toBeNull();
			expect(await figureOf(row, label), label).toBeCloseTo(value ?? 0, 9);
		}
		const top = visit.page.locator("dl.first");
		expect(await figureOf(top, "A request")).toBeCloseTo(option.cost.usdPerRequest.value ?? 0, 9);
	});

	it("opens the plan of a point of the frontier", async () => {
		await open(`${MEASURED}&rate=2&context=1200&output=250`);
		const { frontier } = await fleet(`${MEASURED}&rate=2&context=1200&output=250`);
		const points = visit.page.getByRole("region", { name: "The frontier, point by point" });
		expect(await points.getByRole("listitem").count()).toBe(frontier.length);
		await points.getByRole("link").first().click();
		await expect.poll(() => new URL(visit.page.url()).pathname).toBe("/");
		await expect
			.poll(() => visit.page.getByRole("heading", { level: 1 }).textContent())
			.toContain(`${frontier[0]?.option.scenario.gpus} × `);
		expect(new URL(visit.page.url()).searchParams.get("context")).toBe("1200");
	});

	it("takes growth in per cent, keeps it as a share, and shows what the demand then takes", async () => {
		await open(`${MEASURED}&rate=2&growth=0.05`);
		expect(await field("Growth").inputValue()).toBe("5");
		await field("Growth").fill("2,5 %");
		await visit.page.getByRole("button", { name: "Find fleets" }).click();
		await expect
			.poll(() => new URL(visit.page.url()).searchParams.get("growth"), { timeout: 15_000 })
			.toBe("0.025");
		const [option] = (await fleet(`${MEASURED}&rate=2&growth=0.025`)).options;
		const rows = visit.page
			.getByRole("table", { name: "The first fleet as the demand grows" })
			.locator("tbody tr");
		await expect.poll(() => rows.count()).toBe(4);
		for (const [i, { months, gpus, peakRequestsPerSecond }] of (option?.ahead ?? []).entries()) {
			const row = rows.nth(i + 1);
			expect(await row.textContent()).toContain(`month ${months}`);
			expect(await figureOf(row, "GPUs")).toBe(gpus.value);
			expect(await figureOf(row, "Busiest hour")).toBeCloseTo(2 * 1.025 ** months, 9);
			expect(peakRequestsPerSecond.evidence).toBe("assumed");
		}
		await open(`${MEASURED}&growth=5`);
		expect(await field("Growth").getAttribute("aria-invalid")).toBe("true");
		expect(await visit.page.getByRole("alert").first().textContent()).toContain("5 would be 500 % a month");
	});

	it("says that a plan has the GPUs that serve and which are spare, and how many at both ends of its times", async () => {
		const query = `${MEASURED}&rate=2&context=1200&output=250`;
		await open(query);
		const [option] = (await fleet(query)).options;
		if (!option) throw new Error("no option");
		const serving = option.working * option.gpusPerReplica;
		const table = visit.page.getByRole("table", { name: "Fleets that hold the limits" });
		const link = table.getByRole("link", { name: /^plan of the/ }).first();
		expect(await link.textContent()).toBe(
			`plan of the ${serving} ${serving === 1 ? "GPU that serves" : "GPUs that serve"}; ${(option.gpus.value ?? 0) - serving} ${option.gpusPerReplica === 1 ? "is" : "are"} spare`,
		);
		await link.click();
		await expect.poll(() => new URL(visit.page.url()).searchParams.get("gpus")).toBe(String(serving));
	});

	it.each([
		[1440, "light"],
		[390, "dark"],
	] as const)("fits into %i pixels, %s: nothing runs over its edge", async (width, colorScheme) => {
		await visit.page.setViewportSize({ width, height: 900 });
		await visit.page.emulateMedia({ colorScheme });
		await open("model=llama-3.1-70b&rate=4&context=3000&output=500&check=0");
		const beyond = await visit.page.evaluate((phone) => {
			const wide = (one: Element) => one.scrollWidth > one.clientWidth + 1;
			const table = document.querySelector('[role="region"][aria-label="Fleets that hold the limits"]');
			const names = [...(table?.querySelectorAll("td:first-child") ?? [])].filter(wide).length;
			const figures = [...document.querySelectorAll("main dd")].filter(wide).length;
			return {
				page: wide(document.documentElement),
				table: !phone && table !== null && wide(table),
				names,
				figures,
			};
		}, width < 768);
		expect(beyond).toEqual({ page: false, table: false, names: 0, figures: 0 });
		expect(await axeFindings(visit.page)).toEqual([]);
	});

	it("narrows the table by brush, by fields and by chips; the address keeps it, and one button undoes it", async () => {
		const query = `${MEASURED}&rate=4&context=1200&output=250&each=setting`;
		await open(query);
		const { page } = visit;
		const { options, frontier } = await fleet(query);
		const rows = page.getByRole("table", { name: "Fleets that hold the limits" }).locator("tbody tr.noted");
		const params = () => new URL(page.url()).searchParams;
		expect(await rows.count()).toBe(options.length);

		const plot = page.locator("figure.chart .plot").first();
		await plot.scrollIntoViewIfNeeded();
		const box = await plot.boundingBox();
		if (!box) throw new Error("the chart is not laid out");
		const [y, from, to] = [box.y + box.height / 2, box.x + box.width * 0.3, box.x + box.width * 0.7];
		await page.mouse.move(from, y);
		await page.mouse.down();
		await page.mouse.move((from + to) / 2, y, { steps: 3 });
		await page.mouse.move(to, y + 3, { steps: 3 });
		await page.mouse.up();
		await expect.poll(() => params().get("costFrom")).not.toBeNull();
		expect(params().has("timeFrom")).toBe(false);
		const inRange = (value: number | null) =>
			value !== null && value >= Number(params().get("costFrom")) && value <= Number(params().get("costTo"));
		const within = options.filter(({ cost }) => inRange(cost.usdPerMonth.value)).length;
		await expect.poll(() => rows.count()).toBe(within);
		const points = page.getByRole("region", { name: "The frontier, point by point" }).getByRole("listitem");
		expect(await points.count()).toBe(
			frontier.filter(({ usdPerMonth }) => inRange(usdPerMonth.value)).length,
		);
		expect(await page.getByRole("group", { name: /^Pinned/ }).count()).toBe(0);

		await page.reload();
		await settled(page);
		expect(await rows.count()).toBe(within);
		expect(await field("Month from").inputValue()).toBe(params().get("costFrom"));
		await page.getByRole("button", { name: "Show all", exact: true }).click();
		await expect.poll(() => rows.count()).toBe(options.length);
		expect(params().has("costFrom")).toBe(false);

		const slowest = Math.max(...options.map(({ e2e }) => e2e.value ?? 0));
		await field("Time of a whole answer to").fill(String(slowest / 2));
		await page.keyboard.press("Enter");
		const quick = options.filter(
			({ e2e }) => (e2e.value ?? 0) <= Number((slowest / 2).toPrecision(3)),
		).length;
		await expect.poll(() => rows.count()).toBe(quick);
		await field("Time of a whole answer to").fill("soon");
		await page.keyboard.press("Enter");
		await page.getByRole("alert").filter({ hasText: "is not a number" }).waitFor();

		await open("model=llama-3.1-70b&gpu=h100-sxm-80gb,b200-sxm&check=0&each=setting");
		const cards = page.getByRole("group", { name: "GPU", exact: true }).getByRole("button");
		await cards.filter({ hasText: "B200" }).click();
		await expect.poll(() => params().getAll("showGpu")).toEqual(["B200 SXM"]);
		expect(await cards.filter({ hasText: "B200" }).getAttribute("aria-pressed")).toBe("true");
		const names = await rows.locator("td:first-child").allTextContents();
		expect(names.length).toBeGreaterThan(0);
		expect(names.filter((name) => !name.includes("B200"))).toEqual([]);

		await open(`${query}&showGpu=none&costTo=dear`);
		await page.getByText("No listed fleet lies in what is chosen above").waitFor();
		await page.getByText("The link had parts that could not be used: costTo=dear").waitFor();
		expect(await axeFindings(page)).toEqual([]);
	});

	it("names a key that it does not know", async () => {
		await open(`${MEASURED}&contxt=5`);
		const alert = visit.page.getByRole("alert").filter({ hasText: "No fleet could be worked out" });
		expect(await alert.textContent()).toContain("contxt: unknown here");
	});

	it("says at the field what it does not understand", async () => {
		await open(`${MEASURED}&context=many`);
		expect(await field("Prompt").getAttribute("aria-invalid")).toBe("true");
		expect(await field("Prompt").inputValue()).toBe("many");
	});
});
