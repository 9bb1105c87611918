import { Gunzip, Inflate } from "fflate";
import { BrokenMember } from "./member.ts";

/** Packed bytes worked off at once: a bomb makes a thousand times as much of them. */
const SLICE = 4096;

/** The unpacked bytes of a deflate stream. */
export function* inflated(packed: Uint8Array): Generator<Uint8Array> {
	const out: Uint8Array[] = [];
	const inflate = new Inflate((chunk) => out.push(chunk));
	for (let from = 0; from < packed.length; from += SLICE) {
		push(inflate, packed.subarray(from, from + SLICE), from + SLICE >= packed.length);
		yield* out.splice(0);
	}
}

/** The unpacked bytes of a gzip stream. A cut one gives what it holds. */
export async function* gunzipped(
	source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	const out: Uint8Array[] = [];
	const gunzip = new Gunzip((chunk) => out.push(chunk));
	for await (const packed of source) {
		for (let from = 0; from < packed.length; from += SLICE) {
			push(gunzip, packed.subarray(from, from + SLICE), false);
			yield* out.splice(0);
		}
	}
}

function push(stream: Inflate | Gunzip, packed: Uint8Array, last: boolean): void {
	try {
		stream.push(packed, last);
	} catch (error) {
		throw new BrokenMember(`it cannot be unpacked: ${error instanceof Error ? error.message : error}`);
	}
}
