import { ApiProblem } from "#lib/api.ts";
import { access } from "#lib/records/access.svelte.ts";
import type { Issue, UploadAnswer } from "#lib/records/record.ts";
import { type Step, sendFile, uploadQuery } from "./send-file.ts";

export type UploadState = "waiting" | "sending" | "reading" | "taken" | "refused" | "given up";

/** One file on its way, and what became of it. */
export class Upload {
	readonly id: number;
	readonly file: File;
	readonly query: URLSearchParams;
	readonly #controller = new AbortController();
	state = $state<UploadState>("waiting");
	share = $state(0);
	/** What the server told last of a file that it is reading. */
	step = $state.raw<Step | null>(null);
	answer = $state.raw<UploadAnswer | null>(null);
	problem = $state.raw<{ message: string; errors: Issue[]; status: number | null } | null>(null);

	constructor(id: number, file: File, query: URLSearchParams) {
		this.id = id;
		this.file = file;
		this.query = query;
	}

	get under(): boolean {
		return this.state === "waiting" || this.state === "sending" || this.state === "reading";
	}

	async send(): Promise<void> {
		if (this.state !== "waiting") return;
		this.state = "sending";
		try {
			this.answer = await sendFile(this.file, this.query, {
				onprogress: (share) => {
					this.share = share;
				},
				onsent: () => {
					this.state = "reading";
				},
				onstep: (step) => {
					this.step = step;
				},
				signal: this.#controller.signal,
			});
			this.state = "taken";
		} catch (problem) {
			this.#fail(problem);
		}
	}

	giveUp(): void {
		if (this.under) this.state = "given up";
		this.#controller.abort();
	}

	#fail(problem: unknown): void {
		if (this.state === "given up") return;
		this.state = "refused";
		if (problem instanceof ApiProblem) access.note(problem);
		const { message, errors, status } =
			problem instanceof ApiProblem ? problem : { message: String(problem), errors: [], status: null };
		this.problem = { message, errors, status };
	}
}

/** Files are sent one after the other, so that each is forecast from the fits that the ones before it made. */
export class UploadQueue {
	list = $state<Upload[]>([]);
	#next = 1;
	#running = false;
	readonly #ontaken: () => void | Promise<void>;

	/** @param ontaken called after each file that changed what is stored */
	constructor(ontaken: () => void | Promise<void>) {
		this.#ontaken = ontaken;
	}

	get underWay(): number {
		return this.list.filter((upload) => upload.under).length;
	}

	add(files: Iterable<File>, said: Readonly<Record<string, string>>): void {
		for (const file of files) this.list.push(new Upload(this.#next++, file, uploadQuery(said, file.name)));
		this.#run();
	}

	again(upload: Upload): void {
		const at = this.list.findIndex(({ id }) => id === upload.id);
		if (at >= 0) this.list[at] = new Upload(this.#next++, upload.file, upload.query);
		this.#run();
	}

	clear(): void {
		this.list = this.list.filter((upload) => upload.under);
	}

	async #run(): Promise<void> {
		if (this.#running) return;
		this.#running = true;
		for (let next = this.#waiting(); next; next = this.#waiting()) {
			await next.send();
			if (next.answer && !next.answer.duplicate) await this.#ontaken();
		}
		this.#running = false;
	}

	#waiting(): Upload | undefined {
		return this.list.find((upload) => upload.state === "waiting");
	}
}
