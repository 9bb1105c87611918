import { error, redirect } from "@sveltejs/kit";
import { COOKIE, LANGUAGES } from "#lib/language/languages.ts";
import type { RequestHandler } from "./$types";

const YEAR_SECONDS = 365 * 24 * 3600;

/** Keeps the chosen language and writes the page anew that it was chosen on; works without scripts. */
export const POST: RequestHandler = async ({ request, cookies, url }) => {
	const form = await request.formData().catch(() => error(415, "Send the language as a form"));
	const language = String(form.get("language"));
	if (!(language in LANGUAGES))
		error(400, `There is no language “${language}”: ${Object.keys(LANGUAGES).join(", ")}`);
	cookies.set(COOKIE, language, { path: "/", maxAge: YEAR_SECONDS, secure: url.protocol === "https:" });
	const back = new URL(String(form.get("back") ?? "/"), url);
	// "//host" leads elsewhere, whatever stood before it.
	const here = back.origin === url.origin && !back.pathname.startsWith("//");
	redirect(303, here ? back.pathname + back.search : "/");
};
