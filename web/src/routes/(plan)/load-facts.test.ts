import type { ConfigurationFacts } from "@plimsoll/api/model";
import { describe, expect, it } from "vitest";
import { loadPlan } from "./load-facts.ts";

const configuration = (id: string, origin: ConfigurationFacts["origin"]) =>
	({ id, origin }) as ConfigurationFacts;
const LIST = [
	configuration("cpu", "example"),
	configuration("h100", "published"),
	configuration("mine", "own"),
];
const nothing = { configuration: null, model: null, gpu: null };

/** An API of the facts of each configuration; the last one answers when none is named. */
function api(items: ConfigurationFacts[], broken: string[] = []): typeof fetch {
	return (async (input: RequestInfo | URL) => {
		const path = String(input).replace("/api/v1", "");
		if (broken.some((part) => path.includes(part)))
			return Response.json({ detail: "the database is away" }, { status: 503 });
		if (path === "/facts?") return Response.json({ configuration: items.at(-1) ?? null });
		const id = /^\/configurations\/(.+)\/facts$/.exec(path)?.[1];
		const found = items.find((c) => c.id === id);
		return found
			? Response.json({ configuration: found })
			: Response.json({ detail: "none" }, { status: 404 });
	}) as typeof fetch;
}

describe("what the plan page loads", () => {
	it("answers with the configuration that the server chooses before anything is chosen", async () => {
		const data = await loadPlan(api(LIST), nothing);
		expect(data.facts?.configuration?.id).toBe("mine");
		expect(data).toMatchObject({ dropped: [], failure: null });
	});

	it("drops an unknown configuration by name and answers with the default", async () => {
		const data = await loadPlan(api(LIST), { ...nothing, configuration: "gone" });
		expect(data.facts?.configuration?.id).toBe("mine");
		expect(data.dropped).toEqual([{ at: "configuration", reason: "'gone' is not known here" }]);
	});

	it("keeps the half of a pair that is known, and names the other", async () => {
		const pairs = (async (input: RequestInfo | URL) => {
			const query = new URL(String(input), "http://plimsoll").searchParams;
			return query.has("gpu")
				? Response.json({ detail: "none" }, { status: 404 })
				: Response.json({ configuration: null, model: { id: query.get("model") } });
		}) as typeof fetch;
		const data = await loadPlan(pairs, { ...nothing, model: "llama-3.1-8b", gpu: "foobar" });
		expect(data.facts?.model?.id).toBe("llama-3.1-8b");
		expect(data.dropped).toEqual([{ at: "gpu", reason: "'foobar' is not known here" }]);
	});

	it("has nothing to plan with where nothing was measured", async () => {
		expect(await loadPlan(api([]), nothing)).toEqual({ facts: null, dropped: [], failure: null });
	});

	it("says why a request failed", async () => {
		const data = await loadPlan(api(LIST, ["/facts"]), nothing);
		expect(data).toMatchObject({ facts: null, failure: "the database is away" });
	});
});
