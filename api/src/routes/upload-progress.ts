import { z } from "@hono/zod-openapi";
import type { ProblemBody } from "../problem.ts";
import type { Progress, Step } from "../store/copy-rows.ts";
import type { UploadAnswer } from "../store/upload.ts";
import { problemSchema } from "./problem-schema.ts";
import { uploadSchema } from "./run-schema.ts";

/** Least time between two lines. */
const EVERY_MS = 250;
const NDJSON = "application/x-ndjson";

/** One line of the answer: where an upload is, or what became of it. */
export const progressSchema = z
	.discriminatedUnion("stage", [
		z.object({ stage: z.literal("reading"), rows: z.number().int() }),
		z.object({ stage: z.literal("fitting") }),
		z.object({ stage: z.literal("done"), run: uploadSchema }),
		z.object({ stage: z.literal("failed"), problem: problemSchema }),
	])
	.openapi("UploadProgress");

type Line = Step | { stage: "done"; run: UploadAnswer } | { stage: "failed"; problem: ProblemBody };

export function wantsProgress(accept = ""): boolean {
	return accept.includes(NDJSON);
}

/**
 * Answers with lines that tell how far an upload is, and at last its outcome. The answer begins with the first step:
 * what is refused before is an ordinary problem with its own status.
 * @param problemOf what a failure answers
 */
export function tellProgress(
	take: (progress: Progress) => Promise<UploadAnswer>,
	problemOf: (error: Error) => Promise<ProblemBody>,
): Promise<Response> {
	return new Promise((answer, refuse) => {
		let lines: Lines | null = null;
		const begin = (status: 200 | 201) => {
			const begun = new Lines();
			answer(new Response(begun.stream, { status, headers: { "content-type": NDJSON } }));
			return begun;
		};
		take((step) => {
			lines ??= begin(200);
			lines.step(step);
		}).then(
			(run) => (lines ?? begin(run.duplicate ? 200 : 201)).end({ stage: "done", run }),
			async (error: Error) => {
				if (lines) lines.end({ stage: "failed", problem: await problemOf(error) });
				else refuse(error);
			},
		);
	});
}

/** Lines of JSON as a stream; a reader that left changes nothing about the upload. */
class Lines {
	readonly stream: ReadableStream<Uint8Array>;
	#controller: ReadableStreamDefaultController<Uint8Array> | null = null;
	#last = Number.NEGATIVE_INFINITY;
	#stage: Step["stage"] | null = null;

	constructor() {
		this.stream = new ReadableStream({
			start: (controller) => {
				this.#controller = controller;
			},
			cancel: () => {
				this.#controller = null;
			},
		});
	}

	/** Steps of one stage that follow closely on another are left out. */
	step(step: Step): void {
		const now = performance.now();
		if (step.stage === this.#stage && now - this.#last < EVERY_MS) return;
		this.#last = now;
		this.#stage = step.stage;
		this.#write(step);
	}

	end(line: Line): void {
		this.#write(line);
		this.#controller?.close();
	}

	#write(line: Line): void {
		this.#controller?.enqueue(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
	}
}
