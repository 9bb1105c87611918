/** "push" makes a step that the back button knows, "replace" rewrites the present one. */
export type HowToWrite = "push" | "replace";

/**
 * Writes addresses one after another: a navigation that begins while another is under way would cancel it, and with
 * it a step of the history. What comes while one is under way waits, and the latest address wins; where the reader went
 * elsewhere meanwhile (the back button, a link), what waited is not written over it.
 */
export class AddressWriter {
	#navigate: (address: string, how: HowToWrite) => Promise<boolean>;
	#waiting: { address: string; how: HowToWrite } | null = null;
	#busy = false;

	/** @param navigate whether it arrived there, and was not taken over by another */
	constructor(navigate: (address: string, how: HowToWrite) => Promise<boolean>) {
		this.#navigate = navigate;
	}

	write(address: string, how: HowToWrite): void {
		this.#waiting = { address, how: this.#waiting?.how === "push" ? "push" : how };
		if (!this.#busy) this.#drain();
	}

	async #drain(): Promise<void> {
		this.#busy = true;
		while (this.#waiting) {
			const { address, how } = this.#waiting;
			this.#waiting = null;
			const arrived = await this.#navigate(address, how).catch(() => false);
			if (!arrived) this.#waiting = null;
		}
		this.#busy = false;
	}
}
