import type { MemoryAnswer, Quantity } from "@plimsoll/api/model";

export type PartKey = "weights" | "overhead" | "kvUsed" | "free" | "reserved";

export interface MemoryPart {
	key: PartKey;
	label: string;
	bytes: number;
	quantity: Quantity;
}

/** The stack of one card as the bar draws it: the parts add up to `scaleBytes`, whose load line is at `lineBytes`. */
export interface MemoryParts {
	parts: MemoryPart[];
	/** Bytes that the whole width stands for: the card, and what does not fit on it. */
	scaleBytes: number;
	/** Where the engine's share of the card ends: nothing may be loaded beyond. */
	lineBytes: number;
	/** Bytes beyond the load line, 0 where everything fits. */
	overBytes: number;
	/** Parts that reach beyond the load line: they are hatched there and carry no words. */
	hatched: Set<PartKey>;
}

const LABELS: [PartKey, string, keyof MemoryAnswer][] = [
	["weights", "Weights", "weightsBytes"],
	["overhead", "Engine overhead", "overheadBytes"],
	["kvUsed", "KV cache in use", "kvUsedBytes"],
	["free", "Free for KV", "freeBytes"],
	["reserved", "Left unused", "reservedBytes"],
];

/** Parts of the card's memory; null where one of them is not known. A negative part is shown nowhere, only as overload. */
export function memoryParts(memory: MemoryAnswer): MemoryParts | null {
	const parts: MemoryPart[] = [];
	for (const [key, label, field] of LABELS) {
		const quantity = memory[field];
		if (quantity.value === null) return null;
		if (quantity.value > 0) parts.push({ key, label, bytes: quantity.value, quantity });
	}
	const scaleBytes = parts.reduce((sum, part) => sum + part.bytes, 0);
	const reservedBytes = Math.max(0, memory.reservedBytes.value ?? 0);
	const overBytes = Math.max(0, -(memory.freeBytes.value ?? 0));
	const lineBytes = scaleBytes - reservedBytes - overBytes;
	return { parts, scaleBytes, lineBytes, overBytes, hatched: beyond(parts, lineBytes, overBytes) };
}

function beyond(parts: MemoryPart[], lineBytes: number, overBytes: number): Set<PartKey> {
	let end = 0;
	const reaching = parts.filter((part) => {
		end += part.bytes;
		return overBytes > 0 && part.key !== "reserved" && end > lineBytes;
	});
	return new Set(reaching.map((part) => part.key));
}
