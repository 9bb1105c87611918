import { setTimeout as sleep } from "node:timers/promises";
import { problemBody } from "../problem.ts";
import {
	beatOperation,
	beginOperation,
	claimSilent,
	endOperation,
	type KeptOperation,
	readOperation,
} from "../store/operations.ts";
import { type Answered, answerOf, requestOf } from "./call.ts";
import type { AgentContext } from "./context.ts";
import type { Arguments } from "./fill.ts";
import type { Operation } from "./operation.ts";

const BEAT_MS = 4000;
const LOOK_MS = 100;
/** No long call takes longer; the simulator gives up sooner by itself. */
const LONGEST_MS = 120_000;

/** A long call that is not yet answered. */
export interface Pending {
	operationId: string;
	operation: string;
	state: "running";
	seconds: number;
}

/** A long call with its answer. */
export interface Finished extends Answered {
	operation: string;
}

/** Begins a long call and waits a while for it. @throws Problem 400 for arguments that no request can be made of, 503 */
export async function executeLong(
	context: AgentContext,
	operation: Operation,
	given: Arguments,
	waitSeconds: number,
): Promise<{ id: string; outcome: Finished | Pending }> {
	// What is wrong with the arguments themselves is told at once.
	requestOf(operation, given, context.origin, new AbortController().signal);
	const callerId = context.inner.caller?.id ?? null;
	const id = await beginOperation(context.sql, { operation: operation.name, given, callerId });
	void work(context, operation, given, id);
	return { id, outcome: await outcomeOf(context, id, waitSeconds) };
}

/**
 * The answer of a long call, or that it still runs. Where its process fell silent, this one takes it over.
 * @throws Problem 404
 */
export async function outcomeOf(
	context: AgentContext,
	id: string,
	waitSeconds: number,
): Promise<Finished | Pending> {
	const until = performance.now() + waitSeconds * 1000;
	for (let pause = LOOK_MS; ; pause = Math.min(pause * 1.5, 1000)) {
		const kept = await readOperation(context.sql, id, context.inner.caller?.id ?? null);
		if (kept.status !== null) return answered(kept);
		await takeOverIfSilent(context, kept);
		const left = until - performance.now();
		if (left <= 0) return pending(kept);
		await sleep(Math.min(pause, left));
	}
}

async function takeOverIfSilent(context: AgentContext, kept: KeptOperation): Promise<void> {
	const operation = context.operations.find(({ name }) => name === kept.operation);
	if (operation && (await claimSilent(context.sql, kept.id)))
		void work(context, operation, kept.arguments, kept.id);
}

const pending = ({ id, operation, seconds }: KeptOperation): Pending => ({
	...{ operationId: id, operation, state: "running" },
	seconds: Math.round(seconds * 10) / 10,
});

function answered({ operation, status, answer }: KeptOperation): Finished {
	const type = (status ?? 500) < 400 ? "application/json" : "application/problem+json";
	return { operation, status: status ?? 500, type, body: Buffer.from(answer ?? ""), path: null };
}

/** Does the call and keeps its answer, with a sign of life now and then. Never throws: nobody waits for it. */
async function work(
	context: AgentContext,
	operation: Operation,
	given: Arguments,
	id: string,
): Promise<void> {
	const { sql, log, origin, api, inner } = context;
	const beat = setInterval(() => void beatOperation(sql, id).catch(() => {}), BEAT_MS);
	try {
		const request = requestOf(operation, given, origin, AbortSignal.timeout(LONGEST_MS));
		const { status, body } = await answerOf(api, request, inner);
		await endOperation(sql, id, { status, answer: Buffer.from(body).toString() });
	} catch (error) {
		log.error({ err: error, operation: operation.name, id }, "a long operation failed");
		const body = problemBody(
			500,
			"Operation failed",
			`${operation.name} failed here; the log has it under ${id}.`,
		);
		await endOperation(sql, id, { status: 500, answer: JSON.stringify(body) }).catch(() => {});
	} finally {
		clearInterval(beat);
	}
}
