import type { PlanFacts } from "@plimsoll/api/model";
import { ApiProblem, callApi } from "#lib/api.ts";

/** What an address asks the plan about: a measured configuration, or a model on a GPU that nobody measured. */
export interface Subject {
	configuration: string | null;
	model: string | null;
	gpu: string | null;
}

export interface PlanData {
	/** null: nothing to plan with, or the request failed. */
	facts: PlanFacts | null;
	/** What the address asked for and did not get. */
	dropped: { at: string; reason: string }[];
	/** Why the facts could not be read. */
	failure: string | null;
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

/** The facts of the configuration that answers when none is asked for; null: nothing is measured. */
async function defaultFacts(fetcher: typeof fetch): Promise<PlanFacts | null> {
	const facts = await pairFacts(fetcher, { configuration: null, model: null, gpu: null });
	return facts.configuration ? facts : null;
}

/** The facts asked for; what does not exist is dropped by name and the default answers instead. */
async function chooseFacts(fetcher: typeof fetch, subject: Subject): Promise<Answer> {
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
	return { facts: await defaultFacts(fetcher), dropped };
}

/** All that the plan page needs for a subject; a failed request is a value, so that old numbers can stay, greyed. */
export async function loadPlan(fetcher: typeof fetch, subject: Subject): Promise<PlanData> {
	try {
		return { failure: null, ...(await chooseFacts(fetcher, subject)) };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		return { facts: null, dropped: [], failure: problem.message };
	}
}
