import { expect, it } from "vitest";
import { decodeRange, errorWords, percent, prefillRange, serveRange } from "./fit-words.ts";

it("says ranges as people write them, one value alone where both ends meet", () => {
	expect(prefillRange({ from: 128, to: 16_384 })).toBe("128–16,384 tokens");
	expect(decodeRange({ batch: [1, 64], context: [191.5, 8255.5] })).toBe("batch 1–64, context 192–8,256");
	expect(serveRange({ concurrency: [4, 64], input: [1024, 8192], output: [128, 128] })).toBe(
		"4–64 in flight, 1,024–8,192 in, 128 out",
	);
});

it("writes a spread with two digits, and none below a hundredth of a percent", () => {
	expect([0.5, 0.0123, 7.8e-12].map(percent)).toEqual(["50%", "1.2%", "under 0.01%"]);
});

it("says that an error is not known, and never zero for it", () => {
	expect(errorWords(0.0123)).toBe("errs 1.2%");
	expect(errorWords(null)).toBe("too few to test");
});
