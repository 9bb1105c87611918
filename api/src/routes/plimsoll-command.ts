import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createRoute, z } from "@hono/zod-openapi";
import { Problem } from "../problem.ts";
import { problems } from "./problem-schema.ts";
import { router } from "./router.ts";

/** The workspace `cli` as one file; `npm run build` makes it. */
const FILE = resolve(import.meta.dirname, "../../../cli/build/plimsoll.mjs");

const read = createRoute({
	method: "get",
	path: "/plimsoll.mjs",
	tags: ["Runs"],
	summary: "The plimsoll command as one file, for machines with Node 18 or later",
	description:
		"curl -fO PLANNER/api/v1/plimsoll.mjs && node plimsoll.mjs run --url PLANNER -- llama-bench … " +
		"runs a benchmark, records the conditions around it and posts the result; node plimsoll.mjs help says more.",
	responses: {
		200: { description: "JavaScript", content: { "text/javascript": { schema: z.string() } } },
		...problems(404),
	},
});

/** Hands out the command that posts benchmarks. */
export function plimsollCommandRoutes() {
	return router().openapi(read, async (c) => {
		const text = await readFile(FILE, "utf8").catch(() => null);
		if (text === null)
			throw new Problem(404, "Not built", "The command is not built on this server: npm run build makes it.");
		return c.body(text, 200, {
			"content-type": "text/javascript; charset=utf-8",
			"content-disposition": 'attachment; filename="plimsoll.mjs"',
		});
	});
}
