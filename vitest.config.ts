import { availableParallelism } from "node:os";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { ClosingLine } from "./test/support/closing-line.ts";

const database = ["./test/support/global-setup.ts"];

export default defineConfig({
	test: {
		reporters: ["default", new ClosingLine()],
		// A third of the time is spent waiting, for a page to be idle or a server to start: no core is left to itself.
		maxWorkers: Math.max(3, availableParallelism() - 1),
		projects: [
			{
				// Components are drawn as the server draws them.
				plugins: [svelte({ configFile: false })],
				test: {
					name: "unit",
					include: [
						"{api,cli}/src/**/*.test.ts",
						"web/src/**/*.test.ts",
						"test/{structure,accuracy,language}/**/*.test.ts",
					],
					// Property tests take their time on a busy machine.
					testTimeout: 60_000,
				},
			},
			{
				test: {
					name: "database",
					include: ["db/src/**/*.test.ts", "test/integration/**/*.test.ts"],
					globalSetup: database,
					testTimeout: 60_000,
					hookTimeout: 60_000,
				},
			},
			{
				test: {
					name: "browser",
					include: ["test/e2e/**/*.test.ts"],
					globalSetup: ["./test/support/dashboard.ts"],
					testTimeout: 120_000,
					hookTimeout: 120_000,
					// A busy machine may take a while to get there; a wrong page never does.
					expect: { poll: { timeout: 15_000 } },
				},
			},
		],
	},
});
