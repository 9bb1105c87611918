import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { launch, openPage, settled, type WatchedPage } from "./browser.ts";
import { type Dashboard, startDashboard } from "./dashboard.ts";

/** A dashboard of a group of tests, and a fresh page for each of them. */
export interface Visit {
	readonly dashboard: Dashboard;
	readonly browser: Browser;
	readonly page: Page;
	/** Goes to an address and waits until the page answers to input. */
	open(path: string): Promise<void>;
	/** What the page of this test may complain about: refusals are answers of the server, seen in the console. */
	forgive(complaint: RegExp): void;
}

/** To be called in a group of tests: starts the product once, opens a page for each test, and fails on its complaints. */
export function visiting(): Visit {
	let dashboard: Dashboard;
	let browser: Browser;
	let watched: WatchedPage;
	let forgiven: RegExp[];
	beforeAll(async () => {
		[dashboard, browser] = await Promise.all([startDashboard(), launch()]);
	});
	afterAll(async () => {
		await Promise.all([browser?.close(), dashboard?.stop()]);
	});
	beforeEach(async () => {
		forgiven = [];
		watched = await openPage(browser, dashboard.url);
	});
	afterEach(async () => {
		const complaints = watched.complaints();
		await watched.close();
		expect(complaints.filter((one) => !forgiven.some((known) => known.test(one)))).toEqual([]);
	});
	return {
		get dashboard() {
			return dashboard;
		},
		get browser() {
			return browser;
		},
		get page() {
			return watched.page;
		},
		async open(path) {
			await watched.page.goto(path);
			await settled(watched.page);
		},
		forgive: (complaint) => forgiven.push(complaint),
	};
}
