import { error } from "@sveltejs/kit";
import { ApiProblem, callApi } from "#lib/api.ts";
import { readList } from "#lib/records/list.ts";
import type { Measurement, RunDetail } from "#lib/records/record.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async ({ params, url, fetch }) => {
	const path = `/runs/${encodeURIComponent(params.id)}`;
	try {
		const [run, list] = await Promise.all([
			callApi<RunDetail>(fetch, path),
			readList<Measurement>(fetch, `${path}/measurements`, url.searchParams.get("cursor")),
		]);
		// The list has them page by page.
		const { measurements: _, ...about } = run;
		return { run: about, list };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		if (problem.status === 404 || problem.status === 400)
			error(404, {
				message: `No run here has the id “${params.id}”.`,
				advice:
					"The link may be mistyped, or the run was deleted. Who deleted it could still undo that in the same tab; the Measurements page lists the runs there are.",
			});
		error(503, { message: problem.message, advice: "Try again." });
	}
};
