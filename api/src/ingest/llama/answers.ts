import { count, emptyConditions, isRecord, modelName, text } from "../fields.ts";
import { pinnedMemory } from "../pinned.ts";
import type { Conditions, Item } from "../record.ts";
import { isDrafted, isSummary, isTimed, summaryFlags, summaryItem, timingItems } from "./answer-timings.ts";
import { buildName, modelType } from "./bench-settings.ts";

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

	private timed(answer: Answer & { timings: Answer }, wrapper: Answer, at: string): Item[] {
		const flags: Conditions["flags"] = isDrafted(answer.timings) ? { speculative: true } : {};
		return timingItems(answer, wrapper, this.conditions(answer, wrapper, flags), at);
	}

	private *summary(value: Answer & { results: unknown[] }, at: string): Generator<Item> {
		const conditions = this.conditions({ model: value.gguf ?? value.model }, value, summaryFlags(value));
		const place = at === "character 0" ? "" : `${at} `;
		for (const [index, result] of value.results.entries()) {
			yield summaryItem(result, `${place}results[${index}]`, conditions, text(value.timestamp));
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
