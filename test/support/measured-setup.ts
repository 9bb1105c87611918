import { canonical, type TestApp } from "./api.ts";

/** Seconds of the made-up card of tests: a prompt of s tokens, and one step of B sequences at L tokens. */
export const prefillSeconds = (s: number) => 0.02 + 1e-4 * s + 2e-9 * s * s;
export const stepSeconds = (batch: number, context: number) => 0.008 + 1e-4 * batch + 1e-8 * batch * context;

/** Posts a run that both laws can be fitted to; `fields` says of what. @returns the ids of run and configuration */
export async function postMeasured(
	{ call }: Pick<TestApp, "call">,
	fields: Record<string, unknown>,
	headers: Record<string, string> = {},
): Promise<{ run: string; configuration: string }> {
	const file = canonical(fields, [
		...[512, 2048, 8192, 32_768, 131_072].map((tokens) => ({
			...{ phase: "prefill", tokens, cached: 0, batch: 1, seconds: [prefillSeconds(tokens)] },
		})),
		...[1, 8, 32].flatMap((batch) =>
			[1024, 65_536].map((context) => ({
				...{ phase: "decode", batch, context, seconds: [stepSeconds(batch, context)] },
			})),
		),
	]);
	const { body } = await call("POST", "/runs", file, headers);
	return { run: body.id, configuration: body.configurations[0].id };
}
