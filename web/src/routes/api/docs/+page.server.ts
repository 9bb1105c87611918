import { ApiProblem, callApi } from "#lib/api.ts";
import type { PageServerLoad } from "./$types";
import { type OpenApi, sectionsOf, shapesOf } from "./openapi.ts";

export const load: PageServerLoad = async ({ fetch, url }) => {
	try {
		const api = await callApi<OpenApi>(fetch, "/openapi.json");
		const { description = "" } = api.info;
		return { description, sections: sectionsOf(api, url.origin), shapes: shapesOf(api), failure: null };
	} catch (problem) {
		if (!(problem instanceof ApiProblem)) throw problem;
		return { description: "", sections: [], shapes: [], failure: problem.message };
	}
};
