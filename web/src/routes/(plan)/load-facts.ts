import type { ConfigurationFacts, PlanFacts } from "@plimsoll/api/model";
import { ApiProblem, callApi, type Envelope } from "#lib/api.ts";

/** What an address asks the plan about: a measured configuration, or a model on a GPU that nobody measured. */
export interface Subject {
	configuration: string | null;
	model: string | null;
	gpu: string | null;
}

/** A configuration as the list has it: its fits told in brief. */
export interface ListedConfiguration extends ConfigurationFacts {
	fits: {
		prefill: object | null;
		decode: { range: { batch: [number, number] } } | null;
		serve: object | null;
	};
}

export interface PlanData {
	configurations: ListedConfiguration[];
	/** null: nothing to plan with, or the request failed. */
	facts: PlanFacts | null;
	/** What the address asked for and did not get. */
	dropped: { at: string; reason: string }[];
	/** Why the facts could not be read. */
	failure: string | null;
}

const ORIGINS: ConfigurationFacts["origin"][] = ["own", "published", "example"];

/** How much of a question a configuration can answer: its times, also with several users, its model, its GPU. */
function completeness({ fits, modelId, gpuId }: ListedConfiguration): number {
	const shared = fits.serve !== null || (fits.decode?.range.batch[1] ?? 1) > 1;
	return (
		[fits.prefill, fits.decode, modelId, gpuId].filter((known) => known !== null).length + Number(shared)
	);
}

/** The configuration that answers before anything is chosen: the reader's own first, then the most complete. */
export function defaultConfiguration(configurations: ListedConfiguration[]): ListedConfiguration | undefined {
	const rank = (c: ListedConfiguration) => ORIGINS.indexOf(c.origin) * 10 - completeness(c);
	return configurations.toSorted((a, b) => rank(a) - rank(b))[0];
}

const factsOf = (fetcher: typeof fetch, id: string) =>
	callApi<PlanFacts>(fetcher, `/configurations/${encodeURIComponent(id)}/facts`);

async function pairFacts(fetcher: typeof fetch, { model, gpu }: Subject): Promise<PlanFacts> {
	const query = new URLSearchParams();
	if (model) query.set("model", model);
	if (gpu) query.set("gpu", gpu);
	return callApi<PlanFacts>(fetcher, `/facts?${query}`);
}

type Answer = Pick<PlanData, "facts" | "dropped">;

/** The facts asked for; what does not exist is dropped by name and the default answers instead. */
async function chooseFacts(
	fetcher: typeof fetch,
	subject: Subject,
	configurations: ListedConfiguration[],
): Promise<Answer> {
	const dropped: PlanData["dropped"] = [];
	try {
		if (subject.configuration) return { facts: await factsOf(fetcher, subject.configuration), dropped };
		if (subject.model || subject.gpu) return { facts: await pairFacts(fetcher, subject), dropped };
	} catch (problem) {
		if (!(problem instanceof ApiProblem) || !problem.status || ![400, 404, 422].includes(problem.status))
			throw problem;
		for (const [at, value] of Object.entries(subject))
			if (value) dropped.push({ at, reason: `'${value}' is not known here` });
	}
	const fallback = defaultConfiguration(configurations);
	return { facts: fallback ? await factsOf(fetcher, fallback.id) : null, dropped };
}

/** All that the plan page needs for a subject; a failed request is a value, so that old numbers can stay, greyed. */
export async function loadPlan(fetcher: typeof fetch, subject: Subject): Promise<PlanData> {
	let configurations: ListedConfiguration[] = [];
	try {
		const list = await callApi<Envelope<ListedConfiguration>>(fetcher, "/configurations?limit=100");
		configurations = list.items;
		return { configurations, failure: null, ...(await chooseFacts(fetcher, subject, configurations)) };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		return { configurations, facts: null, dropped: [], failure: problem.message };
	}
}
