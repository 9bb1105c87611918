import type { Scenario } from "@plimsoll/api/model";
import type { HowToWrite } from "./address-writer.ts";
import { record, redo, type ScenarioHistory, startHistory, undo } from "./scenario-history.ts";

const WRITE_AFTER_MS = 200;

/** Puts a scenario into the address. */
type WriteAddress = (scenario: Scenario, how: HowToWrite) => void;

/**
 * The scenario being looked at. `current` moves with every move of a slider; a finished move becomes a step of
 * the history. The address follows when the moves rest, not within their frames, and a drag is one entry for the back
 * button.
 */
export class ScenarioState {
	current: Scenario = $state.raw() as Scenario;
	#history: ScenarioHistory = $state.raw() as ScenarioHistory;
	#write: WriteAddress;
	#moving = false;
	/** How the address is still to be written, and when. */
	#owed: HowToWrite | null = null;
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
		this.#owe(this.#moving ? "replace" : "push");
		this.#moving = true;
	}

	/** A finished change. */
	set(patch: Partial<Scenario>): void {
		const next = { ...this.current, ...patch };
		const moved = this.#moving;
		const history = record(this.#history, next);
		this.#moving = false;
		this.current = next;
		if (history === this.#history && !moved) return;
		this.#history = history;
		this.#owe(moved ? "replace" : "push");
		if (!moved) this.#pay();
	}

	undo(): void {
		this.#step(undo(this.#history));
	}

	redo(): void {
		this.#step(redo(this.#history));
	}

	/** Takes a scenario from the address: back, forward, a link. */
	adopt(scenario: Scenario): void {
		this.forget();
		this.#history = record(this.#history, scenario);
		this.current = scenario;
	}

	/** Leaves the address to others: what is still to be written into it is not. */
	forget(): void {
		this.#moving = false;
		this.#owed = null;
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	#step(history: ScenarioHistory): void {
		if (history === this.#history) return;
		this.forget();
		this.#history = history;
		this.current = history.present;
		this.#write(this.current, "push");
	}

	#owe(how: HowToWrite): void {
		this.#owed = this.#owed === "push" ? "push" : how;
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#pay(), WRITE_AFTER_MS);
	}

	#pay(): void {
		const how = this.#owed;
		this.#owed = null;
		clearTimeout(this.#timer);
		this.#timer = undefined;
		if (how) this.#write(this.current, how);
	}
}
