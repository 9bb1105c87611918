import type { Handle, HandleFetch } from "@sveltejs/kit/hooks";
import { translatorInto } from "#lib/language/catalogue.ts";
import { translateHtml } from "#lib/language/html.ts";
import { COOKIE, type Language, languageFor } from "#lib/language/languages.ts";

/** The API of this very process; the server puts it here before it loads the dashboard. */
interface InProcessApp {
	fetch(request: Request): Response | Promise<Response>;
}

const APP = Symbol.for("plimsoll.app");
const PREFIX = "/api/";

/** The files of the font that a language needs. */
const FONTS: Record<Language, readonly string[]> = {
	en: ["inter-latin-wght-normal"],
	ru: ["inter-latin-wght-normal", "inter-cyrillic-wght-normal"],
};

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

/** Writes the page in the reader's language, and preloads the one font file that it shows, so that the text does not jump. */
export const handle: Handle = async ({ event, resolve }) => {
	const language = languageFor(event.cookies.get(COOKIE), event.request.headers.get("accept-language"));
	const translate = await translatorInto(language);
	const response = await resolve(event, {
		preload: ({ type, path }) =>
			type === "js" ||
			type === "css" ||
			(type === "font" && FONTS[language].some((font) => path.includes(font))),
		transformPageChunk({ html }) {
			const page = html.replace('<html lang="en">', `<html lang="${language}">`);
			return translate ? translateHtml(page, translate) : page;
		},
	});
	return zipped(event.request, response);
};

/** A page with all its figures is a fifth as long on its way; files are zipped when they are built. */
function zipped({ headers }: Request, response: Response): Response {
	const type = response.headers.get("content-type") ?? "";
	const understood = /\bgzip\b/.test(headers.get("accept-encoding") ?? "");
	if (!response.body || !understood || !type.startsWith("text/html")) return response;
	const zip = new Response(response.body.pipeThrough(new CompressionStream("gzip")), response);
	zip.headers.delete("content-length");
	zip.headers.set("content-encoding", "gzip");
	zip.headers.append("vary", "accept-encoding");
	return zip;
}
