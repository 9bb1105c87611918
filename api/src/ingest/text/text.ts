/** From bytes to clean lines: encodings, line ends, colour codes, quoting and log prefixes. */

import { packingOf } from "../archive/packed.ts";
import { UnreadableFile } from "../reading.ts";

/** Longest line accepted, in UTF-16 units; detailed results of one run come as lines of several megabytes. */
const MAX_LINE = 64 * 1024 * 1024;

/** Decodes an upload chunk by chunk: UTF-8 or, by its mark or its zero bytes, UTF-16 (PowerShell's `>`). */
export class Decoder {
	private decoder: InstanceType<typeof TextDecoder> | null = null;

	write(bytes: Uint8Array): string {
		if (this.decoder === null) {
			if (bytes.length === 0) return "";
			this.decoder = new TextDecoder(encodingOf(bytes));
		}
		return this.decoder.decode(bytes, { stream: true });
	}

	end(): string {
		return this.decoder?.decode() ?? "";
	}
}

/**
 * The encoding of a text by its first bytes.
 * @throws UnreadableFile where they are packed data
 */
export function encodingOf(bytes: Uint8Array): string {
	const packing = packingOf(bytes);
	if (packing !== null)
		throw new UnreadableFile(
			`The file is packed (${packing}) where a text is expected: unpack it, or send it as gzip, zip or tar.gz.`,
		);
	const [first, second, third, fourth] = bytes;
	if (first === 0xff && second === 0xfe) return "utf-16le";
	if (first === 0xfe && second === 0xff) return "utf-16be";
	if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return "utf-16le";
	if (first === 0 && second !== 0 && third === 0 && fourth !== 0) return "utf-16be";
	return "utf-8";
}

/** Splits text that arrives in pieces into lines without their ends; a line may span any number of pieces. */
export class LineSplitter {
	private pieces: string[] = [];
	private pending = 0;
	/** 1-based number of the next line. */
	number = 1;

	/** Whole lines that `piece` completes. */
	*write(piece: string): Generator<string> {
		let from = 0;
		for (let at = piece.indexOf("\n"); at !== -1; at = piece.indexOf("\n", from)) {
			yield this.take(piece.slice(from, at));
			from = at + 1;
		}
		this.keep(from === 0 ? piece : piece.slice(from));
	}

	/** The last line, when the file does not end in a line end. */
	*end(): Generator<string> {
		if (this.pending > 0) yield this.take("");
	}

	private keep(rest: string): void {
		if (rest === "") return;
		this.pieces.push(rest);
		this.pending += rest.length;
		if (this.pending > MAX_LINE)
			throw new UnreadableFile(`Line ${this.number} is longer than ${MAX_LINE} characters.`);
	}

	private take(last: string): string {
		let line = last;
		if (this.pending > 0) {
			line = this.pieces.join("") + last;
			this.pieces = [];
			this.pending = 0;
		}
		this.number++;
		return line.endsWith("\r") ? line.slice(0, -1) : line;
	}
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colour codes begin with the escape character
const ANSI = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
const QUOTED = /^\s*(?:>\s?)+/;
const SERVICE = /^([A-Za-z][\w.-]*)\s+\| ?/;

/** Removes what terminals, forums and log collectors put around the lines of a file. */
export type LineCleaner = (line: string) => string;

/** Decides from the beginning of a file what its lines carry in front: quoting, "service  | ". */
export function lineCleaner(sample: string): LineCleaner {
	const lines = sample
		.slice(0, 32_768)
		.split("\n", 200)
		.filter((line) => line.trim() !== "");
	// With several services in one stream the names tell their lines apart: they stay.
	const services = new Set(lines.map((line) => SERVICE.exec(withoutColour(line))?.[1]));
	const prefixed = lines.length > 1 && services.size === 1 && !services.has(undefined);
	return (line) => {
		let clean = withoutColour(line);
		if (prefixed) clean = clean.replace(SERVICE, "");
		return clean.charCodeAt(0) <= 62 && QUOTED.test(clean) ? clean.replace(QUOTED, "") : clean;
	};
}

function withoutColour(line: string): string {
	return line.includes("\u001b") ? line.replace(ANSI, "") : line;
}

/** A whole text with \n line ends and clean lines. */
export function cleanText(raw: string, clean: LineCleaner = lineCleaner(raw)): string {
	const unified = raw.includes("\r") ? raw.replace(/\r\n?/g, "\n") : raw;
	if (!unified.includes("\u001b") && !/^\s*>/m.test(unified) && clean("x | ") === "x | ") return unified;
	return unified.split("\n").map(clean).join("\n");
}

/** The beginning of a text on one line, control characters replaced, for an error message. */
export function shown(raw: string, length = 200): string {
	return raw
		.slice(0, length)
		.replace(/\s+/g, " ")
		.replace(/[^\P{C}]/gu, "\uFFFD")
		.trim();
}
