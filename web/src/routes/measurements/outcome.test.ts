import { expect, it } from "vitest";
import { countsOf, forecastOf, mayPassLater, queueInWords, stepOf } from "./outcome.ts";

it("counts every kind of row, and only those there are", () => {
	expect(countsOf({ accepted: 21, rejected: 2, failed: 1, aside: 0 })).toBe(
		"21 measurements accepted, 1 failure kept, 2 rows rejected",
	);
	expect(countsOf({ accepted: 1, rejected: 0, failed: 0, aside: 1200 })).toBe(
		"1 measurement accepted, 1,200 rows set aside",
	);
	expect(countsOf({ accepted: 0, rejected: 3, failed: 0, aside: 0 })).toBe(
		"no measurement accepted, 3 rows rejected",
	);
});

it("says how well a file was foreseen, and nothing where it could not be", () => {
	expect(forecastOf({ count: 13, intervalHeld: 12, medianError: 0.0214 })).toBe(
		"12 of 13 forecast intervals held, median error 2.1%",
	);
	expect(forecastOf({ count: 0, intervalHeld: 0, medianError: null })).toBeNull();
	expect(forecastOf(null)).toBeNull();
});

it("says what became of the files", () => {
	expect(queueInWords(["taken", "reading", "waiting"])).toBe("2 of 3 under way");
	expect(queueInWords(["taken"])).toBe("The file was taken in");
	expect(queueInWords(["refused"])).toBe("The file was refused; nothing of it is stored");
	expect(queueInWords(["given up"])).toBe("The file was given up; nothing of it is stored");
	expect(queueInWords(["taken", "refused", "taken", "given up"])).toBe(
		"4 files: 2 taken in, 1 refused, 1 given up",
	);
});

it("offers to send a file again only where that can help", () => {
	for (const status of [null, 401, 409, 500, 503]) expect(mayPassLater(status), `${status}`).toBe(true);
	for (const status of [400, 413, 415, 422]) expect(mayPassLater(status), `${status}`).toBe(false);
});

it("says where the server is with a file", () => {
	expect(stepOf(null)).toBe("being read");
	expect(stepOf({ stage: "reading", rows: 123456 })).toBe("being read: 123,456 rows");
	expect(stepOf({ stage: "fitting" })).toContain("fitted");
});
