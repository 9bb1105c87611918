import { count, emptyConditions, finite, isRecord, modelName, positive, text } from "./fields.ts";
import { buildName, modelType } from "./llama-bench-settings.ts";
import { UNKNOWN_LOAD } from "./llama-timings.ts";
import { pinnedMemory } from "./pinned.ts";
import type { Conditions, Item, Measurement } from "./record.ts";

type Answer = Record<string, unknown>;

/** Whether a value is an answer of llama-server, bare or in a recorder's wrapper. */
export function isServerAnswer(value: unknown): boolean {
	if (Array.isArray(value)) return isSlot(value[0]) || isServerAnswer(value[0]);
	if (!isRecord(value)) return false;
	return (
		isTimed(value) ||
		isTimed(value.response) ||
		isError(value) ||
		isProps(value) ||
		isModels(value) ||
		isSummary(value)
	);
}

function isTimed(value: unknown): boolean {
	return (
		isRecord(value) &&
		isRecord(value.timings) &&
		("predicted_ms" in value.timings || "prompt_ms" in value.timings)
	);
}

function isError(value: Answer): boolean {
	const inner = isRecord(value.error) ? value.error : null;
	return inner !== null && "message" in inner && ("code" in inner || "type" in inner);
}

function isProps(value: Answer): boolean {
	return "default_generation_settings" in value || ("total_slots" in value && "build_info" in value);
}

function isSlot(value: unknown): boolean {
	return isRecord(value) && "is_processing" in value && "n_ctx" in value;
}

function isModels(value: Answer): boolean {
	const [first] = Array.isArray(value.data) ? value.data : [];
	return isRecord(first) && first.owned_by === "llamacpp";
}

function isSummary(value: Answer): boolean {
	const [first] = Array.isArray(value.results) ? value.results : [];
	return isRecord(first) && "predicted_per_second" in first;
}

/** Turns answers into items; answers of the same model, build and speculation share their conditions. */
export class LlamaAnswers {
	private readonly known = new Map<string, Conditions>();

	*items(value: unknown, at: string): Generator<Item> {
		if (Array.isArray(value) && isSlot(value[0])) yield this.slots(value, at);
		else if (Array.isArray(value))
			for (const [index, one] of value.entries()) yield* this.items(one, `${at} [${index}]`);
		else if (!isRecord(value)) yield { kind: "rejected", at, reason: "no answer of llama-server" };
		else yield* this.answer(value, at);
	}

	private *answer(value: Answer, at: string): Generator<Item> {
		const inner = isRecord(value.response) ? value.response : value;
		if (isError(inner)) yield this.failure(inner, inner.error as Answer, at);
		else if (typeof value.error === "string")
			yield this.failure(value, { code: value.status, message: value.error }, at);
		else if (isSummary(value)) yield* this.summary(value, at);
		else if (isProps(value)) yield this.props(value, at);
		else if (isModels(value)) yield this.models(value, at);
		else if (isTimed(inner)) yield* this.timed(inner, value, at);
		else yield { kind: "rejected", at, reason: "the answer has no timings" };
	}

	/** prefill = prompt_ms for prompt_n tokens over cache_n; decode = predicted_ms over predicted_n − 1 steps. */
	private *timed(answer: Answer, wrapper: Answer, at: string): Generator<Item> {
		const timings = answer.timings as Record<string, unknown>;
		const drafted = positive(timings.draft_n) !== null;
		const conditions = this.conditions(answer, wrapper, drafted ? { speculative: true } : {});
		const base = baseOf(conditions, wrapper, timings, drafted);
		const prompt = count(timings.prompt_n) ?? 0;
		const cached = cachedTokens(timings, answer);
		yield promptItem(timings, prompt, cached, base(), at);
		const steps = (count(timings.predicted_n) ?? 0) - 1;
		const ms = positive(timings.predicted_ms);
		if (steps < 1 || ms === null) {
			yield {
				kind: "aside",
				at: `${at} predicted`,
				reason: "one token has no decode step: the prompt pass makes it",
			};
			return;
		}
		const seconds = ms / 1000 / steps;
		const context = cached + prompt + (steps - 1) / 2;
		yield {
			kind: "measurement",
			at: `${at} predicted`,
			measurement: {
				...base(),
				phase: "decode",
				batch: 1,
				context,
				generated: steps,
				seconds: [seconds],
				secondsMean: seconds,
			},
		};
	}

	/** A runner's summary: rates of requests without their prompts. */
	private *summary(value: Answer, at: string): Generator<Item> {
		const speculative = text(value.spec_flags);
		const flags: Conditions["flags"] =
			speculative === null || speculative === "(none)" ? {} : { speculative };
		const toolbox = text(value.toolbox);
		if (toolbox !== null) flags.toolbox = toolbox;
		const conditions = this.conditions({ model: value.gguf ?? value.model }, value, flags);
		for (const [index, result] of (value.results as unknown[]).entries()) {
			yield summaryItem(
				result,
				`${at === "character 0" ? "" : `${at} `}results[${index}]`,
				conditions,
				text(value.timestamp),
			);
		}
	}

	private props(value: Answer, at: string): Item {
		const settings = isRecord(value.default_generation_settings) ? value.default_generation_settings : {};
		const answer = { model: value.model_path ?? value.model_alias, system_fingerprint: value.build_info };
		const conditions = this.conditions(answer, value, {});
		const ftype = text(value.model_ftype);
		if (ftype !== null) conditions.weights ??= modelType(`x ${ftype}`).weights ?? ftype;
		return { kind: "memory", at, conditions, memory: pinnedMemory({ maxModelLen: count(settings.n_ctx) }) };
	}

	private slots(slots: unknown[], at: string): Item {
		const lengths = slots
			.map((slot) => (isRecord(slot) ? count(slot.n_ctx) : null))
			.filter((length) => length !== null);
		const maxModelLen = lengths.length === 0 ? null : Math.min(...lengths);
		return {
			kind: "memory",
			at,
			conditions: this.conditions({}, {}, {}),
			memory: pinnedMemory({ maxModelLen }),
		};
	}

	private models(value: Answer, at: string): Item {
		const [first] = value.data as Answer[];
		const meta = isRecord(first?.meta) ? first.meta : {};
		const conditions = this.conditions({ model: first?.id }, {}, {});
		conditions.modelParams ??= count(meta.n_params);
		conditions.modelBytes ??= count(meta.size);
		const ftype = text(meta.ftype);
		if (ftype !== null) conditions.weights ??= modelType(`x ${ftype}`).weights ?? ftype;
		return { kind: "memory", at, conditions, memory: pinnedMemory({ maxModelLen: count(meta.n_ctx) }) };
	}

	private failure(answer: Answer, error: Answer, at: string): Item {
		const reason =
			`${error.code ?? ""} ${text(error.message) ?? text(error.type) ?? "an error without words"}`.trim();
		return {
			kind: "failure",
			at,
			failure: {
				conditions: this.conditions(answer, answer, {}),
				phase: "serve",
				tokens: count(error.n_prompt_tokens),
				batch: null,
				reason: reason.split("\n")[0] ?? reason,
				startedAt: null,
			},
		};
	}

	private conditions(answer: Answer, wrapper: Answer, flags: Conditions["flags"]): Conditions {
		const model = text(answer.model) ?? text(wrapper.server_model);
		const [, build, commit] = /^b(\d+)-([0-9a-f]+)$/.exec(text(answer.system_fingerprint) ?? "") ?? [];
		const key = JSON.stringify([model, build, commit, flags]);
		let conditions = this.known.get(key);
		if (conditions === undefined) {
			conditions = {
				...emptyConditions("llama.cpp"),
				model: model === null ? null : modelName(model),
				engineVersion: buildName(build, commit),
				flags,
			};
			this.known.set(key, conditions);
		}
		return conditions;
	}
}

type Base = Omit<Measurement, "phase" | "seconds" | "secondsMean" | "batch">;

function baseOf(conditions: Conditions, wrapper: Answer, timings: Answer, drafted: boolean) {
	// A recorder that says "one request at a time" settles what the answer alone leaves open.
	const alone = finite(wrapper.concurrency) === 1;
	return (): Pick<
		Base,
		"conditions" | "startedAt" | "status" | "notes" | "suspicions" | "secondsStd" | "repetitions" | "details"
	> => ({
		conditions,
		startedAt: null,
		status: "ok",
		notes: drafted
			? [`speculative decoding: ${timings.draft_n_accepted} of ${timings.draft_n} drafted tokens accepted`]
			: [],
		suspicions: alone ? [] : [UNKNOWN_LOAD],
		secondsStd: null,
		repetitions: 1,
		details: {},
	});
}

function promptItem(
	timings: Answer,
	prompt: number,
	cached: number,
	base: ReturnType<ReturnType<typeof baseOf>>,
	at: string,
): Item {
	const ms = positive(timings.prompt_ms);
	if (prompt < 1 || ms === null)
		return {
			kind: "aside",
			at: `${at} prompt`,
			reason: "no prompt token was processed: all came from the cache",
		};
	const seconds = ms / 1000;
	return {
		kind: "measurement",
		at: `${at} prompt`,
		measurement: {
			...base,
			phase: "prefill",
			tokens: prompt,
			cached,
			batch: 1,
			seconds: [seconds],
			secondsMean: seconds,
		},
	};
}

/** Prompt tokens that came from the cache; builds before b6673 tell only by the length of the whole prompt. */
function cachedTokens(timings: Answer, answer: Answer): number {
	const stated = count(timings.cache_n);
	if (stated !== null) return stated;
	const usage = isRecord(answer.usage) ? answer.usage : {};
	const whole = count(answer.tokens_evaluated) ?? count(usage.prompt_tokens);
	return whole === null ? 0 : Math.max(0, whole - (count(timings.prompt_n) ?? whole));
}

function summaryItem(result: unknown, at: string, conditions: Conditions, startedAt: string | null): Item {
	const row = isRecord(result) ? result : {};
	const rate = positive(row.predicted_per_second);
	const generated = count(row.predicted_n);
	if (rate === null || generated === null || generated < 2) {
		return { kind: "rejected", at, reason: "predicted_per_second and predicted_n must be numbers above 0" };
	}
	const drafted = count(row.draft_n) ?? 0;
	const measurement: Measurement = {
		conditions,
		startedAt,
		status: "ok",
		notes:
			drafted > 0
				? [`speculative decoding: ${row.draft_n_accepted} of ${drafted} drafted tokens accepted`]
				: [],
		suspicions: ["the length of the prompt is not in the file, so the context is not known"],
		phase: "decode",
		batch: 1,
		context: (generated - 1) / 2,
		generated,
		seconds: [1 / rate],
		secondsMean: 1 / rate,
		secondsStd: null,
		repetitions: 1,
		details: { predicted_per_second: rate },
	};
	return { kind: "measurement", at, measurement };
}
