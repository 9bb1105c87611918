import { seedCatalogs } from "@plimsoll/db";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiDescription, type Operation, operationsOf } from "../../api/src/mcp/operation.ts";
import { createKey } from "../../api/src/store/keys.ts";
import { BYTES_PER_TOKEN } from "../../api/src/tokens.ts";
import { type Agent, agentOn } from "../support/agent.ts";
import { testApp } from "../support/api.ts";
import { postMeasured } from "../support/measured-setup.ts";

const open = await testApp();
const { call, deps } = open;
const operations = operationsOf((await call("GET", "/openapi.json")).body as ApiDescription);
const tokensOf = (text: string) => encode(text).length;
let agent: Agent;
const ids: Record<string, string> = {};

const JSON_TYPE = { "content-type": "application/json" };
beforeAll(async () => {
	await seedCatalogs(deps.database);
	const first = await postMeasured(open, { gpus: 8, tp: 8, model: "llama-3.1-70b" });
	const other = await postMeasured(open, { gpus: 4, tp: 4, model: "llama-3.1-70b" });
	const { body: page } = await call("GET", `/configurations/${first.configuration}/measurements`);
	const scenario = JSON.stringify({
		name: "Kept",
		query: `configuration=${first.configuration}&context=8000`,
	});
	const trace = "arrival_s,prompt_tokens,output_tokens\n0,374,44\n4.31,396,109\n";
	Object.assign(ids, {
		...{ CONFIGURATION: first.configuration, OTHER_CONFIGURATION: other.configuration, RUN: first.run },
		MEASUREMENT: page.items[0].id,
		SCENARIO: (await call("POST", "/scenarios", scenario, JSON_TYPE)).body.id,
		TRACE: (await call("POST", "/traces?name=kept", trace, { "content-type": "text/csv" })).body.id,
		OWN_TRACE: (await call("POST", "/traces?name=own", trace, { "content-type": "text/csv" })).body.id,
		PRICE: (await call("GET", "/prices?limit=1")).body.items[0].id,
		CLAIM: (await call("GET", "/claims?limit=1")).body.items[0].id,
		OWN_CLAIM: (
			await call("POST", "/claims", '{"statement":"Nobody reads beyond 8K","kind":"folklore"}', JSON_TYPE)
		).body.id,
		OWN_LENGTH: (
			await call(
				"POST",
				"/effective-lengths",
				JSON.stringify({
					...{ model: "llama-3.1-8b", task: "our questions", threshold: "80 % right" },
					...{ effectiveTokens: 16000, failedAtTokens: 32000, source: "our test set" },
				}),
				JSON_TYPE,
			)
		).body.id,
		KEY: (await createKey(deps.database.sql, { name: "old", scopes: ["plan"] })).id,
	});
	agent = await agentOn(open);
});
afterAll(async () => {
	await agent.close();
	await open.close();
});

/** The example with this database's ids in the place of the words in capitals. */
const realised = (example: object): Record<string, unknown> =>
	JSON.parse(
		JSON.stringify(example).replaceAll(/"([A-Z_]{3,})"/g, (whole, name) =>
			name in ids ? `"${ids[name]}"` : whole,
		),
	);

/** Reports take seconds to print, and are tested where they are made; the command is a build of another package. */
const ELSEWHERE = [
	"report_pdf",
	"report_json",
	"report_xlsx",
	"command_file",
	"add_examples",
	"delete_examples",
];
const creations = ({ method, name }: Operation) =>
	method === "DELETE" ? 2 : name === "restore_run" ? 3 : method === "GET" ? 0 : 1;

it("works for every operation as its example says, whose answer is one that an agent can read", async () => {
	const done = operations
		.filter(({ name }) => !ELSEWHERE.includes(name))
		.sort((a, b) => creations(a) - creations(b));
	const failed: string[] = [];
	const long: string[] = [];
	const ratios: number[] = [];
	for (const { name, example } of done) {
		const { isError, text } = await agent.call("plan_execute", {
			...{ operation: name, arguments: realised(example), wait: 20 },
		});
		if (isError) failed.push(`${name}: ${text.slice(0, 300)}`);
		if (text.length > 25_000) long.push(`${name}: ${text.length}`);
		if (text.length > 1000) ratios.push(Buffer.byteLength(text) / tokensOf(text));
	}
	expect(failed).toEqual([]);
	expect(long).toEqual([]);
	expect(done.length).toBeGreaterThan(50);
	// The rule for tokens holds within a quarter on the middle of these answers.
	const middle = ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 0;
	console.log(
		`bytes per token of ${ratios.length} answers: ${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)}, middle ${middle.toFixed(2)}; the rule says ${BYTES_PER_TOKEN}`,
	);
	expect(Math.abs(middle / BYTES_PER_TOKEN - 1)).toBeLessThan(0.15);
});

it("costs a client's window at most 900 tokens for its tools", async () => {
	const guided = tokensOf(JSON.stringify((await agent.client.listTools()).tools));
	const whole = await agentOn(open, { query: "?mode=catalogue" });
	const catalogue = tokensOf(JSON.stringify((await whole.client.listTools()).tools));
	await whole.close();
	const rules = tokensOf(agent.client.getInstructions() ?? "");
	console.log(
		`tools/list in o200k: guided ${guided} tokens (and ${rules} of instructions), catalogue ${catalogue}`,
	);
	expect(guided).toBeLessThanOrEqual(900);
	expect(guided + rules).toBeLessThanOrEqual(900);
	expect(catalogue).toBeGreaterThan(10 * guided);
});
