import { deflateRawSync, gzipSync } from "node:zlib";

/** Archives written by hand from their specifications: nothing here is the product's or its library's code. */

export type Files = Record<string, string | Uint8Array>;

const bytesOf = (content: string | Uint8Array): Buffer =>
	typeof content === "string" ? Buffer.from(content) : Buffer.from(content);

/** A tar in the ustar form; a name that ends in "/" is a folder. */
export function tarOf(files: Files): Buffer<ArrayBuffer> {
	return Buffer.concat([
		...Object.entries(files).map(([path, content]) => tarEntry(path, content)),
		Buffer.alloc(1024),
	]);
}

export const tarGzOf = (files: Files): Buffer<ArrayBuffer> => gzipSync(tarOf(files));

export function tarEntry(
	path: string,
	content: string | Uint8Array,
	type = path.endsWith("/") ? "5" : "0",
): Buffer<ArrayBuffer> {
	const body = bytesOf(content);
	const header = Buffer.alloc(512);
	header.write(path, 0, 100);
	header.write("0000644\0", 100);
	header.write(`${body.length.toString(8).padStart(11, "0")}\0`, 124);
	header.write("        ", 148);
	header.write(type, 156);
	header.write("ustar\x0000", 257);
	const sum = header.reduce((total, byte) => total + byte, 0);
	header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
	return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

export interface ZipOptions {
	/** 0: stored, 8: deflated, or a number that no reader knows. */
	method?: number;
	/** General purpose bits: 1 encrypted, 8 sizes behind the data, 0x800 names in UTF-8. */
	flags?: number;
	comment?: string;
	/** Unpacked size that the list names, where it is to be wrong. */
	claims?: number;
}

/** A zip with its list of files at the end. */
export function zipOf(
	files: Files,
	{ method = 8, flags = 0x800, comment = "", claims }: ZipOptions = {},
): Buffer<ArrayBuffer> {
	const locals: Buffer[] = [];
	const list: Buffer[] = [];
	let offset = 0;
	for (const [path, content] of Object.entries(files)) {
		const name = Buffer.from(path);
		const body = bytesOf(content);
		const packed = method === 8 ? deflateRawSync(body) : body;
		const sizesBehind = (flags & 8) !== 0;
		const local = Buffer.alloc(30);
		local.writeUInt32LE(0x04034b50, 0);
		local.writeUInt16LE(flags, 6);
		local.writeUInt16LE(method, 8);
		local.writeUInt32LE(sizesBehind ? 0 : packed.length, 18);
		local.writeUInt32LE(sizesBehind ? 0 : body.length, 22);
		local.writeUInt16LE(name.length, 26);
		const behind = Buffer.alloc(sizesBehind ? 16 : 0);
		if (sizesBehind) behind.writeUInt32LE(0x08074b50, 0);
		const entry = Buffer.alloc(46);
		entry.writeUInt32LE(0x02014b50, 0);
		entry.writeUInt16LE(flags, 8);
		entry.writeUInt16LE(method, 10);
		entry.writeUInt32LE(packed.length, 20);
		entry.writeUInt32LE(claims ?? body.length, 24);
		entry.writeUInt16LE(name.length, 28);
		entry.writeUInt32LE(offset, 42);
		locals.push(local, name, packed, behind);
		list.push(entry, name);
		offset += 30 + name.length + packed.length + behind.length;
	}
	const listed = Buffer.concat(list);
	const end = Buffer.alloc(22);
	end.writeUInt32LE(0x06054b50, 0);
	end.writeUInt16LE(Object.keys(files).length, 8);
	end.writeUInt16LE(Object.keys(files).length, 10);
	end.writeUInt32LE(listed.length, 12);
	end.writeUInt32LE(offset, 16);
	end.writeUInt16LE(comment.length, 20);
	return Buffer.concat([...locals, listed, end, Buffer.from(comment)]);
}
