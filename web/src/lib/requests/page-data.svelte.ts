import { type BeforeNavigate, goto, preloadCode } from "$app/navigation";
import { CODE_ONLY } from "../pages.ts";

/** A page that could not be opened, or a question that was not answered; the page before it stays. */
export interface Halt {
	/** Where the reader wanted to go. */
	url: URL;
	/** Why it did not come; null: the reader stopped it. */
	reason: string | null;
	/** Asks once more; the navigation then goes on. */
	again: () => void | Promise<void>;
}

/** Ends of the addresses that SvelteKit fetches a page's data from. */
const DATA_FILE = /\/__data\.json$/;
const UNREACHED = "The server could not be reached. Is it still running?";
const never = <T>() => new Promise<T>(() => {});

/**
 * Fetches the data of pages. SvelteKit takes a failed fetch for the end of the page and shows an error in its place; here
 * the answer is held back instead: the page stays, says what happened, and goes on when another try succeeds.
 */
class PageData {
	halted = $state.raw<Halt | null>(null);
	/** Whether data are under way that can be stopped. */
	underWay = $state(false);
	#native: typeof fetch | undefined;
	#request: AbortController | undefined;
	/** Only the newest navigation counts. */
	#newest = 0;
	/** Ids of routes whose code is here. */
	#opened = new Set<string>();

	/** Takes the fetches of pages' data over; called once, before the first navigation. */
	hold(): void {
		const native = window.fetch.bind(window);
		this.#native = native;
		window.fetch = (input, init) => {
			const url = new URL(input instanceof Request ? input.url : input, location.href);
			return url.origin === location.origin && DATA_FILE.test(url.pathname)
				? this.#fetch(url)
				: native(input, init);
		};
	}

	/** Stops what is under way; the page stays as it was. */
	stop(): void {
		this.#request?.abort();
	}

	/** A page is shown: what was held back matters no more. */
	arrive(route: string | null | undefined): void {
		this.#newest++;
		this.halted = null;
		if (route) this.#opened.add(route);
	}

	/** Goes to a page without data on the server only when its code is here. */
	fetchCodeFirst({ to, type, willUnload, cancel }: BeforeNavigate): void {
		const route = to?.route.id;
		const codeOnly = route && CODE_ONLY.includes(route) && !this.#opened.has(route);
		if (!to || !codeOnly || willUnload || type === "popstate") return;
		cancel();
		this.#open(route, to.url);
	}

	async #open(route: string, url: URL): Promise<void> {
		const number = ++this.#newest;
		this.halted = null;
		try {
			await preloadCode(url.pathname as Parameters<typeof preloadCode>[0]);
			this.#opened.add(route);
		} catch {
			if (number === this.#newest) this.halted = { url, reason: UNREACHED, again: () => this.#enter(url) };
			return;
		}
		if (number === this.#newest) await goto(url);
	}

	/** Loads a page anew as soon as the server answers: a browser may not fetch again what once failed to come. */
	async #enter(url: URL): Promise<void> {
		try {
			await this.#native?.("/healthz");
			location.assign(url);
		} catch {
			this.halted = { url, reason: UNREACHED, again: () => this.#enter(url) };
		}
	}

	async #fetch(data: URL): Promise<Response> {
		const number = ++this.#newest;
		const url = new URL(data);
		url.pathname = url.pathname.replace(DATA_FILE, "") || "/";
		for (const key of [...url.searchParams.keys()])
			if (key.startsWith("x-sveltekit-")) url.searchParams.delete(key);
		const from = location.pathname;
		this.halted = null;
		for (;;) {
			const outcome = await this.#attempt(data);
			if (outcome instanceof Response) return outcome;
			if (number !== this.#newest) return never();
			await new Promise<void>((goOn) => {
				const elsewhere = outcome !== null && url.pathname !== from;
				this.halted = { url, reason: outcome, again: elsewhere ? () => this.#enter(url) : goOn };
			});
			this.halted = null;
		}
	}

	/** The answer, or why there is none; null: it was stopped. */
	async #attempt(url: URL): Promise<Response | string | null> {
		const request = new AbortController();
		this.#request = request;
		this.underWay = true;
		try {
			const response = await (this.#native ?? fetch)(url, { signal: request.signal });
			return response.status < 500 ? response : `The server answered ${response.status}.`;
		} catch {
			return request.signal.aborted ? null : UNREACHED;
		} finally {
			if (this.#request === request) this.underWay = false;
		}
	}
}

export const pageData = new PageData();
