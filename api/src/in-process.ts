/** What the dashboard needs of the API to answer its own calls without a socket. */
export interface InProcessApp {
	fetch(request: Request): Response | Promise<Response>;
}

const KEY = Symbol.for("plimsoll.app");

/** Makes the API reachable for the dashboard of this process; its `handleFetch` hook looks here. */
export function offerInProcess(app: InProcessApp): void {
	(globalThis as { [KEY]?: InProcessApp })[KEY] = app;
}
