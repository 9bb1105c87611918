import { readFileSync } from "node:fs";
import index from "../seed/examples/index.json" with { type: "json" };

/** What is said beside an example: keys of an upload's query. */
interface ExampleParameters {
	label: string;
	/** What the file itself does not say. */
	gpu?: string;
	gpus?: number;
	engine?: string;
	engineVersion?: string;
}

export interface ExampleFile {
	/** Base name. */
	fileName: string;
	bytes: Uint8Array;
	said: ExampleParameters;
	/** "example": our own runs; "published": figures re-entered from a publication. */
	origin: "example" | "published";
	attribution: string;
}

interface IndexEntry {
	file: string;
	origin: string;
	attribution: string;
	parameters: ExampleParameters;
}

function readExample({ file, origin, attribution, parameters }: IndexEntry): ExampleFile {
	return {
		fileName: file.split("/").at(-1) ?? file,
		bytes: readFileSync(new URL(`../seed/examples/${file}`, import.meta.url)),
		said: parameters,
		origin: origin === "example" ? "example" : "published",
		attribution,
	};
}

/** The example measurements that a new installation starts with, in the order to load them. */
export function* exampleFiles(): Generator<ExampleFile> {
	for (const entry of index) yield readExample(entry);
}
