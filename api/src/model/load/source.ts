import { Soonest } from "./soonest.ts";
import type { Requests } from "./workload.ts";

/** Where requests come from, one by one. */
export interface Source {
	/** Seconds at which the next one comes; endless where none is left, or none is known before another ends. */
	readonly next: number;
	/** Takes it. @returns its number */
	take(): number;
	/** Tells that a request has ended. */
	ended(seconds: number): void;
}

/** @param refused 1 for requests that are not sent */
export const sourceOf = (requests: Requests, refused: Uint8Array): Source =>
	requests.arrivalSeconds
		? new Schedule(requests.arrivalSeconds, refused)
		: new Users(requests.users, requests.thinkSeconds ?? new Float64Array(requests.count), refused);

/** Requests that come at their time, whatever becomes of the others. */
class Schedule implements Source {
	private readonly times: Float64Array;
	private readonly refused: Uint8Array;
	private following = 0;

	constructor(times: Float64Array, refused: Uint8Array) {
		this.times = times;
		this.refused = refused;
		this.passOver();
	}

	get next(): number {
		return this.times[this.following] ?? Number.POSITIVE_INFINITY;
	}

	take(): number {
		const request = this.following++;
		this.passOver();
		return request;
	}

	ended(): void {}

	private passOver(): void {
		while (this.refused[this.following] === 1) this.following++;
	}
}

/** Users who each wait for the answer, pause, and ask again. All ask first at the start. */
class Users implements Source {
	private readonly due = new Soonest();
	private readonly pauses: Float64Array;
	private readonly refused: Uint8Array;
	private following = 0;

	constructor(users: number, pauses: Float64Array, refused: Uint8Array) {
		this.pauses = pauses;
		this.refused = refused;
		for (let user = 0; user < users; user++) this.ask(() => 0);
	}

	get next(): number {
		return this.due.next;
	}

	take(): number {
		const request = this.due.first;
		this.due.pop();
		return request;
	}

	ended(seconds: number): void {
		this.ask((request) => seconds + (this.pauses[request] ?? 0));
	}

	private ask(when: (request: number) => number): void {
		while (this.refused[this.following] === 1) this.following++;
		if (this.following < this.pauses.length) this.due.push(when(this.following), this.following++);
	}
}
