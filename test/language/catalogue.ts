import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { russianNumerals } from "../../web/src/lib/language/numerals.ts";
import { type Catalogue, translator } from "../../web/src/lib/language/translate.ts";

const FOLDER = join(import.meta.dirname, "../../web/src/lib/language/ru");

/** The Russian catalogue, file by file. */
export const russianParts = (): Record<string, Catalogue> =>
	Object.fromEntries(
		readdirSync(FOLDER).map((name) => [
			name,
			JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as Catalogue,
		]),
	);

export const russian = () =>
	translator(Object.assign({}, ...Object.values(russianParts())), {
		locale: "ru",
		numerals: russianNumerals,
	});
