import { toasts } from "#lib/design/toasts.svelte.ts";
import { counted } from "#lib/format.ts";
import { change } from "#lib/records/access.svelte.ts";
import type { Run } from "#lib/records/record.ts";
import { nameOf } from "./run-name.ts";

const words = (problem: unknown) => (problem instanceof Error ? problem.message : String(problem));
const named = (runs: readonly Run[]) =>
	runs.length === 1 && runs[0] ? nameOf(runs[0]) : counted(runs.length, "run");

/** What is being done to several runs, one after another; it can be stopped between two of them. */
interface Work {
	/** "Deleting". */
	label: string;
	done: number;
	of: number;
}

/** Changes of runs, each with its way back. */
export class RunDeeds {
	work = $state<Work | null>(null);
	/** Ids of those that a change is under way for. */
	touched = $state.raw<ReadonlySet<string>>(new Set());
	#stopped = false;
	readonly #onchanged: () => Promise<void>;

	/** @param onchanged reads the list anew */
	constructor(onchanged: () => Promise<void>) {
		this.#onchanged = onchanged;
	}

	/** Leaves those that are not yet done as they are. */
	stop(): void {
		this.#stopped = true;
	}

	async remove(runs: readonly Run[]): Promise<void> {
		const { done, failure } = await this.#each("Deleting", runs, (run) =>
			change("DELETE", `/runs/${run.id}`),
		);
		if (done.length > 0)
			toasts.say(`Deleted ${named(done)}; their measurements count nowhere now`, () => this.#restore(done));
		if (failure) toasts.say(`${named(runs.slice(done.length))} not deleted: ${failure}`);
	}

	async #restore(runs: readonly Run[]): Promise<void> {
		const restore = (run: Run) => change("POST", `/runs/${run.id}/restore`);
		const { done, failure } = await this.#each("Bringing back", runs, restore);
		if (failure) toasts.say(`${named(runs.slice(done.length))} not brought back: ${failure}`);
	}

	/** Puts a tag on runs that lack it, or takes it off. */
	async tag(runs: readonly Run[], tag: string, on: boolean): Promise<void> {
		const wanted = runs.filter(({ tags }) => tags.includes(tag) !== on);
		if (wanted.length === 0) return toasts.say(`Nothing to do: ${tag} stands on all of them`);
		const tagged = ({ tags }: Run) => (on ? [...tags, tag] : tags.filter((one) => one !== tag));
		const { done, failure } = await this.#each("Tagging", wanted, (run) => setTags(run, tagged(run)));
		const undo = () => this.#tagBack(done);
		if (done.length > 0)
			toasts.say(on ? `Tagged ${named(done)}: ${tag}` : `Took ${tag} off ${named(done)}`, undo);
		if (failure) toasts.say(`${named(wanted.slice(done.length))} not tagged: ${failure}`);
	}

	/** The tags that the runs had when they were read. */
	async #tagBack(runs: readonly Run[]): Promise<void> {
		const { done, failure } = await this.#each("Tagging", runs, (run) => setTags(run, run.tags));
		if (failure) toasts.say(`${named(runs.slice(done.length))} kept its tags: ${failure}`);
	}

	async #each(
		label: string,
		runs: readonly Run[],
		act: (run: Run) => Promise<unknown>,
	): Promise<{ done: Run[]; failure: string | null }> {
		this.#stopped = false;
		this.touched = new Set(runs.map(({ id }) => id));
		const done: Run[] = [];
		let failure: string | null = null;
		try {
			for (const run of runs) {
				if (this.#stopped) break;
				this.work = { label, done: done.length, of: runs.length };
				await act(run);
				done.push(run);
			}
		} catch (problem) {
			failure = words(problem);
		}
		this.work = null;
		this.touched = new Set();
		if (done.length > 0) await this.#onchanged();
		return { done, failure };
	}
}

const setTags = (run: Run, tags: readonly string[]) => change("PATCH", `/runs/${run.id}`, { tags });
