import { describe, expect, it } from "vitest";
import { canBeFitted, firstTokenOf, notesOf, rateOf, shapeOf, timeOf } from "./measured.ts";
import type { Measurement } from "./record.ts";

const plain = (text: string | null) => text?.replaceAll("\u00a0", " ") ?? null;

function measurement(fields: Partial<Measurement>): Measurement {
	return {
		...{ id: "1", configurationId: "c", runId: "r", at: "row 1", phase: "prefill", status: "ok" },
		...{ tokens: null, depth: null, generated: null, batch: 1, rate: null, seconds: [] },
		...{ secondsMean: null, secondsStd: null, repetitions: null, reason: null, details: null },
		...{ suspicions: [], included: true, startedAt: null },
		...fields,
	};
}

describe("a measurement in words", () => {
	it("says what was remarked on it, whatever else its details hold", () => {
		const notes = ["repetition 1 of 4 was slow", "the spread is unknown"];
		expect(notesOf(measurement({ details: { notes, avg_ts: 12 } }))).toEqual(notes);
		expect(notesOf(measurement({ details: { notes: "text" } }))).toEqual([]);
		expect(notesOf(measurement({}))).toEqual([]);
	});

	it("says the shape of each phase", () => {
		expect(shapeOf(measurement({ tokens: 4096, depth: 8192, batch: 4 }))).toBe(
			"4,096 tokens over 8,192 cached, 4 together",
		);
		expect(shapeOf(measurement({ phase: "decode", depth: 2048, batch: 1 }))).toBe(
			"2,048 tokens of context, alone",
		);
		expect(shapeOf(measurement({ phase: "decode", depth: 16_399.5, batch: 1 }))).toBe(
			"16,400 tokens of context, alone",
		);
		expect(shapeOf(measurement({ phase: "decode", depth: 15.5, batch: 1 }))).toBe(
			"15.5 tokens of context, alone",
		);
		expect(shapeOf(measurement({ phase: "mixed", tokens: 512, depth: 0, generated: 128 }))).toBe(
			"512 tokens, 128 generated",
		);
		expect(shapeOf(measurement({ phase: "serve", tokens: 1024, generated: 128, batch: 16 }))).toBe(
			"1,024 in, 128 out, 16 in flight",
		);
		expect(
			shapeOf(measurement({ phase: "serve", tokens: 1024, generated: 128, batch: null, rate: 2.5 })),
		).toBe("1,024 in, 128 out, 2.50 requests/s");
		expect(shapeOf(measurement({ status: "failed" }))).toBe("shape not said");
	});

	it("says the time with its spread, and nothing where nothing was timed", () => {
		expect(plain(timeOf(measurement({ secondsMean: 0.128, secondsStd: 0.00128 })))).toBe("128 ms ± 1.0%");
		expect(plain(timeOf(measurement({ secondsMean: 0.128 })))).toBe("128 ms");
		expect(timeOf(measurement({}))).toBeNull();
	});

	it("turns times into rates: 4 × 512 tokens in half a second are 4,096 a second", () => {
		expect(plain(rateOf(measurement({ tokens: 512, batch: 4, secondsMean: 0.5 })))).toBe("4,100 tokens/s");
		expect(plain(rateOf(measurement({ phase: "decode", batch: 8, secondsMean: 0.02 })))).toBe("400 tokens/s");
		expect(rateOf(measurement({ phase: "mixed", tokens: 512, secondsMean: 1 }))).toBeNull();
	});

	it("takes a server's rate and time to first token from its own statistics", () => {
		const served = measurement({
			phase: "serve",
			details: { outputTokensPerSecond: 640, ttft: { mean: 0.9 } },
		});
		expect(plain(rateOf(served))).toBe("640 tokens/s");
		expect(plain(firstTokenOf(served))).toBe("900 ms");
		expect(firstTokenOf(measurement({}))).toBeNull();
	});

	it("says a median for a first token whose mean is not known", () => {
		const first = (ttft: unknown) => plain(firstTokenOf(measurement({ phase: "serve", details: { ttft } })));
		expect(first({ mean: null, p50: 0.45 })).toBe("450 ms median");
		expect(first({ mean: 0.9, p50: 0.45 })).toBe("900 ms");
		expect(first({ mean: null, p50: null, p99: 2 })).toBeNull();
	});

	it("knows what no fit can read", () => {
		expect(canBeFitted(measurement({}))).toBe(true);
		expect(canBeFitted(measurement({ status: "failed" }))).toBe(false);
		expect(canBeFitted(measurement({ phase: "mixed" }))).toBe(false);
	});
});
