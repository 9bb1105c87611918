import type { Family } from "../family.ts";
import { isRecord } from "../fields.ts";
import type { Item } from "../record.ts";
import { jsonValues } from "../text/json.ts";
import { cutRow, jsonLineReader } from "../text/json-lines.ts";
import { isServerAnswer, LlamaAnswers } from "./answers.ts";

/** Answers of llama-server, one a line: bare, or inside a recorder's line. */
export const llamaServerJsonl: Family = {
	name: "llama-server jsonl",
	detect: ({ json, jsonLines }) => jsonLines && isRecord(json) && isServerAnswer(json),
	lines: () => {
		const answers = new LlamaAnswers();
		return jsonLineReader({ row: (row, at) => answers.items(row, at) });
	},
};

/** An answer of llama-server (/completion, OpenAI style, /props, /slots, /v1/models) or a list of them. */
export const llamaServerJson: Family = {
	name: "llama-server json",
	detect: ({ json }) => isServerAnswer(json),
	*document(text) {
		const answers = new LlamaAnswers();
		for (const { value, open, fault, start } of jsonValues(text)) {
			const at = `character ${start}`;
			if (open.size > 0) yield cutRow(at, fault);
			else yield* answers.items(value, at);
		}
	},
};

const EVENT = /^data:\s?(\{.*)$/;

/** A stream of llama-server as it came: "data: {…}" lines. The last event of an answer holds its timings. */
export const llamaServerStream: Family = {
	name: "llama-server stream",
	detect: ({ text }) =>
		/^data:\s?\{/m.test(text.slice(0, 65_536)) && /"timings"|"error"|"tokens_evaluated"/.test(text),
	lines: () => new LlamaStream(),
};

class LlamaStream {
	private readonly answers = new LlamaAnswers();
	private last: { event: Record<string, unknown>; at: string } | null = null;
	private timed = false;

	*line(text: string, number: number): Generator<Item> {
		if (/^data:\s*\[DONE\]/.test(text)) yield* this.end();
		const payload = EVENT.exec(text)?.[1];
		if (payload === undefined) return;
		const at = `line ${number}`;
		for (const { value, fault } of jsonValues(payload)) {
			if (fault !== null) yield cutRow(at, fault);
			else if (isRecord(value)) yield* this.event(value, at);
		}
	}

	*end(): Generator<Item> {
		const { last } = this;
		this.last = null;
		if (last === null) return;
		if (this.timed) yield* this.answers.items(last.event, last.at);
		else yield { kind: "rejected", at: last.at, reason: "the stream ends without timings" };
		this.timed = false;
	}

	private *event(event: Record<string, unknown>, at: string): Generator<Item> {
		if (isRecord(event.error)) {
			this.last = null;
			yield* this.answers.items(event, at);
			return;
		}
		const timed = isRecord(event.timings);
		// Timings per token count up: only the last ones are those of the answer.
		if (timed || !this.timed) this.last = { event, at };
		this.timed ||= timed;
		if (event.stop === true) yield* this.end();
	}
}

/** A /metrics page of llama-server: sums since its start, over requests whose lengths are not in it. */
export const llamaMetrics: Family = {
	name: "llama-server metrics",
	detect: ({ text }) => /^(?:# (?:HELP|TYPE) )?llamacpp:\w+/m.test(text),
	*document(text) {
		const value = (name: string) =>
			new RegExp(`^llamacpp:${name}(?:\\{[^}]*\\})? ([\\d.e+-]+)`, "m").exec(text)?.[1] ?? "?";
		const reason =
			`sums since the start of the server (${value("prompt_tokens_total")} prompt tokens in ${value("prompt_seconds_total")} s, ` +
			`${value("tokens_predicted_total")} generated in ${value("tokens_predicted_seconds_total")} s) over requests of unknown length: no point of a curve`;
		yield { kind: "aside", at: "the whole page", reason };
	},
};
