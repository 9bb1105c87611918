import { inEnglish } from "#lib/chart/export/words.ts";
import { csvOf } from "#lib/csv.ts";
import { type ComparedAnswer, FIGURES, relativeTo, WORDS } from "../../scenarios/compared.ts";

/** The comparison as CSV: each figure of each plan with its interval, its evidence and its difference from the first. */
export function comparisonCsv(plans: readonly ComparedAnswer[], say = inEnglish): string {
	const [first] = plans;
	const head = [
		"figure",
		"unit",
		"plan",
		"value",
		"low",
		"high",
		"evidence",
		"relative to the first",
		"says",
	].map(say);
	const words = WORDS.flatMap(({ label, says }) =>
		plans.map((one) => [say(label), "", one.name, null, null, null, "", null, say(says(one))]),
	);
	const figures = FIGURES.flatMap(({ label, of }) =>
		plans.map((one) => {
			const { value, unit, low, high, evidence } = of(one);
			const relative = first && one !== first ? relativeTo(of(first), of(one)) : null;
			return [say(label), say(unit), one.name, value, low, high, say(evidence), relative, ""];
		}),
	);
	return csvOf([head, ...words, ...figures]);
}
