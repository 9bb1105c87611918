import { STATUS_CODES } from "node:http";

/** One thing wrong with the input, and where: a query parameter, a JSON path, a line of a file. */
export interface InputError {
	at: string;
	reason: string;
}

export type ProblemStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 421 | 422 | 503;

/** The JSON of RFC 9457 that every error answers with. */
export interface ProblemBody {
	type: string;
	title: string;
	status: number;
	detail: string;
	errors?: InputError[];
}

/** A failure that the caller can do something about; `detail` says what. Everything else is a 500. */
export class Problem extends Error {
	override readonly name = "Problem";
	readonly status: ProblemStatus;
	readonly title: string;
	readonly errors: InputError[] | undefined;

	constructor(status: ProblemStatus, title: string, detail: string, errors?: InputError[]) {
		super(detail);
		this.status = status;
		this.title = title;
		this.errors = errors;
	}

	get body(): ProblemBody {
		return problemBody(this.status, this.title, this.message, this.errors);
	}
}

/** A problem document; its type is a name derived from the title, the same for every occurrence. */
export function problemBody(
	status: number,
	title: string,
	detail: string,
	errors?: InputError[],
): ProblemBody {
	const slug = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
	return { type: `urn:plimsoll:problem:${slug}`, title, status, detail, ...(errors ? { errors } : {}) };
}

/** A problem document as a response. */
export function problemResponse(body: ProblemBody, headers: Record<string, string> = {}): Response {
	return new Response(JSON.stringify(body), {
		status: body.status,
		statusText: STATUS_CODES[body.status] ?? "",
		headers: { "content-type": "application/problem+json", ...headers },
	});
}

/** 404 for a thing that is not there; `advice` says where to look. */
export function notFound(what: string, id: string, advice: string): Problem {
	return new Problem(404, `${what} not found`, `There is no ${what.toLowerCase()} "${id}". ${advice}`);
}

/** 400 that names every wrong input. */
export function invalidInput(errors: InputError[]): Problem {
	const named = errors.map(({ at, reason }) => `${at}: ${reason}`).join("; ");
	return new Problem(400, "Invalid input", named.slice(0, 2000), errors);
}
