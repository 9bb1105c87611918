import { afterAll, expect, it } from "vitest";
import { nameApart } from "../../api/src/store/naming.ts";
import { canonical, testApp } from "../support/api.ts";

const { call, close, deps } = await testApp();
afterAll(close);

const rows = [{ phase: "prefill", tokens: 512, cached: 0, batch: 1, seconds: [0.05] }];
const NAME = "H100 SXM 80GB · llama-3.1-8b bf16 · vllm · kv bf16";

/** Posts a measurement under given flags; its configuration as the answer has it. */
async function post(flags: Record<string, unknown>, special: Record<string, unknown> = {}) {
	const { status, body } = await call("POST", "/runs", canonical({ flags, ...special }, rows));
	expect(status).toBe(201);
	return body.configurations[0] as { id: string; label: string };
}
const labelOf = async (id: string) => (await call("GET", `/configurations/${id}`)).body.label;

it("a name that gets a namesake says from then on what differs, wherever it is shown", async () => {
	const first = await post({ max_num_seqs: 64 });
	expect(first.label).toBe(NAME);
	// Another name, with the first at its beginning.
	await post({ max_num_seqs: 64 }, { tp: 4, gpus: 8, gpu: "H20" });
	const second = await post({ max_num_seqs: 256 });
	expect(second.label).toBe(`${NAME} · max num seqs 256`);
	expect(await labelOf(first.id)).toBe(`${NAME} · max num seqs 64`);
	const { items } = (await call("GET", "/runs?q=seqs+64")).body;
	expect(items[0].configurations).toEqual([{ id: first.id, label: `${NAME} · max num seqs 64` }]);
	const { body: facts } = await call("GET", `/configurations/${first.id}/facts`);
	expect(facts.configuration.label).toBe(`${NAME} · max num seqs 64`);
});

it("configurations that come at the same moment are told apart too", async () => {
	const many = await Promise.all(
		Array.from({ length: 8 }, (_, i) => post({ batch: i }, { gpu: "L4", label: `${i}` })),
	);
	const labels = await Promise.all(many.map(({ id }) => labelOf(id)));
	expect(labels.map((label) => label.split(" · ").at(-1))).toEqual(many.map((_, i) => `batch ${i}`));
});

it("those of an older version are told apart at the start", async () => {
	const { sql } = deps.database;
	const [one, other] = [await post({ a: 1 }, { gpu: "T4" }), await post({ a: 2 }, { gpu: "T4" })];
	const shared = other.label.replace(" · a 2", "");
	await sql`update configurations set label = ${shared} where id in (${one.id}, ${other.id})`;
	await nameApart(sql);
	expect([await labelOf(one.id), await labelOf(other.id)]).toEqual([`${shared} · a 1`, `${shared} · a 2`]);
});
