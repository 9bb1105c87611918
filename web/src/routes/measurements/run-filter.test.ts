import { expect, it } from "vitest";
import type { Run } from "#lib/records/record.ts";
import { filterOf, isEmpty, matches } from "./run-filter.ts";

const run: Run = {
	...{ id: "1", format: "llama-bench jsonl", sha256: "", label: "night build", fileName: "sweep.jsonl" },
	...{ bytes: 1, accepted: 1, rejected: 0, failed: 0, aside: 0, origin: "own", attribution: null },
	...{ createdAt: "2026-11-30T00:00:00Z", sentBy: null },
	configurations: [{ id: "c", label: "1 × RTX 4090 · Llama 3.1 8B" }],
};
const found = (query: string) => matches(run, filterOf(new URLSearchParams(query)));

it("finds words in file name, label and configuration alike", () => {
	expect(found("q=4090 night")).toBe(true);
	expect(found("q=SWEEP")).toBe(true);
	expect(found("q=h100")).toBe(false);
});

it("holds format and origin exactly", () => {
	expect(found("format=llama-bench jsonl&origin=own")).toBe(true);
	expect(found("format=llama-bench")).toBe(false);
	expect(found("origin=published")).toBe(false);
});

it("asks for nothing where the address says nothing", () => {
	expect(isEmpty(filterOf(new URLSearchParams("q=%20")))).toBe(true);
	expect(isEmpty(filterOf(new URLSearchParams("origin=own")))).toBe(false);
});
