import { describe, expect, it } from "vitest";
import { russian } from "../language/catalogue.ts";
import { textsOf } from "../language/page-words.ts";
import { pagesToRead } from "../language/pages.ts";
import { englishIn, unknownIn } from "../language/unknown.ts";
import { figureOf, hasChromium, openPage, settled } from "../support/browser.ts";
import { visiting } from "../support/visit.ts";

/** Of each list: what differs between its pages are names and figures. */
const OF_EACH = 6;

describe.skipIf(!hasChromium)("the dashboard in Russian", () => {
	const visit = visiting();

	const open = async (path: string) => {
		const russian = await openPage(visit.browser, visit.dashboard.url, { locale: "ru-RU" });
		await russian.page.goto(path);
		await settled(russian.page);
		return russian;
	};

	it("misses no sentence on any page", async () => {
		const translate = russian();
		const unknown = new Map<string, string>();
		for (const path of await pagesToRead(visit.dashboard.url, OF_EACH)) {
			const response = await fetch(visit.dashboard.url + path, { headers: { "accept-language": "en" } });
			for (const text of textsOf(await response.text())) {
				const why = unknownIn(text, translate);
				if (why) unknown.set(text, `${path}: ${why}`);
			}
		}
		expect(Object.fromEntries(unknown)).toEqual({});
	});

	it("is what the server writes, and stays so while sliders move", async () => {
		const { page, complaints, close } = await open("/");
		const written = await (
			await fetch(visit.dashboard.url, { headers: { "accept-language": "ru-RU,ru;q=0.9" } })
		).text();
		expect(written).toContain('<html lang="ru">');
		expect([...textsOf(written)].flatMap(englishIn)).toEqual([]);
		const english = async () => [...textsOf(await page.content())].flatMap(englishIn);
		expect(await english()).toEqual([]);
		const slider = page.getByRole("slider").first();
		await slider.focus();
		for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
		await settled(page);
		expect(await english()).toEqual([]);
		expect(complaints()).toEqual([]);
		await close();
	});

	it("shows and reads figures as Russian writes them, and the plain value is the same", async () => {
		const { page, close } = await open("/?context=16384&output=200&concurrency=8");
		const contextOf = () =>
			page.getByRole("textbox").evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
		expect(await contextOf()).toContain("16\u00a0384");
		await visit.open("/?context=16384&output=200&concurrency=8");
		expect(await figureOf(page, "Первый токен", "Показать, откуда")).toBe(
			await figureOf(visit.page, "First token"),
		);
		const context = page.getByRole("textbox", { name: "Контекст" });
		await context.fill("8,5k");
		await context.press("Enter");
		await expect.poll(() => new URL(page.url()).searchParams.get("context")).toBe("8500");
		expect(await context.inputValue()).toBe("8\u00a0500");
		await close();
	});

	it("is chosen at the top, keeps the question and outlives a reload", async () => {
		await visit.open("/trap?context=8000");
		await visit.page.getByRole("button", { name: "Русский" }).click();
		await settled(visit.page);
		expect(await visit.page.locator("html").getAttribute("lang")).toBe("ru");
		expect(new URL(visit.page.url()).search).toBe("?context=8000");
		await visit.page.reload();
		await settled(visit.page);
		expect(await visit.page.locator("html").getAttribute("lang")).toBe("ru");
		await visit.page.getByRole("button", { name: "English" }).click();
		await settled(visit.page);
		expect(await visit.page.locator("html").getAttribute("lang")).toBe("en");
	});

	it("leads back to this planner alone, and refuses what is no form", async () => {
		const choose = (body: string | URLSearchParams, type = "application/x-www-form-urlencoded") =>
			fetch(`${visit.dashboard.url}/language`, {
				method: "POST",
				redirect: "manual",
				headers: { origin: visit.dashboard.url, "content-type": type },
				body: String(body),
			});
		for (const [back, to] of [
			["/fleet?rate=2", "/fleet?rate=2"],
			["/.//evil.com", "/"],
			["/..//evil.com", "/"],
			["//evil.com", "/"],
			["https://evil.com/", "/"],
		]) {
			const response = await choose(new URLSearchParams({ language: "ru", back: back ?? "" }));
			expect([response.status, response.headers.get("location")], back).toEqual([303, to]);
		}
		expect((await choose("{}", "application/json")).status).toBe(415);
		expect((await choose("language=xx")).status).toBe(400);
	});

	it.each([1440, 390])("fits into %i pixels", async (width) => {
		const { page, close } = await open("/");
		await page.setViewportSize({ width, height: 900 });
		await settled(page);
		expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
		await close();
	});
});
