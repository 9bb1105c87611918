import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isNpmScript } from "../api/src/environment.ts";

/**
 * `npm start`: builds the dashboard where its sources changed, then becomes the server, in this very process,
 * so that signals reach it and nothing is left behind.
 */
const root = resolve(import.meta.dirname, "..");
const built = existsSync(resolve(root, "web/build/handler.js"));
const turbo = resolve(root, "node_modules/.bin", process.platform === "win32" ? "turbo.cmd" : "turbo");

if (existsSync(turbo)) {
	if (!built) console.log("Building the dashboard (the first time only) …");
	const { status, stdout, stderr } = spawnSync(turbo, ["run", "build", "--output-logs=errors-only"], {
		cwd: root,
		encoding: "utf8",
		env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
		shell: process.platform === "win32",
	});
	if (status !== 0) {
		console.error(`${stdout}${stderr}`);
		console.error(
			`The dashboard could not be built; ${built ? "the last build" : "the API alone"} is served.`,
		);
	}
} else if (!built) {
	console.error("The dashboard is not built and its build tools are not installed: run npm install first.");
}

// npm runs this through a shell that passes no signal on: a stopped npm would leave the server behind.
const shell = process.ppid;
const watch = setInterval(() => {
	if (process.ppid === shell) return;
	clearInterval(watch);
	process.kill(process.pid, "SIGTERM");
}, 500).unref();
if (!isNpmScript()) clearInterval(watch);

await import("../api/src/server.ts");
