import type { Configuration } from "#lib/records/record.ts";

/** Two configurations that are worth holding against each other. */
export interface SuggestedPair {
	ids: [string, string];
	/** "gpt-oss-20b: RTX 5090 or RTX 4090" */
	words: string;
}

type Compared = Pick<
	Configuration,
	"id" | "gpuName" | "gpus" | "engine" | "engineVersion" | "modelName" | "weights" | "kvK" | "tp" | "fits"
>;

const MOST_PAIRS = 5;
/** Of one model, so that others are seen too. */
const MOST_OF_MODEL = 2;
/** More differences than these, and nobody can tell which of them made the times. */
const MOST_DIFFERENCES = 3;

/** What two configurations of one model can differ in, and how one of them is said. */
const DIFFERENCES: ((one: Compared) => string | null)[] = [
	({ gpuName, gpus }) => gpuName && (gpus && gpus > 1 ? `${gpus} × ${gpuName}` : gpuName),
	({ engine, engineVersion }) => (engine ? [engine, engineVersion].filter(Boolean).join(" ") : null),
	({ weights }) => weights && `${weights} weights`,
	({ kvK }) => kvK && `${kvK} cache`,
	({ tp }) => (tp ? `tensor parallel ${tp}` : null),
];

const PHASES = ["prefill", "decode", "serve"] as const;
const comparable = (a: Compared, b: Compared) =>
	a.modelName !== null &&
	a.modelName === b.modelName &&
	PHASES.some((phase) => a.fits[phase] !== null && b.fits[phase] !== null);

/** Pairs of one model that share a fitted law, those with the fewest differences first. */
export function suggestedPairs(configurations: readonly Compared[]): SuggestedPair[] {
	const pairs = configurations.flatMap((a, at) =>
		configurations.slice(at + 1).flatMap((b) => {
			if (!comparable(a, b)) return [];
			const apart = DIFFERENCES.map((of) => [of(a), of(b)] as const).filter(
				([one, other]) => one !== null && other !== null && one !== other,
			);
			if (apart.length === 0 || apart.length > MOST_DIFFERENCES) return [];
			const [mine, others] = [0, 1].map((side) => apart.map((both) => both[side]).join(", "));
			const words = `${a.modelName}: ${mine} or ${others}`;
			return [
				{ ids: [a.id, b.id] as [string, string], words, model: a.modelName, differences: apart.length },
			];
		}),
	);
	return pairs
		.sort((a, b) => a.differences - b.differences)
		.filter(
			({ model }, at, all) => all.slice(0, at).filter((one) => one.model === model).length < MOST_OF_MODEL,
		)
		.slice(0, MOST_PAIRS)
		.map(({ ids, words }) => ({ ids, words }));
}
