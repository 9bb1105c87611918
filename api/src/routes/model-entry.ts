import { z } from "@hono/zod-openapi";
import {
	type Implied,
	impliedBy,
	isModelFile,
	type ModelFacts,
	type ModelReading,
	readModelFile,
} from "../model/index.ts";
import { Problem } from "../problem.ts";
import type { NewEntry } from "../store/catalog-changes.ts";
import { modelOfEntry, newModelSchema, slug, today } from "./catalog-entry.ts";
import { modelFactsSchema } from "./facts-schema.ts";
import { quantitySchema } from "./quantity-schema.ts";
import { parsed } from "./router.ts";
import { words } from "./text-schema.ts";

/** How an entry of a catalog is named, and whether it may take the place of another. */
export const putQuery = z.object({
	replace: z
		.enum(["true", "false"])
		.optional()
		.openapi({ description: "Whether an entry with this id may be replaced; left out: no, a 409 says so" }),
});

/** What may be said beside a model file, which seldom names its model. */
export const modelQuery = putQuery.extend({
	id: slug.openapi({ description: "Catalog id; left out: made from the name", example: "my-model-7b" }),
	name: words().optional().openapi({ description: "Name; wins over the file's own" }),
	alias: words().optional().openapi({ description: "A further spelling that uploads use" }),
});
type ModelQuery = z.infer<typeof modelQuery>;

export const modelBody = z.record(z.string(), z.unknown()).openapi("ModelFile", {
	description:
		"A config.json as it is; or the header of a GGUF file, `{metadata: {key: value}, tensorInfos: [{name, shape, " +
		"dtype}]}` with the keys by their full names (the tokenizer's lists may be left out); or the fields of NewModel.",
	example: {
		model_type: "llama",
		num_hidden_layers: 32,
		num_attention_heads: 32,
		num_key_value_heads: 8,
		hidden_size: 4096,
		max_position_embeddings: 131_072,
	},
});

/** A model of the catalog, and whose entry it is. */
export const modelItemSchema = modelFactsSchema.extend({
	origin: z.enum(["seed", "user"]).openapi({ description: "seed: comes with Plimsoll; user: added here" }),
});

export const modelAnswerSchema = modelItemSchema
	.extend({
		readFrom: z.enum(["config.json", "GGUF header", "entered fields"]),
		weights: z
			.string()
			.nullable()
			.openapi({ description: "Weight format that the file says; null: not said" }),
		kvBytesPerToken: quantitySchema,
		kvBytesPerSequence: quantitySchema,
		weightsBytes: quantitySchema,
		decidedBy: z
			.array(z.object({ field: z.string(), from: z.string() }))
			.openapi({ description: "Which key or rule of the file decided each field" }),
	})
	.openapi("ModelReading");
/** What is answered about a model that was posted. */
export type ModelAnswer = z.infer<typeof modelAnswerSchema>;

/** A model to be stored, and the answer about it. */
interface ReadEntry {
	entry: NewEntry<ModelFacts>;
	answer: ModelAnswer;
}

/**
 * Reads what was posted as a model: a file, or the fields of one.
 * @throws Problem 400 for fields that are wrong, 422 for a file that cannot be read as a model or has no name
 */
export function readEntry(body: Record<string, unknown>, said: ModelQuery): ReadEntry {
	if (!isModelFile(body)) {
		const entry = modelOfEntry(parsed(newModelSchema, Object.assign({}, body, named(said))));
		const { facts } = entry;
		return {
			entry: spelled(entry, said),
			answer: answerOf(
				facts,
				"entered fields",
				[],
				null,
				impliedBy({ facts, weights: null, weightsBytes: null }),
			),
		};
	}
	const reading = readFile(body, said);
	const facts = { ...reading.facts, ...provenance(reading) };
	const entry = spelled({ facts, aliases: [] }, said);
	return {
		entry,
		answer: answerOf(
			facts,
			reading.kind,
			reading.decidedBy,
			reading.weights,
			impliedBy({ ...reading, facts }),
		),
	};
}

const named = ({ id, name }: ModelQuery) => ({ ...(id ? { id } : {}), ...(name ? { name } : {}) });

const spelled = (entry: NewEntry<ModelFacts>, { alias }: ModelQuery): NewEntry<ModelFacts> => ({
	...entry,
	aliases: alias ? [...entry.aliases, alias] : entry.aliases,
});

function readFile(body: Record<string, unknown>, said: ModelQuery): ModelReading {
	let reading: ModelReading;
	try {
		reading = readModelFile(body, named(said));
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		throw new Problem(422, "Not a model", `The file cannot be read as a model: ${error.message}.`, [
			{ at: "the body", reason: error.message },
		]);
	}
	if (reading.named) return reading;
	const reason = "the file does not name its model; add ?name=";
	throw new Problem(422, "Name needed", `A name is needed: ${reason}.`, [{ at: "name", reason }]);
}

/** Where the facts come from, and what the file holds besides. */
function provenance({ kind, weights }: ModelReading): Pick<ModelFacts, "sources" | "notes"> {
	const sources = [{ label: `${kind}, added here`, date: today() }];
	return weights ? { sources, notes: [`the file's weights: ${weights}`] } : { sources };
}

function answerOf(
	facts: ModelFacts,
	readFrom: ModelAnswer["readFrom"],
	decidedBy: ModelAnswer["decidedBy"],
	weights: string | null,
	implied: Implied,
): ModelAnswer {
	return { ...facts, origin: "user", readFrom, weights, ...implied, decidedBy };
}
