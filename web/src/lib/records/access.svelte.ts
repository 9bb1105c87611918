import { ApiProblem, callApi } from "../api.ts";

const KEY = "plimsoll.key";

function stored(): string | null {
	try {
		return sessionStorage.getItem(KEY);
	} catch {
		return null;
	}
}

/** The bearer key that a team's server wants for changes; it is kept for this tab and no longer. */
class Access {
	/** Why the last change was refused for want of a key; null: it was not. */
	refusal = $state<string | null>(null);

	get headers(): Record<string, string> {
		const key = stored();
		return key ? { authorization: `Bearer ${key}` } : {};
	}

	use(key: string): void {
		try {
			sessionStorage.setItem(KEY, key.trim());
		} catch {
			// Storage can be forbidden; the change is then refused again and says so.
		}
		this.refusal = null;
	}

	/** Keeps in mind that a key was missing. */
	note(problem: { status: number | null; message: string }): void {
		if (problem.status === 401 || problem.status === 403) this.refusal = problem.message;
	}
}

export const access = new Access();

/**
 * A call that changes something, with the key where there is one.
 * @throws ApiProblem
 */
export async function change<T>(
	method: "POST" | "PATCH" | "DELETE",
	path: string,
	body?: unknown,
): Promise<T> {
	const headers = { ...access.headers, ...(body !== undefined && { "content-type": "application/json" }) };
	try {
		return await callApi<T>(fetch, path, {
			method,
			headers,
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
	} catch (problem) {
		if (problem instanceof ApiProblem) access.note(problem);
		throw problem;
	}
}
