import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/**
 * V8 doubles the space for young objects each time as much as it holds has survived, up to 128 MB, and hardly ever
 * gives any back. Loading the modules alone takes it that far: a server that waits most of the time would hold 300 MB.
 * Imported before they are loaded, this stops the growth; `settleYoungGeneration` then chooses a size.
 */
const holdSize = () => setFlagsFromString("--semi-space-growth-factor=1");
const letGrow = () => setFlagsFromString("--semi-space-growth-factor=2");

holdSize();

/** Both halves. With less, short-lived objects of one request would be taken for lasting ones. */
const SETTLED_BYTES = 4 * 2 ** 20;
/** Objects made at a time: as many as fill the space of the beginning. */
const CHURNED = 20_000;
const MOST_ROUNDS = 200;

/** Lets the young generation of this thread grow to the size that serves requests well, and no further. */
export function settleYoungGeneration(): void {
	letGrow();
	// Only objects that outlive a collection make the space grow.
	const lasting: object[][] = [];
	while (youngBytes() < SETTLED_BYTES && lasting.length < MOST_ROUNDS)
		lasting.push(Array.from({ length: CHURNED }, (_, n) => ({ n })));
	holdSize();
}

function youngBytes(): number {
	return getHeapSpaceStatistics().find((space) => space.space_name === "new_space")?.space_size ?? 0;
}
