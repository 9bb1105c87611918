import type { Family } from "../family.ts";
import { isRecord } from "../fields.ts";
import { findJson } from "../text/json.ts";
import { cleanText } from "../text/text.ts";
import { LlamaText } from "./text.ts";

/** Jupyter notebooks: what llama.cpp tools printed stands in the outputs of cells, the command above it. */
export const notebook: Family = {
	name: "notebook",
	detect: ({ json, text }) =>
		(isRecord(json) && "nbformat" in json) || /^\s*\{\s*"cells"\s*:\s*\[/.test(text),
	*document(text) {
		const value = findJson(text)?.value;
		const cells = isRecord(value) && Array.isArray(value.cells) ? value.cells : [];
		yield* new LlamaText(true).read(cleanText(cells.map(cellText).join("\n")));
	},
};

function cellText(cell: unknown): string {
	if (!isRecord(cell)) return "";
	const outputs = Array.isArray(cell.outputs) ? cell.outputs : [];
	return [joined(cell.source), ...outputs.map(outputText)].join("\n");
}

function outputText(output: unknown): string {
	if (!isRecord(output)) return "";
	const data = isRecord(output.data) ? output.data["text/plain"] : undefined;
	return joined(output.text ?? data);
}

/** Text is stored as one string or as a list of lines. */
function joined(text: unknown): string {
	if (Array.isArray(text)) return text.filter((part) => typeof part === "string").join("");
	return typeof text === "string" ? text : "";
}
