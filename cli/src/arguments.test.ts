import { describe, expect, it } from "vitest";
import { readPushArguments, readRunArguments } from "./arguments.ts";

const push = (line: string, variables = {}) => readPushArguments(line.split(" "), variables);
const run = (line: string, variables = {}) => readRunArguments(line.split(" "), variables);

describe("push", () => {
	it("takes files and options in any order", () => {
		expect(push("a.json --gpus 2 --engine-version=0.11.0 - --json --label=x")).toEqual({
			files: ["a.json", "-"],
			said: { gpus: "2", engineVersion: "0.11.0", label: "x" },
			target: { url: "http://127.0.0.1:8787", key: null, retries: 6 },
			...{ conditions: null, json: true, strict: false },
		});
	});

	it("reads address and key from the environment, options first", () => {
		const variables = { PLIMSOLL_URL: "https://planner", PLIMSOLL_KEY: "secret\n" };
		expect(push("a", variables).target).toMatchObject({ url: "https://planner", key: "secret" });
		expect(push("a --url http://b --key c", variables).target).toMatchObject({ url: "http://b", key: "c" });
		expect(push("a", { PLIMSOLL_URL: "", PLIMSOLL_KEY: "" }).target).toMatchObject({ key: null });
	});

	it.each([
		["http://planner:8787/", "http://planner:8787"],
		["http://planner/api/v1", "http://planner"],
		["http://planner/api/v1/", "http://planner"],
		["https://host/tools/plimsoll/", "https://host/tools/plimsoll"],
	])("understands the address %s", (given, url) => {
		expect(push(`a --url ${given}`).target.url).toBe(url);
	});

	it.each([
		["--json", /Which files/],
		["- -", /only once/],
		["a --gpuu x", /--gpuu/],
		["a --gpu", /--gpu/],
		["a --gpus two", /--gpus two.*whole number/],
		["a --tp 0", /--tp 0/],
		["a --gpus -1", /--gpus/],
		["a --retries 1.5", /--retries/],
		["a --model=", /--model is empty/],
		["a --url planner:8787", /--url planner:8787.*http:/],
		["a --url nonsense", /--url nonsense/],
		["a --key ä", /key/],
	])("refuses %s", (line, message) => {
		expect(() => push(line)).toThrow(message);
	});
});

describe("run", () => {
	it("leaves everything behind the dashes to the command", () => {
		const given = run("--gpu H100 --conditions six.json -- llama-bench --json -- --gpu 3");
		expect(given).toMatchObject({
			command: ["llama-bench", "--json", "--", "--gpu", "3"],
			...{ said: { gpu: "H100" }, json: false, conditions: "six.json" },
		});
	});

	it.each(["--json", "--json --", "x -- llama-bench"])("asks for a command in %s", (line) => {
		expect(() => run(line)).toThrow(/double dash/);
	});
});
