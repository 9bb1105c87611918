import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { TestApp } from "./api.ts";

/** What a tool answered, its text read as JSON. */
export interface ToolAnswer {
	isError: boolean;
	// Tests look into answers of every kind; what they expect stands in their assertions.
	// biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
	body: any;
	text: string;
	links: { uri: string; name: string; mimeType?: string | undefined }[];
}

export interface Agent {
	client: Client;
	call(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
	/** plan_route, then plan_execute with the call it gave, or with the choice that `choose` picks. */
	ask(task: string, choose?: (label: string) => boolean): Promise<ToolAnswer>;
	close(): Promise<void>;
}

interface AgentOptions {
	query?: string;
	name?: string;
	headers?: Record<string, string>;
	/** auto: this year's form of the protocol where the server has it. */
	form?: "legacy" | "auto";
}

/** A client of the SDK on the app itself, without sockets. */
export async function agentOn(
	{ app }: Pick<TestApp, "app">,
	{ query = "", name = "test agent", headers = {}, form = "auto" }: AgentOptions = {},
): Promise<Agent> {
	const client = new Client({ name, version: "1.2.3" }, { versionNegotiation: { mode: form } });
	const transport = new StreamableHTTPClientTransport(new URL(`http://localhost/mcp${query}`), {
		fetch: async (url, init) => app.request(String(url), init),
		requestInit: { headers },
	});
	await client.connect(transport);
	const call = async (tool: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> => {
		const result = await client.callTool({ name: tool, arguments: args });
		const [first, ...rest] = result.content;
		const text = first?.type === "text" ? first.text : "";
		return {
			...{ isError: result.isError === true, text, body: JSON.parse(text) },
			links: rest.filter((part) => part.type === "resource_link"),
		};
	};
	return {
		client,
		call,
		ask: async (task, choose = () => true) => {
			const { body } = await call("plan_route", { task });
			const chosen = body.choices?.find(({ label }: { label: string }) => choose(label));
			const { call: filled } = body;
			return call("plan_execute", { ...filled, arguments: { ...filled.arguments, ...chosen?.arguments } });
		},
		close: () => client.close(),
	};
}
