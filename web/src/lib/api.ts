/** Every list of the API answers in this envelope. */
export interface Envelope<T> {
	items: T[];
	totalCount: number;
	returned: number;
	offset: number;
	truncated: boolean;
	nextCursor: string | null;
}

/** Why a call to the API gave no answer, in words meant for the reader. */
export class ApiProblem extends Error {
	override readonly name = "ApiProblem";
	/** HTTP status; null where the server could not be reached. */
	readonly status: number | null;
	readonly errors: { at: string; reason: string }[];

	constructor(message: string, status: number | null, errors: { at: string; reason: string }[] = []) {
		super(message);
		this.status = status;
		this.errors = errors;
	}
}

interface ProblemJson {
	title?: string;
	detail?: string;
	errors?: { at: string; reason: string }[];
}

async function problemOf(response: Response): Promise<ApiProblem> {
	const body: ProblemJson = await response.json().catch(() => ({}));
	const said = body.detail ?? body.title ?? response.statusText;
	return new ApiProblem(said || `The server answered ${response.status}`, response.status, body.errors ?? []);
}

/**
 * Calls the API and reads its JSON; `path` is what follows `/api/v1`.
 * @throws ApiProblem with the server's own words, or that it could not be reached
 */
export async function callApi<T>(fetcher: typeof fetch, path: string, init?: RequestInit): Promise<T> {
	let response: Response;
	try {
		response = await fetcher(`/api/v1${path}`, init);
	} catch (cause) {
		if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
		throw new ApiProblem("The server could not be reached. Is it still running?", null);
	}
	if (!response.ok) throw await problemOf(response);
	return response.status === 204 ? (undefined as T) : response.json();
}
