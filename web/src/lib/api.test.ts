import { describe, expect, it } from "vitest";
import { ApiProblem, callApi } from "./api.ts";

const answering = (response: () => Response | Promise<Response>) => (async () => response()) as typeof fetch;

describe("callApi", () => {
	it("gives the JSON of a good answer", async () => {
		expect(
			await callApi(
				answering(() => Response.json({ ok: 1 })),
				"/runs",
			),
		).toEqual({ ok: 1 });
	});

	it("carries the server's words and field errors", async () => {
		const fetcher = answering(() =>
			Response.json(
				{
					title: "Bad request",
					detail: "context must be a number",
					errors: [{ at: "context", reason: "abc" }],
				},
				{ status: 400 },
			),
		);
		const problem = await callApi(fetcher, "/plan").catch((e) => e);
		expect(problem).toBeInstanceOf(ApiProblem);
		expect(problem).toMatchObject({
			message: "context must be a number",
			status: 400,
			errors: [{ at: "context", reason: "abc" }],
		});
	});

	it("says so when the server cannot be reached", async () => {
		const fetcher = answering(() => Promise.reject(new TypeError("fetch failed")));
		await expect(callApi(fetcher, "/plan")).rejects.toMatchObject({ status: null });
	});

	it("survives an error page that is not JSON", async () => {
		const fetcher = answering(() => new Response("<html>", { status: 502, statusText: "Bad Gateway" }));
		await expect(callApi(fetcher, "/plan")).rejects.toMatchObject({ status: 502, message: "Bad Gateway" });
	});
});
