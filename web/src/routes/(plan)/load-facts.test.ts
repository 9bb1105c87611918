import { describe, expect, it } from "vitest";
import { defaultConfiguration, type ListedConfiguration, loadPlan } from "./load-facts.ts";

const configuration = (id: string, origin: ListedConfiguration["origin"], most: number | null = 8) =>
	({
		id,
		origin,
		modelId: "m",
		gpuId: "g",
		fits: { prefill: {}, decode: most === null ? null : { range: { batch: [1, most] } }, serve: null },
	}) as ListedConfiguration;
const LIST = [
	configuration("cpu", "example"),
	configuration("h100", "published"),
	configuration("mine", "own"),
];
const nothing = { configuration: null, model: null, gpu: null };

/** An API of two lists: the configurations, and the facts of each. */
function api(items: ListedConfiguration[], broken: string[] = []): typeof fetch {
	return (async (input: RequestInfo | URL) => {
		const path = String(input).replace("/api/v1", "");
		if (broken.some((part) => path.includes(part)))
			return Response.json({ detail: "the database is away" }, { status: 503 });
		if (path.startsWith("/configurations?")) return Response.json({ items });
		const id = /^\/configurations\/(.+)\/facts$/.exec(path)?.[1];
		const found = items.find((c) => c.id === id);
		return found
			? Response.json({ configuration: found })
			: Response.json({ detail: "none" }, { status: 404 });
	}) as typeof fetch;
}

describe("what the plan page loads", () => {
	it("answers with the reader's own configuration before anything is chosen", async () => {
		const data = await loadPlan(api(LIST), nothing);
		expect(data.facts?.configuration?.id).toBe("mine");
		expect(data).toMatchObject({ dropped: [], failure: null });
	});

	it("prefers, of the same origin, the one that can answer more", () => {
		const half = configuration("half", "published", null);
		expect(defaultConfiguration([half, configuration("whole", "published")])?.id).toBe("whole");
		const alone = configuration("alone", "published", 1);
		expect(defaultConfiguration([alone, configuration("whole", "published")])?.id).toBe("whole");
		expect(defaultConfiguration([half, configuration("cpu", "example")])?.id).toBe("half");
	});

	it("drops an unknown configuration by name and answers with the default", async () => {
		const data = await loadPlan(api(LIST), { ...nothing, configuration: "gone" });
		expect(data.facts?.configuration?.id).toBe("mine");
		expect(data.dropped).toEqual([{ at: "configuration", reason: "'gone' is not known here" }]);
	});

	it("has nothing to plan with where nothing was measured", async () => {
		expect(await loadPlan(api([]), nothing)).toEqual({
			configurations: [],
			facts: null,
			dropped: [],
			failure: null,
		});
	});

	it("says why a request failed, and keeps what did arrive", async () => {
		const data = await loadPlan(api(LIST, ["/facts"]), nothing);
		expect(data).toMatchObject({ facts: null, failure: "the database is away" });
		expect(data.configurations).toHaveLength(3);
	});
});
