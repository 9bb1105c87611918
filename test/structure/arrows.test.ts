import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const skipped = new Set(["node_modules", "build", ".svelte-kit", ".git", "data", "screenshots"]);

function sources(folder: string): string[] {
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		if (skipped.has(entry.name)) return [];
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return sources(path);
		return /\.(ts|svelte)$/.test(entry.name) && !/\.test\.ts$/.test(entry.name) ? [path] : [];
	});
}

/**
 * A statement that begins a line with `import` or `export … from`, or a call of `import(`: words like `from "…"` inside
 * a comment or a text are none.
 */
const IMPORT = /(?:^\s*(?:import|export)\b(?:[^"';]*?\bfrom)?\s*|\bimport\s*\(\s*)["']([^"']+)["']/gm;

/** Every module specifier of a file, relative ones turned into paths from the root. */
function imports(file: string): string[] {
	const text = readFileSync(join(root, file), "utf8");
	return [...text.matchAll(IMPORT)]
		.map(([, to]) => to ?? "")
		.map((specifier) =>
			specifier.startsWith(".") ? relative(root, resolve(root, file, "..", specifier)) : specifier,
		);
}

test("imports are statements, whatever comments and texts say", () => {
	const text = `
import { a, type B } from "./one.ts";
import type {
	C,
} from "./two.ts";
export * from "./three.ts";
import "./four.css";
	const lazy = () => import("./five.ts");
/** Wordings of all ages, from "# GPU blocks" of 2024. */
const words = 'import them from "elsewhere"';
export const said = "taken from";
export const colour = 'red';
`;
	expect([...text.matchAll(IMPORT)].map(([, to]) => to)).toEqual([
		...["./one.ts", "./two.ts", "./three.ts", "./four.css", "./five.ts"],
	]);
});

const arrows = (folder: string) =>
	sources(folder).flatMap((file) => imports(file).map((to) => ({ file, to })));

const offending = (folder: string, forbidden: (to: string) => boolean) =>
	arrows(folder)
		.filter(({ to }) => forbidden(to))
		.map(({ file, to }) => `${file} → ${to}`);

test("the tree holds what the rules speak of", () => {
	for (const folder of ["db/src", "api/src/model", "api/src/ingest", "api/src/routes", "web/src", "cli/src"])
		expect(arrows(folder).length, folder).toBeGreaterThan(0);
});

test("db imports no other package of the project", () => {
	expect(offending("db/src", (to) => /^@plimsoll\/|^(api|web|test)\//.test(to))).toEqual([]);
});

test("model imports only itself", () => {
	expect(offending("api/src/model", (to) => !to.startsWith("api/src/model/"))).toEqual([]);
});

test("model reads no clock and rolls no dice", () => {
	const impure = sources("api/src/model").filter((file) =>
		/Date\.now|new Date\(\)|Math\.random|performance\.now/.test(readFileSync(join(root, file), "utf8")),
	);
	expect(impure).toEqual([]);
});

test("ingest imports itself, model and the reader of archives", () => {
	expect(offending("api/src/ingest", (to) => !/^(api\/src\/(ingest|model)\/|fflate$)/.test(to))).toEqual([]);
});

test("tools imports itself, model, ingest and, only when they are asked for, vocabularies", () => {
	const lazy = /^(gpt-tokenizer|mistral-tokenizer-js|yaml|node:timers)(\/|$)/;
	const homes = /^api\/src\/(tools\/|model\/|ingest\/|problem\.ts$)/;
	expect(offending("api/src/tools", (to) => !homes.test(to) && !lazy.test(to))).toEqual([]);
	const statically = sources("api/src").filter((file) =>
		/\bfrom "(gpt-tokenizer|mistral-tokenizer-js|yaml)/.test(readFileSync(join(root, file), "utf8")),
	);
	expect(statically).toEqual([]);
});

test("routes reach the database only through the store", () => {
	expect(offending("api/src/routes", (to) => /^@plimsoll\/db|^drizzle|^postgres$/.test(to))).toEqual([]);
});

test("web imports of the api only its model, its scenario and types", () => {
	const runtime = sources("web/src").flatMap((file) => {
		const text = readFileSync(join(root, file), "utf8");
		return [...text.matchAll(/import (?!type)[^;]*?from "(@plimsoll\/[^"]+)"/g)].map(
			([, to]) => `${file} → ${to}`,
		);
	});
	expect(runtime.filter((arrow) => !/@plimsoll\/api\/(model|scenario|ingest)$/.test(arrow))).toEqual([]);
	expect(offending("web/src", (to) => /^@plimsoll\/db/.test(to))).toEqual([]);
});

test("cli imports itself and Node: it runs alone on other machines", () => {
	expect(offending("cli/src", (to) => !/^(cli\/|node:)/.test(to))).toEqual([]);
});

test("nobody imports test", () => {
	for (const folder of ["db/src", "api/src", "web/src", "cli/src"])
		expect(offending(folder, (to) => /^test\/|^@plimsoll\/test/.test(to))).toEqual([]);
});

test("no file reaches itself by its imports", () => {
	const tree = new Map(
		["db/src", "api/src", "cli/src"].flatMap((folder) =>
			sources(folder).map((file) => [file, imports(file)]),
		),
	);
	/** The way from a file back to one that it came by; null where there is none. */
	const circle = (file: string, way: readonly string[], done: Set<string>): readonly string[] | null => {
		if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
		if (done.has(file)) return null;
		for (const to of tree.get(file) ?? []) {
			const found = circle(to, [...way, file], done);
			if (found) return found;
		}
		done.add(file);
		return null;
	};
	const done = new Set<string>();
	for (const file of tree.keys()) expect(circle(file, [], done)).toBeNull();
});
