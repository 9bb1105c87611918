import { untrack } from "svelte";

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
