import { seedCatalogs } from "@plimsoll/db";
import { canonical, type TestApp, testApp } from "./api.ts";

/** Seconds of the made-up configuration: a prompt, and a step of `batch` sequences at `context` tokens. */
export const promptSeconds = (tokens: number): number => 0.02 + 1e-4 * tokens + 2e-9 * tokens * tokens;
export const stepSeconds = (batch: number, context: number): number =>
	0.008 + 1e-4 * batch + 1e-8 * batch * context;

const measurements = [
	...[512, 1024, 2048, 4096, 8192, 16384, 32768].map((tokens) => ({
		...{ phase: "prefill", tokens, cached: 0, batch: 1, seconds: [promptSeconds(tokens)] },
	})),
	...[1, 4, 16].flatMap((batch) =>
		[1024, 8192, 16384].map((context) => ({
			...{ phase: "decode", batch, context, seconds: [stepSeconds(batch, context)] },
		})),
	),
];

/** An app with catalogs and two configurations that follow the laws above: on one GPU, and on four as one. */
export async function reportedApp(): Promise<TestApp & { one: string; four: string }> {
	const made = await testApp();
	await seedCatalogs(made.deps.database);
	const post = async (fields: Record<string, unknown>) => {
		const named = { engineVersion: "0.11.0", ...fields };
		const { body } = await made.call("POST", "/runs?label=night", canonical(named, measurements));
		return body.configurations[0].id as string;
	};
	return { ...made, one: await post({}), four: await post({ gpus: 4, tp: 4 }) };
}
