import type { Handle, HandleFetch } from "@sveltejs/kit/hooks";

/** The API of this very process; the server puts it here before it loads the dashboard. */
interface InProcessApp {
	fetch(request: Request): Response | Promise<Response>;
}

const APP = Symbol.for("plimsoll.app");
const PREFIX = "/api/";

function inProcessApp(): InProcessApp | undefined {
	return (globalThis as { [APP]?: InProcessApp })[APP];
}

/** Sends the page's own `/api/…` calls to the API without a socket; `vite dev` has no app and asks the other process. */
export const handleFetch: HandleFetch = ({ event, request, fetch }) => {
	const url = new URL(request.url);
	if (url.origin !== event.url.origin || !url.pathname.startsWith(PREFIX)) return fetch(request);
	const app = inProcessApp();
	if (app) {
		request.headers.set("plimsoll-client", "dashboard");
		return app.fetch(request);
	}
	const api = `http://127.0.0.1:${process.env.PORT ?? 8787}`;
	return fetch(new Request(new URL(url.pathname + url.search, api), request));
};

/** Preloads the one font file that every page shows, so that the text does not jump. */
export const handle: Handle = ({ event, resolve }) =>
	resolve(event, {
		preload: ({ type, path }) =>
			type === "js" || type === "css" || (type === "font" && path.includes("inter-latin-wght-normal")),
	});
