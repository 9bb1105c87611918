import type { Quantity } from "../trust/quantity.ts";

/** The memory stack of one GPU: bytes per GPU, each with its evidence. */
export interface MemoryAnswer {
	kvBytesPerToken: Quantity;
	kvBytesPerSequence: Quantity;
	poolBytes: Quantity;
	weightsBytes: Quantity;
	overheadBytes: Quantity;
	totalBytes: Quantity;
	/** What the engine leaves alone: total − weights − overhead − pool. */
	reservedBytes: Quantity;
	kvUsedBytes: Quantity;
	freeBytes: Quantity;
	maxSequences: Quantity;
	maxContext: Quantity;
}
