interface Toast {
	id: number;
	text: string;
	/** Takes the reported change back. */
	undo?: () => void | Promise<void>;
}

const SECONDS_SHOWN = 8;

/** Short reports of what was done, each with its way back. Shown by Toasts.svelte in the layout. */
class Toasts {
	list = $state<Toast[]>([]);
	#next = 1;
	#timers = new Map<number, ReturnType<typeof setTimeout>>();

	say(text: string, undo?: Toast["undo"]): void {
		const id = this.#next++;
		this.list.push(undo ? { id, text, undo } : { id, text });
		this.resume(id);
	}

	dismiss(id: number): void {
		this.hold(id);
		this.list = this.list.filter((toast) => toast.id !== id);
	}

	/** Stops the clock of a toast that is being read. */
	hold(id: number): void {
		clearTimeout(this.#timers.get(id));
		this.#timers.delete(id);
	}

	resume(id: number): void {
		this.#timers.set(
			id,
			setTimeout(() => this.dismiss(id), SECONDS_SHOWN * 1000),
		);
	}
}

export const toasts = new Toasts();
