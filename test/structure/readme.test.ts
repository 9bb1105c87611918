import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { SETTINGS } from "../../api/src/environment.ts";

const readme = readFileSync(resolve(import.meta.dirname, "../../README.md"), "utf8");

test.each(SETTINGS)("the README's table has $name as it is", ({ name, default: fallback, meaning }) => {
	const shown = fallback === "(none)" ? "none" : `\`${fallback}\``;
	expect(readme).toContain(`| \`${name}\` | ${shown} | ${meaning} |`);
});

test("every npm script that the README and CONTRIBUTING name exists", () => {
	const contributing = readFileSync(resolve(import.meta.dirname, "../../CONTRIBUTING.md"), "utf8");
	const { scripts } = JSON.parse(readFileSync(resolve(import.meta.dirname, "../../package.json"), "utf8"));
	const named = [...`${readme}${contributing}`.matchAll(/npm run ([a-z:-]+)\b(?! -w)/g)].map(
		([, name = ""]) => name,
	);
	expect(named.length).toBeGreaterThan(5);
	expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
