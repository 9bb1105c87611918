/** Packed data by its first bytes. */
const MARKS: [kind: Packing, mark: number[]][] = [
	["gzip", [0x1f, 0x8b]],
	["zip", [0x50, 0x4b, 0x03, 0x04]],
	["zip", [0x50, 0x4b, 0x05, 0x06]],
	["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
	["bzip2", [0x42, 0x5a, 0x68]],
	["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
	["7z", [0x37, 0x7a, 0xbc, 0xaf]],
	["rar", [0x52, 0x61, 0x72, 0x21, 0x1a]],
];

export type Packing = "gzip" | "zip" | "xz" | "bzip2" | "zstd" | "7z" | "rar";

/** How bytes are packed, as far as their beginning shows; null: they are not. */
export function packingOf(bytes: Uint8Array): Packing | null {
	return MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0] ?? null;
}
