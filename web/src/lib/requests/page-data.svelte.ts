/** Data of a page that did not come; the page before it stays. */
export interface Halt {
	/** Where the reader wanted to go. */
	pathname: string;
	/** Why it did not come; null: the reader stopped it. */
	reason: string | null;
	/** Asks once more; the navigation then goes on. */
	again: () => void;
}

/** Ends of the addresses that SvelteKit fetches a page's data from. */
const DATA_FILE = /\/__data\.json$/;
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

	/** Another page is shown: what was held back matters no more. */
	forget(): void {
		this.halted = null;
	}

	async #fetch(url: URL): Promise<Response> {
		const number = ++this.#newest;
		this.halted = null;
		for (;;) {
			const outcome = await this.#attempt(url);
			if (outcome instanceof Response) return outcome;
			if (number !== this.#newest) return never();
			await new Promise<void>((again) => {
				this.halted = { pathname: url.pathname.replace(DATA_FILE, "") || "/", reason: outcome, again };
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
			return request.signal.aborted ? null : "The server could not be reached. Is it still running?";
		} finally {
			if (this.#request === request) this.underWay = false;
		}
	}
}

export const pageData = new PageData();
