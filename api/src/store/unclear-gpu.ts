import type { Conditions, Said } from "../ingest/index.ts";
import type { Catalog } from "./catalogs.ts";

const MOST_LISTED = 6;

/**
 * Says, of the GPU that a configuration names, where it may be several cards of the catalog.
 * @param said what the uploader said beside the file: a name from there can be sent more exactly
 * @returns null where it is one card, or like none that is known
 */
export function unclearGpu({ gpu }: Conditions, said: Said, catalog: Catalog): string | null {
	if (gpu === null) return null;
	const cards = catalog.gpusLike(gpu);
	if (cards.length < 2) return null;
	const listed = cards.slice(0, MOST_LISTED).join(", ") + (cards.length > MOST_LISTED ? ", …" : "");
	const advice = said.gpu === gpu ? "; send gpu=ID" : "";
	return `GPU: “${gpu}” names no one card of the catalog (${listed}): memory, peak and price of it are not known${advice}`;
}
