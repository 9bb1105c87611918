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

const NOTHING: Subject = { configuration: null, model: null, gpu: null };

type Answer = Pick<PlanData, "facts" | "dropped">;

/** The facts of the configuration that answers when none is asked for; null: nothing is measured. */
async function defaultFacts(fetcher: typeof fetch): Promise<PlanFacts | null> {
	const facts = await pairFacts(fetcher, NOTHING);
	return facts.configuration ? facts : null;
}

const isUnknown = (problem: unknown): boolean =>
	problem instanceof ApiProblem && problem.status !== null && [400, 404, 422].includes(problem.status);

/** The half of a pair that is known, where the whole is not. */
async function knownHalf(fetcher: typeof fetch, { model, gpu }: Subject): Promise<Subject> {
	if (!model || !gpu) return NOTHING;
	const exists = (one: Partial<Subject>) =>
		pairFacts(fetcher, { ...NOTHING, ...one }).then(
			() => true,
			(problem: unknown) => {
				if (isUnknown(problem)) return false;
				throw problem;
			},
		);
	const [hasModel, hasGpu] = await Promise.all([exists({ model }), exists({ gpu })]);
	return { ...NOTHING, model: hasModel ? model : null, gpu: hasGpu ? gpu : null };
}

/** The facts asked for; what does not exist is dropped by name and the default answers instead. */
async function chooseFacts(fetcher: typeof fetch, subject: Subject): Promise<Answer> {
	const dropped: PlanData["dropped"] = [];
	try {
		if (subject.configuration) return { facts: await factsOf(fetcher, subject.configuration), dropped };
		if (subject.model || subject.gpu) return { facts: await pairFacts(fetcher, subject), dropped };
	} catch (problem) {
		if (!isUnknown(problem)) throw problem;
		const half = subject.configuration ? NOTHING : await knownHalf(fetcher, subject);
		for (const [at, value] of Object.entries(subject))
			if (value && value !== half[at as keyof Subject])
				dropped.push({ at, reason: `'${value}' is not known here` });
		if (half.model || half.gpu) return { facts: await pairFacts(fetcher, half), dropped };
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
