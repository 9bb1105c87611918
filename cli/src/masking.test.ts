import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, test } from "vitest";
import { maskCommand } from "./masking.ts";

const masked = (...command: string[]) => maskCommand(command, () => false);

describe("secrets", () => {
	it.each([
		[
			["llama-bench", "--hf-token", "hf_abcdefghij"],
			["llama-bench", "--hf-token", "***"],
		],
		[
			["llama-bench", "-hft", "abc"],
			["llama-bench", "-hft", "***"],
		],
		[
			["vllm", "--api-key=abc", "x"],
			["vllm", "--api-key=***", "x"],
		],
		[
			["vllm", "--api_key", "abc"],
			["vllm", "--api_key", "***"],
		],
		[
			["env", "HF_TOKEN=abc", "OPENAI_API_KEY=def", "python"],
			["env", "HF_TOKEN=***", "OPENAI_API_KEY=***", "python"],
		],
		[
			["curl", "-H", "Authorization: Bearer abc.def"],
			["curl", "-H", "Authorization: ***"],
		],
		[
			["curl", "-H", "X-Api-Key: abc"],
			["curl", "-H", "X-Api-Key: ***"],
		],
		[
			["x", "https://joe:pass@host/v1?api_key=abc&n=1"],
			["x", "https://***@host/v1?api_key=***&n=1"],
		],
		[
			["x", '{"api_key": "abc", "n": 1}'],
			["x", '{"api_key": "***", "n": 1}'],
		],
		[
			["sh", "-c", "HF_TOKEN=abc vllm --api-key def -n 1"],
			["sh", "-c", "HF_TOKEN=*** vllm --api-key *** -n 1"],
		],
		[
			["x", "hf_AbCdEfGhIjKl"],
			["x", "***"],
		],
		[
			["x", "--password", "-v"],
			["x", "--password", "-v"],
		],
	])("of %j are masked", (command, expected) => {
		expect(masked(...command)).toEqual(expected);
	});

	it.each([
		["--max-num-batched-tokens", "8192"],
		["--tokenizer", "llama"],
		["--n-tokens=512", "--token-budget", "3"],
		["-ctk", "q8_0", "-ctv", "q8_0"],
		["--monkey", "banana", "turkey=1"],
		["--base-url", "http://localhost:8000/v1"],
	])("are not seen in %s %s", (...command) => {
		expect(masked(...command)).toEqual(command);
	});
});

describe("paths", () => {
	it.each([
		["/home/joe/models/llama 8b.gguf".replace(" ", "-"), "llama-8b.gguf"],
		["./llama-bench", "llama-bench"],
		["../../bin/llama-bench", "llama-bench"],
		["~/models/x.gguf", "x.gguf"],
		["--model=/srv/models/x.gguf", "--model=x.gguf"],
		["/srv/models/llama/", "llama"],
		["cd /srv/a && ./run.sh > /tmp/out", "cd a && run.sh > out"],
		["-v=/srv/a:/b/c", "-v=a:c"],
		["C:\\Users\\joe\\x.gguf", "x.gguf"],
	])("%s becomes %s", (argument, expected) => {
		expect(masked(argument)).toEqual([expected]);
	});

	it.each(["meta-llama/Llama-3.1-8B", "http://host:8000/v1/models", "512,1024", "0.5/0.5"])(
		"%s is none",
		(argument) => {
			expect(masked(argument)).toEqual([argument]);
		},
	);

	const folder = mkdtempSync(join(tmpdir(), "plimsoll-masking-"));
	afterAll(() => rmSync(folder, { recursive: true }));

	test("what is on the disk is one, even with a space or without a root", () => {
		writeFileSync(join(folder, "my model.gguf"), "");
		const relative = `${"../".repeat(20)}${folder.slice(1)}/my model.gguf`;
		expect(maskCommand([join(folder, "my model.gguf"), `--model=${relative}`])).toEqual([
			"my model.gguf",
			"--model=my model.gguf",
		]);
	});
});

test("long texts are cut", () => {
	const [kept = ""] = masked("word ".repeat(1000));
	expect(kept.length).toBeLessThanOrEqual(201);
});
