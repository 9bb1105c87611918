import { isModelFile, type ModelReading, readModelFile } from "@plimsoll/api/model";
import { readGgufHeader } from "./gguf-file.ts";

/** A model as files say it, before anything is sent or stored. */
export interface DroppedModel {
	fileName: string;
	/** What is posted: the config as it is, or the header. */
	body: Record<string, unknown>;
	reading: ModelReading;
	/** A spelling by which benchmark files of this model may name it; null for a config.json. */
	alias: string | null;
}

const isGguf = (file: File) => /\.gguf$/i.test(file.name);

/** A config.json has some thousand bytes; weights dropped by mistake are not read into memory. */
const LARGEST_CONFIG = 4 * 2 ** 20;

/**
 * Reads one config.json, or the header of one GGUF file in all its parts.
 * @throws Error in words meant for the reader
 */
export async function readDropped(files: readonly File[]): Promise<DroppedModel> {
	const [first, ...others] = [...files].sort((a, b) => a.name.localeCompare(b.name));
	if (!first) throw new Error("There is no file among what was dropped.");
	if (files.every(isGguf)) return readParts([first, ...others]);
	if (others.length > 0)
		throw new Error("One model at a time: one config.json, or all parts of one GGUF file.");
	return readConfigFile(first);
}

async function readParts(files: readonly [File, ...File[]]): Promise<DroppedModel> {
	const [first] = files;
	const headers = await Promise.all(files.map(readGgufHeader));
	const metadata = headers.find((header) => "general.architecture" in header.metadata)?.metadata ?? {};
	const body = { metadata, tensorInfos: headers.flatMap((header) => header.tensorInfos) };
	const alias = first.name.replace(/\.gguf$/i, "");
	const reading = readModelFile(body);
	// A file that was converted from an unnamed folder calls itself "Models": its own name says more.
	const named = reading.named ? reading : readModelFile(body, { name: alias });
	return { fileName: first.name, body, reading: named, alias };
}

async function readConfigFile(file: File): Promise<DroppedModel> {
	if (file.size > LARGEST_CONFIG)
		throw new Error(
			`${file.name} is neither a config.json nor a .gguf file: those are what a model is read from.`,
		);
	let body: unknown;
	try {
		body = JSON.parse(await file.text());
	} catch {
		throw new Error(`${file.name} is not JSON. Drop a model's config.json, or its .gguf file.`);
	}
	if (!isModelFile(body))
		throw new Error(`${file.name} holds no model: a config.json names its layers and heads.`);
	return { fileName: file.name, body, reading: readModelFile(body), alias: null };
}
