import { baseName, emptyConditions } from "../fields.ts";
import type { Conditions, Item } from "../record.ts";

const PATTERNS: [RegExp, (match: RegExpExecArray) => string][] = [
	[/llama_bench: error: (failed to .+)/, ([, what]) => what ?? ""],
	[
		/(?:main|common_\w+|srv\s+\w+|llama_\w+): (?:error: )?((?:failed|unable) to (?:load|create|allocate|initialize).+)/i,
		([, what]) => what ?? "",
	],
	[/((?:CUDA|HIP|ROCm|Vulkan|SYCL) error[:,].*)/i, ([, what]) => what ?? ""],
	[
		/(ggml_\w+: .*(?:out of (?:device )?memory|allocat\w+ .*failed|failed to allocate).*)/i,
		([, what]) => what ?? "",
	],
	[/((?:vk::\S+|terminate called).*)/, ([, what]) => what ?? ""],
	[/(GGML_ASSERT\(.*\) failed)/, ([, what]) => what ?? ""],
	[
		/(failed to decode the batch.*|llama_decode\(\) failed.*|failed to find a memory slot.*)/,
		([, what]) => what ?? "",
	],
	[/^(Segmentation fault|Aborted|Killed)\b/, ([, what]) => `the process ended: ${what ?? ""}`],
];

/** A failure that a line of llama.cpp's output states, e.g. that a model or a context could not be made. */
export function failureOfLine(line: string, at: string, conditions?: Conditions): Item | null {
	const reason = failureReason(line);
	if (reason === null) return null;
	const where = conditions ?? { ...emptyConditions("llama.cpp"), model: failedModel(line) };
	return {
		kind: "failure",
		at,
		failure: { conditions: where, phase: "prefill", tokens: null, batch: null, reason, startedAt: null },
	};
}

/** Base name of the model that a failing line names; null: none. */
export function failedModel(line: string): string | null {
	const path = /model (?:from )?'([^']+)'/.exec(line)?.[1];
	return path === undefined ? null : baseName(path);
}

/** The reason a failing line gives, with folders left out; null for other lines. */
export function failureReason(line: string): string | null {
	for (const [pattern, reason] of PATTERNS) {
		const match = pattern.exec(line);
		if (match !== null)
			return reason(match)
				.replace(/'([^']*[/\\][^']*)'/g, (_, path) => `'${baseName(path)}'`)
				.trim();
	}
	return null;
}
