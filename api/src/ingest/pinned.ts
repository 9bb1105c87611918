import type { PinnedMemory } from "../model/memory/facts.ts";

/** Memory facts of which only the given ones are known; the rest is null. */
export function pinnedMemory(known: Partial<PinnedMemory>): Omit<PinnedMemory, "sources"> {
	return {
		weightsBytes: null,
		kvPoolBytes: null,
		kvTokens: null,
		activationBytes: null,
		graphBytes: null,
		otherBytes: null,
		maxModelLen: null,
		windowsHonoured: null,
		...known,
	};
}
