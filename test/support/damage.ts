import fc from "fast-check";

/** What happens to benchmark files on their way: terminals, shells, forums, editors, killed jobs. */

export const quoted = (text: string): string => eachLine(text, (line) => `> ${line}`);

export const prefixed = (text: string): string => eachLine(text, (line) => `bench-1  | ${line}`);

/** A colour before each line and a reset behind it. */
export const coloured = (text: string): string => eachLine(text, (line) => `\u001b[32m${line}\u001b[0m`);

export const crlf = (text: string): string => text.replaceAll("\n", "\r\n");

/** Lines broken at the width of a terminal. */
export const wrapped = (text: string, width: number): string =>
	eachLine(text, (line) => line.replace(new RegExp(`(.{${width}})(?=.)`, "g"), "$1\n"));

/** UTF-16 little endian with its mark, as PowerShell's `>` writes. */
export function utf16(text: string): Uint8Array {
	return Uint8Array.from([0xff, 0xfe, ...Buffer.from(text, "utf16le")]);
}

function eachLine(text: string, change: (line: string) => string): string {
	const lines = text.split("\n");
	const last = lines.pop() ?? "";
	return [...lines.map(change), last === "" ? "" : change(last)].join("\n");
}

export interface Damage {
	place: number;
	taken: number;
	put: string;
}

/** One damage: at a place (as a share of the text), so much is taken out and something is put in. */
export const anyDamage: fc.Arbitrary<Damage> = fc.record({
	place: fc.double({ min: 0, max: 1, noNaN: true }),
	taken: fc.nat({ max: 40 }),
	put: fc.oneof(
		fc.constantFrom(
			"",
			"NaN",
			"-nan",
			"Infinity",
			"null",
			"1e999",
			"-1",
			"0",
			'"',
			"{",
			"}",
			"[",
			"]",
			",",
			"\n",
			"\u0000",
			"é",
			'{"',
			"'",
			"(",
			"9".repeat(30),
		),
		fc.string({ maxLength: 8 }),
	),
});

export function damaged(text: string, damages: readonly Damage[]): string {
	return damages.reduce((now, { place, taken, put }) => {
		const at = Math.floor(place * now.length);
		return now.slice(0, at) + put + now.slice(at + taken);
	}, text);
}
