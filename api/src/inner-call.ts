import type { Attribution } from "./attribution.ts";
import type { Key } from "./store/keys.ts";

/**
 * A call that this process makes of its own API for somebody whose key was checked already. It comes as an argument beside
 * the request, so that nobody outside can claim it.
 */
export interface InnerCall {
	/** Whose rights count; null: nobody's key. */
	caller: Key | null;
	attribution: Attribution;
}
