import { seedCatalogs } from "@plimsoll/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepareData } from "../../api/src/store/prepare.ts";
import { canonical, testApp } from "../support/api.ts";

const { app, call, close, deps } = await testApp();
beforeAll(() => seedCatalogs(deps.database));
afterAll(close);

const json = { "content-type": "application/json" };
const post = (query: string, body: unknown) => call("POST", `/models${query}`, JSON.stringify(body), json);

/** Mistral-7B-v0.3's shape: 2 · 32 layers · 8 heads · 128 · 2 bytes = 131,072 bytes a token in 16 bit. */
const config = {
	model_type: "mistral",
	torch_dtype: "bfloat16",
	num_hidden_layers: 32,
	num_attention_heads: 32,
	num_key_value_heads: 8,
	head_dim: 128,
	hidden_size: 4096,
	intermediate_size: 14336,
	vocab_size: 32768,
	max_position_embeddings: 32768,
};
const header = {
	metadata: {
		"general.architecture": "llama",
		"general.name": "Acme Tiny",
		"general.file_type": 1,
		"llama.block_count": 4,
		"llama.embedding_length": 512,
		"llama.attention.head_count": 8,
		"llama.attention.head_count_kv": 2,
		"llama.attention.key_length": 64,
		"llama.context_length": 8192,
	},
	tensorInfos: [{ name: "token_embd.weight", shape: [512, 32000], dtype: 1 }],
};

describe("a model by its file", () => {
	it("is what the file implies, with the fields that decided it", async () => {
		const { status, body } = await post("?name=Acme-7B", config);
		expect(status).toBe(201);
		expect(body).toMatchObject({ id: "acme-7b", name: "Acme-7B", kvHeads: 8, headDimK: 128, origin: "user" });
		expect(body.kvBytesPerToken).toMatchObject({
			value: 131_072,
			unit: "bytes/token",
			evidence: "arithmetic",
		});
		expect(body.readFrom).toBe("config.json");
		expect(body.decidedBy).toContainEqual({ field: "kvHeads", from: "num_key_value_heads = 8" });
		// 7.25 billion parameters by its model card, two bytes each.
		expect(body.weightsBytes.value / 1e9).toBeCloseTo(14.5, 1);
		expect((await call("GET", "/memory?model=acme-7b&kv=bf16")).body.kvBytesPerToken.value).toBe(131_072);
	});

	it("may be the header of a GGUF file, whose tensors tell the bytes exactly", async () => {
		const { status, body } = await post("?alias=acme-tiny-f16.gguf", header);
		expect(status).toBe(201);
		expect(body).toMatchObject({ id: "acme-tiny", readFrom: "GGUF header", weights: "f16" });
		expect(body.weightsBytes).toMatchObject({ value: 512 * 32000 * 2, evidence: "measured" });
		expect(body.decidedBy).toContainEqual({ field: "layers", from: "llama.block_count = 4" });
	});

	it("is read whatever content type curl sends it with", async () => {
		const form = { "content-type": "application/x-www-form-urlencoded" };
		const { status } = await call("POST", "/models?name=Acme-7B-Form", JSON.stringify(config), form);
		expect(status).toBe(201);
	});

	it("needs a name, and says so", async () => {
		const { status, body } = await post("", config);
		expect(status).toBe(422);
		expect(body.errors).toEqual([{ at: "name", reason: expect.stringContaining("?name=") }]);
	});

	it("that cannot be read is refused with the key that is missing", async () => {
		const { num_hidden_layers: _, ...broken } = config;
		const { status, body } = await post("?name=Broken", broken);
		expect(status).toBe(422);
		expect(body.detail).toContain("num_hidden_layers");
		expect((await call("GET", "/models/broken")).status).toBe(404);
		expect((await post("", { what: "ever" })).status).toBe(400);
		expect((await call("POST", "/models", "[1]", json)).status).toBe(400);
	});
});

describe("a model that cannot be", () => {
	it.each([
		[
			"a layer kind that nobody knows",
			{ layer_types: ["full_attention", "new_attention"] },
			/layer_types.*new_attention/,
		],
		["KV heads beyond the heads", { num_key_value_heads: 64 }, /num_key_value_heads: 64/],
		["heads that split the width unevenly", { head_dim: null, hidden_size: 4097 }, /hidden_size: 4097/],
		["a head as wide as no other", { head_dim: 1e9 }, /head_dim/],
		["a context without end", { max_position_embeddings: 1e30 }, /max_position_embeddings/],
		["more experts a token than it has", { num_experts: 0, num_experts_per_tok: 5 }, /num_experts_per_tok/],
		["layers without any cache", { layer_types: Array(32).fill("mlp") }, /none of them owns a cache/],
	])("is refused by its field: %s", async (_, change, named) => {
		const { status, body } = await post("?name=Impossible", { ...config, ...change });
		expect(status).toBe(422);
		expect(body.errors[0].reason).toMatch(named);
		expect((await call("GET", "/models/impossible")).status).toBe(404);
	});

	it.each([
		[{ kvHeads: 7 }, "kvHeads"],
		[{ paramsTotal: 1e9, paramsActive: 2e9 }, "paramsActive"],
		[{ maxContextTokens: 1e15 }, "maxContextTokens"],
	])("is refused where its fields are entered: %o", async (change, at) => {
		const entered = { name: "Impossible", layers: 32, heads: 32, kvHeads: 8, headDimK: 128 };
		const { status, body } = await post("", { ...entered, ...change });
		expect(status).toBe(400);
		expect(body.errors[0].at).toBe(at);
	});
});

it.each([
	["totalBytes", 48],
	["bandwidthBytesPerSecond", 1e-300],
	["bf16DenseFlops", 2e20],
	["fp8DenseFlops", 989],
	["tdpWatts", 1e9],
])("refuses a GPU whose %s is %d, a slip in a unit", async (key, value) => {
	const gpu = { name: "Acme Slip", totalBytes: 48e9, [key]: value };
	const { status, body } = await call("POST", "/gpus", JSON.stringify(gpu), json);
	expect(status).toBe(400);
	expect(body.errors[0].at).toBe(key);
});

describe("a taken id", () => {
	it("of a model that comes with the product is never replaced silently", async () => {
		const before = (await call("GET", "/models/llama-3.1-70b")).body;
		const { status, body } = await post("?id=llama-3.1-70b&name=Mine", config);
		expect(status).toBe(409);
		expect(body.detail).toMatch(/comes with Plimsoll.*\?id=.*\?replace=true/);
		expect((await call("GET", "/models/llama-3.1-70b")).body).toEqual(before);
		expect(before.origin).toBe("seed");
	});

	it("of one's own model neither; told to, it is", async () => {
		await post("?name=Twice", config);
		expect((await post("?name=Twice", { ...config, num_hidden_layers: 16 })).status).toBe(409);
		expect((await post("?name=Twice&replace=true", { ...config, num_hidden_layers: 16 })).status).toBe(201);
		expect((await call("GET", "/models/twice")).body.layers).toBe(16);
	});

	it("is settled between two that come at the same time", async () => {
		const answers = await Promise.all(Array.from({ length: 5 }, () => post("?name=Race", config)));
		expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
	});

	it("of a GPU is treated the same", async () => {
		const gpu = JSON.stringify({ name: "Acme Z9", totalBytes: 24e9 });
		const add = (query = "") => call("POST", `/gpus${query}`, gpu, json).then(({ status }) => status);
		expect([await add(), await add(), await add("?replace=true")]).toEqual([201, 409, 201]);
	});
});

describe("configurations that waited for the model", () => {
	const run = (model: string) =>
		canonical({ gpu: "Acme Z2", model }, [
			{ phase: "prefill", tokens: 512, cached: 0, batch: 1, seconds: [0.07] },
		]);

	it("get it when it comes and lose it when it goes", async () => {
		const { id, modelId } = (await call("POST", "/runs", run("waiting-13b"))).body.configurations[0];
		expect(modelId).toBeNull();
		const modelOf = async () => (await call("GET", `/configurations/${id}`)).body.modelId;
		await post("?name=Waiting-13B", config);
		expect(await modelOf()).toBe("waiting-13b");
		expect((await call("DELETE", "/models/waiting-13b")).status).toBe(204);
		expect(await modelOf()).toBeNull();
		expect((await call("GET", `/configurations/${id}/facts`)).body.model).toBeNull();
	});

	it("get it at the start of a version whose catalog knows it", async () => {
		const { sql } = deps.database;
		await sql`delete from models where id = 'qwen3-4b'`;
		const { id, modelId } = (await call("POST", "/runs", run("Qwen/Qwen3-4B"))).body.configurations[0];
		expect(modelId).toBeNull();
		await prepareData(deps.database, deps.limits, false);
		expect((await call("GET", `/configurations/${id}`)).body.modelId).toBe("qwen3-4b");
	});

	it("are found by the name of the GGUF file they were measured from", async () => {
		const { id } = (await call("POST", "/runs", run("models/odd_name.v2-Q4_K_M.gguf"))).body
			.configurations[0];
		await post("?name=Quite+Another&alias=odd_name.v2-Q4_K_M.gguf", config);
		expect((await call("GET", `/configurations/${id}`)).body.modelId).toBe("quite-another");
	});
});

it("only what was added here can be taken out", async () => {
	expect((await call("DELETE", "/models/llama-3.1-70b")).status).toBe(409);
	expect((await call("DELETE", "/models/nobody")).status).toBe(404);
});

it("takes the header of a file with one tensor for each expert, and lists it among the others", async () => {
	const tensorInfos = Array.from({ length: 30_000 }, (_, i) => ({
		name: `blk.${i % 61}.ffn_down.${i}.weight`,
		shape: [2048, 7168],
		dtype: 12,
	}));
	const { status, body } = await post("?name=Many-Experts", { ...header, tensorInfos });
	expect(status).toBe(201);
	expect(body.weightsBytes.value).toBe(30_000 * 2048 * 7168 * (144 / 256));
	const { body: page } = await call("GET", "/models?limit=100");
	const item = page.items.find(({ id }: { id: string }) => id === "many-experts");
	expect(item?.origin ?? "on another page").toBe(page.truncated && !item ? "on another page" : "user");
	expect((await app.request("/api/v1/models/many-experts")).status).toBe(200);
});
