import { onDestroy, untrack } from "svelte";

/** A slider that is being moved asks nothing yet. */
const SETTLED_MS = 150;

/** Values that follow others when these rest: what takes long to work out waits until a slider stands still. */
export function settled<T extends readonly unknown[]>(read: () => T): { readonly current: T } {
	let value = $state.raw(untrack(read));
	$effect(() => {
		const next = read();
		const now = untrack(() => value);
		if (next.every((one, at) => one === now[at])) return;
		const timer = setTimeout(() => {
			value = next;
		}, SETTLED_MS);
		return () => clearTimeout(timer);
	});
	return {
		get current() {
			return value;
		},
	};
}

/** So long what follows may be behind: less than anybody sees as two moves. */
const BEHIND_MS = 80;

const whenIdle = (work: () => void) =>
	"requestIdleCallback" in globalThis
		? requestIdleCallback(work, { timeout: BEHIND_MS })
		: setTimeout(work, BEHIND_MS);

/** Values that follow others once the browser has painted these: what need not be in the frame of a slider. */
export function afterwards<T extends readonly unknown[]>(read: () => T): { readonly current: T } {
	let value = $state.raw(untrack(read));
	let owed = false;
	let left = false;
	$effect(() => {
		const next = read();
		if (owed || next.every((one, at) => one === untrack(() => value)[at])) return;
		owed = true;
		whenIdle(() => {
			owed = false;
			if (!left) value = untrack(read);
		});
	});
	onDestroy(() => {
		left = true;
	});
	return {
		get current() {
			return value;
		},
	};
}
