import { resolve } from "node:path";
import { build } from "vite";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

test("the model bundles for the browser and nothing outside its folder comes along", async () => {
	const result = await build({
		root,
		configFile: false,
		logLevel: "silent",
		build: {
			write: false,
			lib: { entry: resolve(root, "api/src/model/index.ts"), formats: ["es"], fileName: "model" },
		},
	});
	const outputs = (Array.isArray(result) ? result : [result]).flatMap((r) => ("output" in r ? r.output : []));
	const modules = outputs.flatMap((o) => (o.type === "chunk" ? Object.keys(o.modules) : []));
	expect(modules.length).toBeGreaterThan(5);
	expect(modules.filter((id) => !id.startsWith(resolve(root, "api/src/model/")))).toEqual([]);
});
