import type { PageLoad } from "./$types";
import { loadPlan } from "./load-facts.ts";
import { USUAL_VIEW } from "./plan-view.ts";

/** Reads only the keys that choose what is planned: every other key of the address is answered without a request. */
export const load: PageLoad = async ({ url, fetch, untrack }) => {
	const [plan, solve, late] = await Promise.all([
		loadPlan(fetch, {
			configuration: url.searchParams.get("configuration"),
			model: url.searchParams.get("model"),
			gpu: url.searchParams.get("gpu"),
		}),
		untrack(() => solverFor(url.searchParams.get("solve"))),
		lateParts(),
	]);
	return { ...plan, solve, late };
};

const solverFor = async (wanted: string | null) =>
	wanted === null || wanted === USUAL_VIEW.solve ? null : (await import("./solver.ts")).solve;

/** What the server writes and a link brings along, but no first page waits for. */
const lateParts = async () =>
	import.meta.env.SSR || document.documentElement.dataset.ready !== undefined ? readLateParts() : null;

async function readLateParts() {
	const [answer, solve, subject, more, exports, own] = await Promise.all([
		import("./Answer.svelte"),
		import("./Solve.svelte"),
		import("./SubjectControls.svelte"),
		import("./MoreControls.svelte"),
		import("#lib/records/ExportMenu.svelte"),
		import("./OwnMeasurements.svelte"),
	]);
	return {
		Answer: answer.default,
		Solve: solve.default,
		SubjectControls: subject.default,
		MoreControls: more.default,
		ExportMenu: exports.default,
		OwnMeasurements: own.default,
	};
}
