import { globSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { CODE_ONLY, PAGES, pageAt } from "./pages.ts";

const ROUTES = resolve(import.meta.dirname, "../routes");
const routesWith = (file: string) =>
	globSync(`**/${file}`, { cwd: ROUTES }).map((path) => `/${path.replace(/\/?\+[\w.]+$/, "")}`);
const withData = new Set(routesWith("+page.server.ts"));

describe("the list of pages", () => {
	it("names every page that is no entry of a list", () => {
		const addresses = routesWith("+page.svelte")
			.filter((route) => !/\[|\/new$/.test(route))
			.map((route) => route.replace(/\/\(\w+\)/, "") || "/");
		expect(PAGES.map(({ href }) => href).sort()).toEqual(addresses.sort());
	});

	it("has a letter for one page only, and none that means something else after g", () => {
		const keys = PAGES.flatMap(({ key }) => key ?? []);
		expect(new Set(keys).size).toBe(keys.length);
		expect(keys.filter((key) => !/^[a-z]$/.test(key) || key === "g")).toEqual([]);
	});

	it("knows which routes are code alone", () => {
		const code = routesWith("+page.svelte").filter((route) => !withData.has(route));
		expect([...CODE_ONLY].sort()).toEqual(code.sort());
	});

	it.each([
		["/", "Plan"],
		["/claims", "Claims"],
		["/claims/lengths", "Effective lengths"],
		["/configurations/abc", "Configurations"],
		["/prices/new", "Prices"],
		["/api/docs", "API"],
		["/nowhere", undefined],
		["/loads", undefined],
	])("%s belongs to %s", (pathname, label) => expect(pageAt(pathname)?.label).toBe(label));
});
