import type { Configuration } from "#lib/records/record.ts";
import { hasWords } from "#lib/records/walk.ts";

/** What the address asks the list for; an empty text asks for nothing. */
export interface ConfigurationFilter {
	/** Words to be found in what the configuration is called and made of. */
	q: string;
	origin: string;
}

export function filterOf(query: URLSearchParams): ConfigurationFilter {
	const of = (key: string) => query.get(key)?.trim() ?? "";
	return { q: of("q"), origin: of("origin") };
}

export function isEmpty({ q, origin }: ConfigurationFilter): boolean {
	return !q && !origin;
}

export function matches(configuration: Configuration, { q, origin }: ConfigurationFilter): boolean {
	const { label, gpuName, gpuId, modelName, modelId, engine, weights, attribution } = configuration;
	if (origin && configuration.origin !== origin) return false;
	return hasWords(q, [label, gpuName, gpuId, modelName, modelId, engine, weights, attribution]);
}
