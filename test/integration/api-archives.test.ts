import { tmpdir } from "node:os";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { canonical, testApp } from "../support/api.ts";
import { tarGzOf, tarOf, zipOf } from "../support/archives.ts";

const { call, close, deps } = await testApp({ limits: { maxBodyBytes: 1_000_000, spoolFolder: tmpdir() } });
afterAll(close);

const point = (tokens: number) => ({
	phase: "prefill",
	tokens,
	cached: 0,
	batch: 1,
	seconds: [tokens / 5000],
});
const filesOf = (engineVersion: string) => ({
	"results/": "",
	"results/one.json": canonical({ engineVersion }, [point(512), point(1024)]),
	"results/two.json": canonical({ engineVersion }, [
		point(2048),
		{ phase: "prefill", tokens: "x", seconds: [1] },
	]),
	"results/notes.txt": "It was a cold day.",
});
const runs = async () => (await call("GET", "/runs?limit=1")).body.totalCount;

describe.each([
	["zip", zipOf],
	["tar", tarOf],
	["tar.gz", tarGzOf],
] as const)("POST /runs of a %s", (format, pack) => {
	it("is one run of all its members, kept byte for byte", async () => {
		const archive = pack(filesOf(format));
		const { status, body } = await call("POST", `/runs?fileName=sweep.${format}`, archive);
		expect(status).toBe(201);
		expect(body).toMatchObject({ format, fileName: `sweep.${format}`, accepted: 3, bytes: archive.length });
		expect(body.configurations).toHaveLength(1);
		expect(body.rejected).toEqual([
			{ at: expect.stringMatching(/^results\/two\.json: /), reason: expect.any(String) },
		]);
		expect(body.aside.map(({ at }: { at: string }) => at)).toEqual(["results/notes.txt"]);
		const raw = await call("GET", `/runs/${body.id}/raw`);
		expect(archive.equals(raw.body)).toBe(true);
		const again = await call("POST", "/runs", archive);
		expect([again.status, again.body.id]).toEqual([200, body.id]);
		const packed = await call("POST", "/runs", gzipSync(archive), { "content-encoding": "gzip" });
		expect([packed.status, packed.body.id]).toEqual([200, body.id]);
	});

	it("takes over what was said beside it", async () => {
		const { body } = await call("POST", "/runs?weights=q4", pack(filesOf(`said ${format}`)));
		const configuration = await call("GET", `/configurations/${body.configurations[0].id}`);
		expect(configuration.body.counts.measurements).toBe(3);
	});

	it("that unpacks beyond the limit is refused whole", async () => {
		const before = await runs();
		const bomb = pack({ ...filesOf(`bomb ${format}`), "results/zeros.log": "0".repeat(2_000_000) });
		const { status } = await call("POST", "/runs", bomb);
		expect(status).toBe(413);
		expect(await runs()).toBe(before);
		const [left] = await deps.database.sql`select count(*) from measurements m
			where not exists (select 1 from runs r where r.id = m.run_id)`;
		expect(left?.count).toBe(0);
	});

	it("without any measurement is refused, with what was found", async () => {
		const { status, body } = await call("POST", "/runs", pack({ "a.txt": "words", "b/": "" }));
		expect(status).toBe(422);
		expect(body.errors.map(({ at }: { at: string }) => at)).toEqual(["a.txt"]);
	});
});

it("a damaged zip is refused in words", async () => {
	const { status, body } = await call("POST", "/runs", zipOf(filesOf("damaged")).subarray(0, 400));
	expect([status, body.title]).toEqual([422, "Unreadable file"]);
	expect(body.detail).toMatch(/zip archive is cut/);
});
