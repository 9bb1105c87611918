import { ApiProblem } from "#lib/api.ts";
import { access } from "#lib/records/access.svelte.ts";
import type { Issue, UploadAnswer } from "#lib/records/record.ts";

/** Where the server is with a file that has arrived. */
export type Step = { stage: "reading"; rows: number } | { stage: "fitting" };

interface Sending {
	/** Share of the bytes sent, 0…1. */
	onprogress: (share: number) => void;
	/** All bytes are sent; the server reads them. */
	onsent: () => void;
	/** What the server tells of it while it does. */
	onstep: (step: Step) => void;
	signal: AbortSignal;
}

interface Problem {
	title?: string;
	detail?: string;
	errors?: Issue[];
}

type Line =
	| Step
	| { stage: "done"; run: UploadAnswer }
	| { stage: "failed"; problem: Problem & { status: number } };

const NDJSON = "application/x-ndjson";

/** The last whole line of what has arrived so far; null where there is none. */
export function lastLine(text: string): Line | null {
	const end = text.lastIndexOf("\n");
	if (end === -1) return null;
	return JSON.parse(text.slice(text.lastIndexOf("\n", end - 1) + 1, end));
}

/** The query of an upload: what was said beside the file, and its name. */
export function uploadQuery(said: Readonly<Record<string, string>>, fileName: string): URLSearchParams {
	const given = Object.entries(said).flatMap(([key, value]) => (value.trim() ? [[key, value.trim()]] : []));
	return new URLSearchParams([...given, ["fileName", fileName]]);
}

/**
 * Posts one file. XMLHttpRequest, because fetch does not tell how far an upload is.
 * @throws ApiProblem with the server's own words; DOMException AbortError where it was given up
 */
export function sendFile(
	file: File,
	query: URLSearchParams,
	{ onprogress, onsent, onstep, signal }: Sending,
): Promise<UploadAnswer> {
	return new Promise((resolve, reject) => {
		const request = new XMLHttpRequest();
		request.open("POST", `/api/v1/runs?${query}`);
		request.setRequestHeader("content-type", "application/octet-stream");
		request.setRequestHeader("accept", `${NDJSON}, application/problem+json`);
		for (const [name, value] of Object.entries(access.headers)) request.setRequestHeader(name, value);
		request.upload.onprogress = (event) => event.lengthComputable && onprogress(event.loaded / event.total);
		request.upload.onload = onsent;
		request.onerror = () => reject(unreachable());
		request.onabort = () => reject(new DOMException("The upload was given up.", "AbortError"));
		request.onprogress = () => {
			const line = request.status < 300 ? lastLine(request.responseText) : null;
			if (line?.stage === "reading" || line?.stage === "fitting") onstep(line);
		};
		request.onload = () => {
			const line = request.status < 300 ? lastLine(request.responseText) : null;
			if (line?.stage === "done") resolve(line.run);
			else if (line?.stage === "failed") reject(refusal(line.problem.status, line.problem));
			else reject(request.status < 300 ? unreachable() : refusal(request.status, problemOf(request)));
		};
		signal.addEventListener("abort", () => request.abort(), { once: true });
		request.send(file);
	});
}

function problemOf({ responseText }: XMLHttpRequest): Problem | null {
	try {
		return JSON.parse(responseText);
	} catch {
		return null;
	}
}

function unreachable(): ApiProblem {
	return new ApiProblem(
		"The server closed the connection or could not be reached. Is it still running, and is the file within its size limit?",
		null,
	);
}

function refusal(status: number, problem: Problem | null): ApiProblem {
	const said = problem?.detail ?? problem?.title ?? `The server answered ${status}`;
	return new ApiProblem(said, status, problem?.errors ?? []);
}
