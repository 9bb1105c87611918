import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readBenchmark } from "./read.ts";

async function refusal(bytes: Uint8Array | string): Promise<string> {
	async function* source() {
		yield typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
	}
	return readBenchmark(source(), {}).then(
		() => "was read",
		(error: Error) => `${error.name}: ${error.message}`,
	);
}

const bytes = (head: number[], text = "") => Uint8Array.from([...head, ...new TextEncoder().encode(text)]);

describe("a file that no family reads", () => {
	it.each<[what: string, file: Uint8Array | string, says: RegExp]>([
		[
			"a model",
			"GGUF\u0003\u0000\u0000\u0000",
			/the file is a GGUF model; its header can be read on the Models page/,
		],
		["a picture", bytes([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], "IHDR"), /the file is a picture/],
		["a PDF", "%PDF-1.7\n%âãÏÓ", /the file is a PDF/],
		["a database", "SQLite format 3\u0000", /SQLite database; export its table/],
		["a page", "<!DOCTYPE html><title>Sign in</title>", /web page, perhaps of an error or of a login/],
		[
			"other JSON",
			'{"epoch": 3, "loss": 0.12}',
			/JSON of another kind, with the fields epoch, loss; it begins: \{"epoch"/,
		],
		[
			"a text that quotes a log",
			"# Notes\n\n| file | what |\n|---|---|\n| a.log | llama_kv_cache_unified: size = 512 MiB |\n\nllama_context lines, " +
				"`load_tensors: offloaded 33/33 layers to GPU` and `GPU KV cache size: 12,345 tokens`.\n",
			/text that no known tool prints; it begins: # Notes/,
		],
		["other text", "hello, this is no benchmark", /text that no known tool prints; it begins: hello, this/],
	])("is named where it is %s, with what to do", async (_, file, says) => {
		const said = await refusal(file);
		expect(said).toMatch(/^UnreadableFile: No known benchmark output was found/);
		expect(said).toMatch(says);
		expect(said).toMatch(/Send the tool's own result file/);
	});

	it("is never quoted where it is binary, and no quote holds a control character", async () => {
		await fc.assert(
			fc.asyncProperty(fc.uint8Array({ minLength: 200, maxLength: 2000 }), async (random) => {
				const said = await refusal(random);
				// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
				expect(said).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
			}),
		);
		const noise = Uint8Array.from({ length: 3000 }, (_, index) => (index * 7919 + (index >> 3) * 31) % 256);
		expect(await refusal(noise)).toMatch(/binary data and no text\. Send/);
	});
});
