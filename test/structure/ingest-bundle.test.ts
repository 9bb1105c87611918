import { resolve } from "node:path";
import { build } from "vite";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

test("the ingest bundles for the browser with nothing but itself, the model and the reader of archives", async () => {
	const result = await build({
		root,
		configFile: false,
		logLevel: "silent",
		build: {
			write: false,
			lib: { entry: resolve(root, "api/src/ingest/index.ts"), formats: ["es"], fileName: "ingest" },
		},
	});
	const outputs = (Array.isArray(result) ? result : [result]).flatMap((r) => ("output" in r ? r.output : []));
	const modules = outputs.flatMap((o) => (o.type === "chunk" ? Object.keys(o.modules) : []));
	expect(modules.length).toBeGreaterThan(20);
	const homes = ["api/src/ingest", "api/src/model", "node_modules/fflate"].map((home) => resolve(root, home));
	expect(modules.filter((id) => !homes.some((home) => id.startsWith(home)))).toEqual([]);
});
