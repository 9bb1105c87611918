import { describe, expect, it } from "vitest";
import { pythonPairs } from "./python-literal.ts";

describe("pairs as Python prints them", () => {
	it("reads a dict with its constants", () => {
		const text =
			"args: {'model': 'org/m', 'tp': 4, 'eager': True, 'seed': None, 'share': 0.5, 'name': \"it's\"}";
		expect(pythonPairs(text, text.indexOf("{") + 1)).toEqual({
			model: "org/m",
			tp: 4,
			eager: true,
			seed: null,
			share: 0.5,
			name: "it's",
		});
	});

	it("reads keyword arguments, infinity and functions among them", () => {
		const text = "Namespace(f=<function A.b at 0x7f>, request_rate=inf, model='m', sizes=(1, 2), n=3)";
		expect(pythonPairs(text, "Namespace(".length)).toEqual({
			f: { opaque: "<function A.b at 0x7f>" },
			request_rate: Number.POSITIVE_INFINITY,
			model: "m",
			sizes: { opaque: "(1, 2)" },
			n: 3,
		});
	});

	it("reads bare pairs with dotted names and nested dicts", () => {
		expect(
			pythonPairs("model='m', dtype=torch.bfloat16, spec={'n': {'k': 1}}, c=Cls(a=1, b='x)'), tp=2 end", 0),
		).toEqual({
			model: "m",
			dtype: "torch.bfloat16",
			spec: { n: { k: 1 } },
			c: { opaque: "Cls(a=1, b='x)')" },
			tp: 2,
		});
	});

	it("keeps the pairs before a cut", () => {
		expect(pythonPairs("'a': 1, 'b': {'c': 2, 'd", 0)).toMatchObject({ a: 1 });
		expect(pythonPairs("no pairs here", 0)).toEqual({});
	});
});
