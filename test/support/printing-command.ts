/**
 * Stands where a benchmark stands: prints a file in pieces on the standard output and a line on the standard error,
 * then ends with the code. With --wait it first waits for a signal, counts those that come, and names them.
 * Usage: node printing-command.ts FILE [code] [--wait]
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const [file = "", code = "0", wait] = process.argv.slice(2);
const bytes = readFileSync(file);

if (wait === "--wait") {
	const signals: string[] = [];
	for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => signals.push(signal));
	console.error("waiting");
	while (signals.length === 0) await sleep(20);
	// A second signal would come at once.
	await sleep(300);
	console.error(`got ${signals.join(" and ")}`);
}
for (let at = 0; at < bytes.length; at += 1000) {
	process.stdout.write(bytes.subarray(at, at + 1000));
	await sleep(1);
}
console.error("load_backend: loaded CPU backend");
process.exitCode = Number(code);
