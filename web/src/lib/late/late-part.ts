import type { Component } from "svelte";

export interface LatePart<P extends Record<string, unknown>> {
	/** The component where its code is at hand: on the server, and after a link; null: it is still to come. */
	here: Component<P> | null;
	load: () => Promise<{ default: Component<P> }>;
	/** What is handed on to the component. */
	props: P;
	/** Something newer is asked than what the server answered. */
	behind?: boolean;
}
