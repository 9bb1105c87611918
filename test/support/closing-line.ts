import type { Reporter, TestModule } from "vitest/node";

/** Ends the output with "N passed, N failed, N skipped", alone on a line, for scripts that read only that. */
export class ClosingLine implements Reporter {
	onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]) {
		const count = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 };
		for (const module of modules) {
			if (module.errors().length > 0) count.failed++;
			for (const test of module.children.allTests()) count[test.result().state]++;
		}
		// After the other reporters have closed: theirs is the summary to read, this one the line to parse.
		process.once("exit", () => {
			console.log(
				`\n${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`,
			);
		});
	}
}
