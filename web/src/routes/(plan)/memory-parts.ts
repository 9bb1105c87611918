import type { MemoryAnswer, Quantity } from "@plimsoll/api/model";

export type PartKey = "weights" | "overhead" | "kvUsed" | "free" | "reserved";

export interface MemoryPart {
	key: PartKey;
	label: string;
	bytes: number;
	quantity: Quantity;
}

/** The stack of one card as the bar draws it; its load line is at `lineBytes`. */
export interface MemoryParts {
	parts: MemoryPart[];
	/** Bytes that the whole width stands for: the card, and at most so much of what does not fit that the card stays readable. */
	scaleBytes: number;
	/** Where the engine's share of the card ends: nothing may be loaded beyond. */
	lineBytes: number;
	/** Bytes beyond the load line, 0 where everything fits. */
	overBytes: number;
	/** Bytes that the bar has no room for: it is broken off at its right end. */
	cutBytes: number;
	/** Parts that reach beyond the load line: they are hatched there and carry no words. */
	hatched: Set<PartKey>;
}

/** The bar shows the card and at most this share of it beyond. */
const ROOM_BEYOND = 0.4;

const LABELS: [PartKey, string, keyof MemoryAnswer][] = [
	["weights", "Weights", "weightsBytes"],
	["overhead", "Engine overhead", "overheadBytes"],
	["kvUsed", "KV cache in use", "kvUsedBytes"],
	["free", "Free for KV", "freeBytes"],
	["reserved", "Left unused", "reservedBytes"],
];

/** Parts of the card's memory; null where one of them is not known. A negative part is shown nowhere, only as overload. */
export function memoryParts(memory: MemoryAnswer): MemoryParts | null {
	const overBytes = Math.max(0, -(memory.freeBytes.value ?? 0));
	const parts: MemoryPart[] = [];
	for (const [key, label, field] of LABELS) {
		const quantity = memory[field];
		if (quantity.value === null) return null;
		// What is left unused is what the overload would reach into first.
		if (quantity.value <= 0 || (key === "reserved" && overBytes > 0)) continue;
		parts.push({
			key,
			label: key === "kvUsed" && overBytes > 0 ? "KV cache asked for" : label,
			bytes: quantity.value,
			quantity,
		});
	}
	const total = memory.totalBytes.value;
	if (total === null) return null;
	const filled = parts.reduce((sum, part) => sum + part.bytes, 0);
	const scaleBytes = Math.min(Math.max(total, filled), (1 + ROOM_BEYOND) * total);
	const lineBytes = total - Math.max(0, memory.reservedBytes.value ?? 0);
	const cutBytes = Math.max(0, filled - scaleBytes);
	return { parts, scaleBytes, lineBytes, overBytes, cutBytes, hatched: beyond(parts, lineBytes, overBytes) };
}

function beyond(parts: MemoryPart[], lineBytes: number, overBytes: number): Set<PartKey> {
	let end = 0;
	const reaching = parts.filter((part) => {
		end += part.bytes;
		return overBytes > 0 && part.key !== "reserved" && end > lineBytes;
	});
	return new Set(reaching.map((part) => part.key));
}
