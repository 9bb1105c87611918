import type { ByteReader } from "./byte-reader.ts";
import { BrokenMember, FOLDER, type Member, plainPath, unfitMember } from "./member.ts";

/** Everything in a tar begins at a multiple of this. */
const BLOCK = 512;
/** Longest path or table of extended headers that is read. */
const LONGEST_HEADER = 1024 * 1024;
const FILE_TYPES = new Set(["", "0", "7"]);
const UNFIT: Record<string, string> = { 1: "a link", 2: "a link", 5: FOLDER, S: "a file with holes" };

interface Header {
	path: string;
	size: number;
	type: string;
}

/** Whether a tar header begins here: the sum of its bytes stands in it. */
export function isTarHeader(block: Uint8Array): boolean {
	if (block.length < BLOCK) return false;
	let sum = 0;
	// The sum is taken with blanks in its own place.
	for (let at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? 32 : (block[at] ?? 0);
	return sum === octal(block, 148, 8);
}

/**
 * Members of a tar, in its order, read as it arrives.
 * @throws BrokenMember where a header is damaged or the archive is cut
 */
export async function* tarMembers(source: ByteReader): AsyncGenerator<Member> {
	let extended: Partial<Header> = {};
	for (;;) {
		const block = await source.take(BLOCK);
		if (block.length === 0 || block.every((byte) => byte === 0)) return;
		if (!isTarHeader(block)) throw new BrokenMember("the archive is cut or damaged here");
		const header = { ...headerOf(block), ...extended };
		if ("xgLK".includes(header.type) && header.type !== "") {
			const more = extension(header, await source.take(padded(header.size)));
			// "g" and "K" say nothing that is needed here.
			if (header.type === "x" || header.type === "L") extended = { ...extended, ...more };
			continue;
		}
		extended = {};
		yield* memberOf(header, source);
	}
}

/** Hands one member out, then passes what was not read of it. */
async function* memberOf({ path, size, type }: Header, source: ByteReader): AsyncGenerator<Member> {
	let left = padded(size);
	async function* read(length: number): AsyncGenerator<Uint8Array> {
		for await (const chunk of source.chunks(length)) {
			left -= chunk.length;
			yield chunk;
		}
		if (left > padded(size) - size) throw new BrokenMember("the archive is cut inside this member");
	}
	const plain = FILE_TYPES.has(type) && !path.endsWith("/");
	if (plain) yield { path: plainPath(path), unfit: null, bytes: () => read(size) };
	else yield unfitMember(path, UNFIT[type] ?? (path.endsWith("/") ? FOLDER : "no file"));
	for await (const passed of source.chunks(left)) left -= passed.length;
}

function headerOf(block: Uint8Array): Header {
	const prefix = text(block, 257, 5) === "ustar" ? text(block, 345, 155) : "";
	const name = text(block, 0, 100);
	return {
		path: prefix === "" ? name : `${prefix}/${name}`,
		size: sizeOf(block),
		type: text(block, 156, 1),
	};
}

/** Octal digits, or beyond 8 GiB a binary number marked by its first bit. */
function sizeOf(block: Uint8Array): number {
	if (((block[124] ?? 0) & 0x80) === 0) return octal(block, 124, 12);
	let size = (block[124] ?? 0) & 0x7f;
	for (let at = 125; at < 136; at++) size = size * 256 + (block[at] ?? 0);
	return size;
}

/** What an extended header (pax "x", GNU "L") says about the member behind it. */
function extension({ type, size }: Header, body: Uint8Array): Partial<Header> {
	if (size > LONGEST_HEADER || body.length < size)
		throw new BrokenMember("the archive is cut or damaged here");
	const content = new TextDecoder().decode(body.subarray(0, size));
	if (type === "L") return { path: content.replace(/\0.*$/s, "") };
	const records = Object.fromEntries(
		[...content.matchAll(/(?:^|\n)\d+ ([^=\n]+)=([^\n]*)/g)].map(([, key, value]) => [key, value]),
	);
	return {
		...(records.path === undefined ? {} : { path: records.path }),
		...(/^\d+$/.test(records.size ?? "") ? { size: Number(records.size) } : {}),
	};
}

function padded(size: number): number {
	return Math.ceil(size / BLOCK) * BLOCK;
}

function octal(block: Uint8Array, from: number, length: number): number {
	return Number.parseInt(text(block, from, length).trim() || "0", 8);
}

function text(block: Uint8Array, from: number, length: number): string {
	const end = block.indexOf(0, from);
	const to = end === -1 || end > from + length ? from + length : end;
	return new TextDecoder().decode(block.subarray(from, to));
}
