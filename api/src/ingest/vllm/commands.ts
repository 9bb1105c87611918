import type { Family } from "../family.ts";
import { isRecord, text } from "../fields.ts";
import { findJson } from "../text/json.ts";

/** The `.commands` file beside a result: command lines and the type of the machine, no measurement. */
export const vllmCommands: Family = {
	name: "vllm commands json",
	detect: ({ json }) => isRecord(json) && ("client_command" in json || "server_command" in json),
	document: function* (body) {
		const value = findJson(body)?.value;
		const machine = isRecord(value) ? text(value.gpu_type) : null;
		yield {
			kind: "aside",
			at: "file",
			reason:
				"command lines of a benchmark, no measurement: send the result file beside it" +
				(machine === null ? "" : ` (this machine was called "${machine}")`),
		};
	},
};
