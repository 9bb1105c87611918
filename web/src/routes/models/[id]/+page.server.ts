import { error } from "@sveltejs/kit";
import { ApiProblem, callApi, type Envelope } from "#lib/api.ts";
import { readList } from "#lib/records/list.ts";
import type { Configuration, Model } from "#lib/records/record.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async ({ params: { id }, fetch }) => {
	try {
		const [model, gpus, measured] = await Promise.all([
			callApi<Model>(fetch, `/models/${encodeURIComponent(id)}`),
			callApi<Envelope<{ id: string; name: string }>>(fetch, "/gpus?limit=100"),
			readList<Configuration>(fetch, "/configurations", null, { model: id }),
		]);
		return {
			model,
			gpus: gpus.items.map(({ id, name }) => ({ id, name })),
			measured: measured.items.map(({ id, label, origin, attribution }) => ({
				id,
				label,
				origin,
				attribution,
			})),
		};
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		if (problem.status === 404 || problem.status === 400)
			error(404, {
				message: `No model of the catalog has the id “${id}”.`,
				advice:
					"The link may be mistyped, or the model was taken out. The Models page lists the catalog, and takes a model in by its file.",
			});
		error(503, { message: problem.message, advice: "Try again." });
	}
};
