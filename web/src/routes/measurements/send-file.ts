import { ApiProblem } from "#lib/api.ts";
import { access } from "#lib/records/access.svelte.ts";
import type { Issue, UploadAnswer } from "#lib/records/record.ts";

interface Sending {
	/** Share of the bytes sent, 0…1. */
	onprogress: (share: number) => void;
	/** All bytes are sent; the server reads them. */
	onsent: () => void;
	signal: AbortSignal;
}

interface Problem {
	title?: string;
	detail?: string;
	errors?: Issue[];
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
export function sendFile(file: File, query: URLSearchParams, { onprogress, onsent, signal }: Sending) {
	return new Promise<UploadAnswer>((resolve, reject) => {
		const request = new XMLHttpRequest();
		request.open("POST", `/api/v1/runs?${query}`);
		request.responseType = "json";
		request.setRequestHeader("content-type", "application/octet-stream");
		for (const [name, value] of Object.entries(access.headers)) request.setRequestHeader(name, value);
		request.upload.onprogress = (event) => event.lengthComputable && onprogress(event.loaded / event.total);
		request.upload.onload = onsent;
		request.onerror = () => reject(unreachable());
		request.onabort = () => reject(new DOMException("The upload was given up.", "AbortError"));
		request.onload = () => {
			if (request.status < 300) resolve(request.response as UploadAnswer);
			else reject(refusal(request.status, request.response as Problem | null));
		};
		signal.addEventListener("abort", () => request.abort(), { once: true });
		request.send(file);
	});
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
