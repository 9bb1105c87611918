import { UnreadableFile } from "../reading.ts";
import { inflated } from "./inflate.ts";
import { BrokenMember, FOLDER, type Member, plainPath, unfitMember } from "./member.ts";

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 65535;
const ENCRYPTED = 1;
const UTF8 = 0x800;
const STORED = 0;
const DEFLATED = 8;

interface Entry {
	path: string;
	flags: number;
	method: number;
	packedBytes: number;
	bytes: number;
	/** Place of its local header. */
	offset: number;
}

/**
 * Members of a zip, in the order of its list of files. The list stands at the end, so the archive is held whole;
 * the sizes in it are exact, where local headers may leave them out.
 * @throws UnreadableFile where the list is missing or damaged
 */
export function* zipMembers(archive: Uint8Array): Generator<Member> {
	const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
	try {
		for (const entry of entriesOf(view)) yield memberOf(view, entry);
	} catch (error) {
		if (error instanceof RangeError)
			throw new UnreadableFile("The zip archive is damaged: its list of files points outside of it.");
		throw error;
	}
}

function memberOf(view: DataView, entry: Entry): Member {
	const { path, flags, method } = entry;
	if (path.endsWith("/")) return unfitMember(path, FOLDER);
	if (flags & ENCRYPTED) return unfitMember(path, "encrypted");
	if (method !== STORED && method !== DEFLATED)
		return unfitMember(path, `packed by method ${method}, which is not read here: use deflate`);
	return { path: plainPath(path), unfit: null, bytes: () => unpacked(view, entry) };
}

function* unpacked(view: DataView, { offset, packedBytes, bytes, method }: Entry): Generator<Uint8Array> {
	if (offset + 30 > view.byteLength || view.getUint32(offset, true) !== LOCAL)
		throw new BrokenMember("the list of files points to a place that holds no member");
	const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
	if (start + packedBytes > view.byteLength) throw new BrokenMember("the archive is cut inside this member");
	const packed = new Uint8Array(view.buffer, view.byteOffset + start, packedBytes);
	let have = 0;
	for (const chunk of method === STORED ? [packed] : inflated(packed)) {
		have += chunk.length;
		yield chunk;
	}
	if (have !== bytes) throw new BrokenMember(`it unpacks to ${have} bytes, not to the ${bytes} it names`);
}

function* entriesOf(view: DataView): Generator<Entry> {
	let { offset, count } = listOf(view);
	for (; count > 0; count--) {
		if (view.getUint32(offset, true) !== ENTRY)
			throw new UnreadableFile("The zip archive is damaged: its list of files breaks off.");
		const nameLength = view.getUint16(offset + 28, true);
		const extraLength = view.getUint16(offset + 30, true);
		const flags = view.getUint16(offset + 8, true);
		const entry: Entry = {
			path: nameOf(view, offset + 46, nameLength, flags),
			flags,
			method: view.getUint16(offset + 10, true),
			packedBytes: view.getUint32(offset + 20, true),
			bytes: view.getUint32(offset + 24, true),
			offset: view.getUint32(offset + 42, true),
		};
		yield withLargeSizes(view, offset + 46 + nameLength, extraLength, entry);
		offset += 46 + nameLength + extraLength + view.getUint16(offset + 32, true);
	}
}

/** Where the list of files begins and how many it has; found from the end, behind which a comment may stand. */
function listOf(view: DataView): { offset: number; count: number } {
	const last = view.byteLength - END_BYTES;
	for (let at = last; at >= Math.max(0, last - LONGEST_COMMENT); at--) {
		if (view.getUint32(at, true) !== END) continue;
		if (at >= 20 && view.getUint32(at - 20, true) === LOCATOR_64) {
			const large = Number(view.getBigUint64(at - 12, true));
			if (view.getUint32(large, true) === END_64) {
				return {
					offset: Number(view.getBigUint64(large + 48, true)),
					count: Number(view.getBigUint64(large + 32, true)),
				};
			}
		}
		return { offset: view.getUint32(at + 16, true), count: view.getUint16(at + 10, true) };
	}
	throw new UnreadableFile(
		"The zip archive is cut: the list of its files, which stands at the end, is missing.",
	);
}

/** Sizes beyond 4 GiB stand in an extra field, in this order and only where the usual place is full. */
function withLargeSizes(view: DataView, from: number, length: number, entry: Entry): Entry {
	for (let at = from; at + 4 <= from + length; at += 4 + view.getUint16(at + 2, true)) {
		if (view.getUint16(at, true) !== 1) continue;
		let next = at + 4;
		for (const name of ["bytes", "packedBytes", "offset"] as const) {
			if (entry[name] !== 0xffffffff) continue;
			entry[name] = Number(view.getBigUint64(next, true));
			next += 8;
		}
	}
	return entry;
}

/** Names are UTF-8 where a flag says so or they can be read so; else of the IBM PC, read letter for byte. */
function nameOf(view: DataView, from: number, length: number, flags: number): string {
	const bytes = new Uint8Array(view.buffer, view.byteOffset + from, length);
	const name = new TextDecoder("utf-8", { fatal: (flags & UTF8) === 0 });
	try {
		return name.decode(bytes);
	} catch {
		return String.fromCharCode(...bytes);
	}
}
