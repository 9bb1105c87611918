import type { Scenario } from "@plimsoll/api/model";
import type { HowToWrite } from "./address-writer.ts";
import { record, redo, type ScenarioHistory, startHistory, undo } from "./scenario-history.ts";

const WRITE_EVERY_MS = 200;

/** Puts a scenario into the address. */
type WriteAddress = (scenario: Scenario, how: HowToWrite) => void;

/**
 * The scenario being looked at. `current` moves with every move of a slider; a finished move becomes a step of
 * the history. The address follows at most five times a second, and a drag is one entry for the back button.
 */
export class ScenarioState {
	current: Scenario = $state.raw() as Scenario;
	#history: ScenarioHistory = $state.raw() as ScenarioHistory;
	#write: WriteAddress;
	#moving = false;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(scenario: Scenario, write: WriteAddress) {
		this.#write = write;
		this.#history = startHistory(scenario);
		this.current = scenario;
	}

	get canUndo(): boolean {
		return this.#history.past.length > 0;
	}
	get canRedo(): boolean {
		return this.#history.future.length > 0;
	}

	/** A move that is not finished yet. */
	move(patch: Partial<Scenario>): void {
		this.current = { ...this.current, ...patch };
		if (!this.#moving) {
			this.#moving = true;
			this.#write(this.current, "push");
			return;
		}
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			this.#write(this.current, "replace");
		}, WRITE_EVERY_MS);
	}

	/** A finished change. */
	set(patch: Partial<Scenario>): void {
		const next = { ...this.current, ...patch };
		const moved = this.#endMove();
		const history = record(this.#history, next);
		this.current = next;
		if (history === this.#history && !moved) return;
		this.#history = history;
		this.#write(next, moved ? "replace" : "push");
	}

	undo(): void {
		this.#step(undo(this.#history));
	}

	redo(): void {
		this.#step(redo(this.#history));
	}

	/** Takes a scenario from the address: back, forward, a link. */
	adopt(scenario: Scenario): void {
		this.#endMove();
		this.#history = record(this.#history, scenario);
		this.current = scenario;
	}

	#step(history: ScenarioHistory): void {
		this.#endMove();
		if (history === this.#history) return;
		this.#history = history;
		this.current = history.present;
		this.#write(this.current, "push");
	}

	#endMove(): boolean {
		const moved = this.#moving;
		this.#moving = false;
		clearTimeout(this.#timer);
		this.#timer = undefined;
		return moved;
	}
}
