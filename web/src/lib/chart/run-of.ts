import { callApi } from "#lib/api.ts";
import type { DotSource } from "./option.ts";

const found = new Map<string, Promise<string | null>>();

/** Id of the run that a dot's measurement came in, asked for once; null: it is not known, or the server does not say. */
export function runOf({ configuration, measurement }: DotSource): Promise<string | null> {
	if (measurement === null) return Promise.resolve(null);
	const path = `/configurations/${encodeURIComponent(configuration)}/measurements/${measurement}`;
	const known = found.get(path);
	if (known) return known;
	const run = callApi<{ runId: string }>(fetch, path).then(
		({ runId }) => runId,
		() => {
			found.delete(path);
			return null;
		},
	);
	found.set(path, run);
	return run;
}
