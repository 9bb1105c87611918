import { resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, describe, expect, it } from "vitest";
import { freshDatabase } from "../support/database.ts";
import { plimsoll } from "../support/plimsoll-command.ts";
import { startServer } from "../support/running-server.ts";

const main = resolve(import.meta.dirname, "../../cli/src/main.ts");
const database = await freshDatabase();
const server = await startServer({ DATABASE_URL: database.url, EXAMPLES: "off" });
afterAll(async () => {
	await server.stop("SIGKILL");
	await database.drop();
});

const line = (message: object) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
const env = { PLIMSOLL_URL: server.url };

describe("plimsoll mcp", () => {
	it.each(["auto", "legacy"] as const)(
		"lets a client ask over standard input and output, form %s",
		async (mode) => {
			const client = new Client({ name: "a desktop", version: "3" }, { versionNegotiation: { mode } });
			const args = [main, "mcp", "--url", server.url];
			await client.connect(new StdioClientTransport({ command: process.execPath, args }));
			expect((await client.listTools()).tools.map(({ name }) => name)).toContain("plan_route");
			const result = await client.callTool({
				name: "plan_route",
				arguments: { task: "сколько видеокарт нужно?" },
			});
			expect(JSON.stringify(result.content)).toContain("fleet");
			await client.close();
			const usage = await (await fetch(`${server.url}/api/v1/usage`)).json();
			const told = usage.operations.find(
				({ operation }: { operation: string }) => operation === "plan_route",
			);
			expect(told.outliers).toContainEqual(
				expect.objectContaining({ transport: "stdio", client: "a desktop", version: "3" }),
			);
		},
	);

	it("answers in the protocol what went wrong, and ends with its input", async () => {
		const input = `no json\n${line({ id: 1, method: "tools/list" })}${line({ method: "notifications/initialized" })}`;
		const wrongKey = await plimsoll(["mcp", "--key", "wrong"], { env, input });
		const answers = wrongKey.stdout
			.trim()
			.split("\n")
			.map((text) => JSON.parse(text));
		expect(answers).toContainEqual(
			expect.objectContaining({ error: expect.objectContaining({ code: -32_700 }) }),
		);
		const refused = answers.find(({ id }) => id === 1);
		expect(refused.error.message).toContain("Key not known");
		expect(wrongKey.code).toBe(0);
		const nobody = await plimsoll(["mcp", "--url", "http://127.0.0.1:9"], {
			input: line({ id: 2, method: "ping" }),
		});
		expect(JSON.parse(nobody.stdout)).toMatchObject({
			id: 2,
			error: { message: expect.stringContaining("--url") },
		});
	});

	it("refuses arguments that it does not know", async () => {
		const outcome = await plimsoll(["mcp", "somewhere"], { env });
		expect([outcome.code, outcome.stderr]).toEqual([2, expect.stringContaining("options only")]);
	});
});
