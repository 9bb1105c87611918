import { type Conditions, kvTypeName, type Said } from "../ingest/index.ts";
import type { Catalog } from "./catalogs.ts";

/** What a file says of one of its configurations and the uploader said otherwise, in words; empty where both agree. */
type Contradictions = (conditions: Conditions) => string[];

/**
 * Compares what was said beside a file with what the file says. The file counts: what is said beside it only fills what
 * the file leaves open. Two names of one GPU or model, as the catalogs know them, and two spellings are no
 * contradiction.
 * @param said what the uploader said beside the file
 */
export function contradictionsTo(said: Said, catalog: Catalog): Contradictions {
	return (conditions) => {
		const { gpu, gpus, model, engine, engineVersion, weights, kvK, kvV, tp } = conditions;
		const sameGpu = (name: string) => {
			const [stated, other] = [catalog.gpuOf(conditions), catalog.gpuOf({ ...conditions, gpu: name })];
			return stated && other ? stated.id === other.id : alike(gpu, name);
		};
		const sameModel = (name: string) => {
			const [stated, other] = [catalog.modelOf(conditions), catalog.modelOf({ ...conditions, model: name })];
			return stated && other ? stated.id === other.id : alike(model, name);
		};
		return [
			differs("GPU", gpu, said.gpu, sameGpu),
			differs("number of GPUs", gpus, said.gpus),
			differs("model", model, said.model, sameModel),
			differs("engine", engine, said.engine, (name) => letters(name) === letters(engine)),
			differs("engine version", engineVersion, said.engineVersion, (name) =>
				sameVersion(engineVersion, name),
			),
			differs("weights", weights, said.weights, (name) => letters(name) === letters(weights)),
			differs("type of the cached keys", kvK, said.kv, (name) => sameType(kvK, name)),
			differs("type of the cached values", kvV, said.kv, (name) => sameType(kvV, name)),
			differs("tensor parallel size", tp, said.tp),
		].filter((remark) => remark !== null);
	};
}

function differs<Value extends string | number>(
	what: string,
	inFile: Value | null,
	said: Value | undefined,
	same: (said: Value) => boolean = (value) => value === inFile,
): string | null {
	if (inFile === null || said === undefined || said === inFile || same(said)) return null;
	return `${what}: the file says ${quoted(inFile)}, the upload said ${quoted(said)}; the file counts`;
}

const quoted = (value: string | number): string => (typeof value === "string" ? `“${value}”` : String(value));

/** Small letters, digits and nothing else. */
const letters = (name: string | null): string => (name ?? "").toLowerCase().replace(/[^a-z0-9]/g, "");

/** Whether one of two names is part of the other: "llama-3.1-8b" of a file's "Llama-3.1-8B-Instruct-Q4_K_M.gguf". */
function alike(a: string | null, b: string): boolean {
	const [one, other] = [letters(a), letters(b)];
	return one !== "" && other !== "" && (one.includes(other) || other.includes(one));
}

/** "b5606 247e5c6e" is "5606", "v0.11.0" is "0.11.0"; "0.11.0rc1" is neither. */
function sameVersion(a: string | null, b: string): boolean {
	const parts = (version: string) =>
		version
			.toLowerCase()
			.split(/[\s()]+/)
			.map((part) => part.replace(/^[vb](?=\d)/, ""));
	const inFile = new Set(parts(a ?? ""));
	return parts(b).every((part) => part === "" || inFile.has(part));
}

const sameType = (a: string | null, b: string): boolean =>
	letters(kvTypeName(a ?? "")) === letters(kvTypeName(b));
