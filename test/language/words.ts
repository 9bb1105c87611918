/**
 * Prints what pages say that the Russian catalogue does not know, each text with the first page that says it.
 * `npm run words`: of a Plimsoll of its own. `npm run words -- http://127.0.0.1:8787`: of one that runs.
 * With `--keep FILE` the English texts are kept; `--from FILE` takes them from there, without a server.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { startDashboard } from "../support/dashboard.ts";
import { russian } from "./catalogue.ts";
import { textsOf } from "./page-words.ts";
import { pagesToRead } from "./pages.ts";
import { unknownIn } from "./unknown.ts";

async function readPages(url: string): Promise<Map<string, string>> {
	const said = new Map<string, string>();
	for (const page of await pagesToRead(url)) {
		const response = await fetch(url + page, { headers: { "accept-language": "en" } });
		for (const text of textsOf(await response.text())) if (!said.has(text)) said.set(text, page);
	}
	return said;
}

async function read(running: string | undefined): Promise<Map<string, string>> {
	if (running) return readPages(running);
	const own = await startDashboard();
	try {
		return await readPages(own.url);
	} finally {
		await own.stop();
	}
}

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { keep: { type: "string" }, from: { type: "string" } },
});
const said = values.from
	? new Map<string, string>(JSON.parse(readFileSync(values.from, "utf8")))
	: await read(positionals[0]);
if (values.keep) writeFileSync(values.keep, JSON.stringify([...said], null, "\t"));

const translate = russian();
/** Texts that differ in their figures alone are one sentence. */
const missing = new Map<string, string>();
for (const [text, page] of said) {
	const why = unknownIn(text, translate);
	const sentence = text.replace(/\d[\d,]*(\.\d+)?/g, "0");
	if (why && !missing.has(sentence)) missing.set(sentence, `${page}\t${why}\t${text}`);
}
for (const line of missing.values()) console.log(line);
console.log(`${said.size} texts, ${missing.size} sentences are not known`);
