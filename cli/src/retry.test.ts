import { describe, expect, it } from "vitest";
import { type Answer, UnreadableSource } from "./post.ts";
import { persist, retryAfter } from "./retry.ts";

const answer = (status: number, headers: Record<string, string> = {}): Answer => ({
	status,
	headers,
	text: "",
});
const broken = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

/** Plays the results one call after the other, without waiting; says what was waited for. */
async function play(results: (Answer | Error)[], retries = 6, random = 1) {
	const pauses: number[] = [];
	let calls = 0;
	const call = async () => {
		const result = results[Math.min(calls++, results.length - 1)] as Answer | Error;
		if (result instanceof Error) throw result;
		return result;
	};
	const wait = async (milliseconds: number) => void pauses.push(milliseconds);
	const result = await persist(call, { retries, wait, random: () => random, say: () => {} }).catch(
		(error: Error) => error,
	);
	return { result, calls, pauses };
}

describe("persist", () => {
	it.each([408, 409, 429, 502, 503, 504])("calls again after %i", async (status) => {
		const { result, calls } = await play([answer(status), answer(status), answer(201)]);
		expect([result, calls]).toEqual([answer(201), 3]);
	});

	it("calls again after a failed connection", async () => {
		const { result, calls } = await play([broken, answer(200)]);
		expect([result, calls]).toEqual([answer(200), 2]);
	});

	it.each([200, 201, 301, 400, 401, 403, 404, 413, 415, 421, 422, 500])(
		"takes %i as it is",
		async (status) => {
			expect((await play([answer(status)])).calls).toBe(1);
		},
	);

	it("does not hope that a certificate or a file mends itself", async () => {
		const certificate = Object.assign(new Error("expired"), { code: "CERT_HAS_EXPIRED" });
		expect((await play([certificate])).calls).toBe(1);
		expect((await play([new UnreadableSource("gone")])).calls).toBe(1);
	});

	it("waits twice as long each time, at most half a minute, at least half of that", async () => {
		const most = [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000];
		expect((await play([broken], 8, 1)).pauses).toEqual(most);
		expect((await play([broken], 8, 0)).pauses).toEqual(most.map((pause) => pause / 2));
	});

	it("gives the last failure back when the tries are used up", async () => {
		expect(await play([broken], 2)).toMatchObject({ result: broken, calls: 3 });
		expect(await play([answer(503)], 0)).toMatchObject({ result: answer(503), calls: 1 });
	});

	it("waits as long as the server asks, or not at all where that is too long", async () => {
		const { pauses } = await play([answer(503, { "retry-after": "7" }), answer(201)], 6, 0);
		expect(pauses).toEqual([7000]);
		expect((await play([answer(429, { "retry-after": "86400" })])).calls).toBe(1);
	});
});

describe("Retry-After", () => {
	it.each([
		["0", 0],
		["120", 120_000],
		["Mon, 30 Nov 2026 12:00:10 GMT", 10_000],
		["Mon, 30 Nov 2026 11:00:00 GMT", 0],
		["soon", null],
		[undefined, null],
	])("%s is %s ms", (header, expected) => {
		expect(retryAfter(header, Date.UTC(2026, 10, 30, 12))).toBe(expected);
	});
});
