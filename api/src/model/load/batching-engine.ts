import { BlockPool } from "./block-pool.ts";
import { DecodingSet } from "./decoding-set.ts";
import { emptyPass, Pace, type Pass } from "./pace.ts";
import { emptyRun, type Run } from "./run.ts";
import { RunningList } from "./running-list.ts";
import type { EngineSetting } from "./setting.ts";
import { type Source, sourceOf } from "./source.ts";
import { TimelineSampler } from "./timeline.ts";
import { WaitingLine } from "./waiting-line.ts";
import type { Requests } from "./workload.ts";

const NONE = -1;
/** Requests between two reports of progress. */
const TOLD_EVERY = 256;

/** One run of an engine over its requests, iteration by iteration. See runEngine. */
export class BatchingEngine {
	private readonly setting: EngineSetting;
	private readonly requests: Requests;
	private readonly told: ((ended: number) => void) | undefined;
	private readonly pace: Pace;
	private readonly pool: BlockPool;
	private readonly decoding: DecodingSet;
	private readonly source: Source;
	private readonly line: WaitingLine;
	private readonly running: RunningList;
	private readonly sampler = new TimelineSampler();
	private readonly run: Run;
	/** Tokens that each request has been given. */
	private readonly generated: Int32Array;
	private now = 0;
	private ended = 0;
	/** The prompt that was begun, how much of it is done, and its residual. */
	private partial = NONE;
	private done = 0;
	private residual = 1;
	/** Prompts that are whole after this pass. */
	private readonly whole: number[] = [];

	constructor(setting: EngineSetting, requests: Requests, told?: (ended: number) => void) {
		const { count } = requests;
		this.setting = setting;
		this.requests = requests;
		this.told = told;
		this.pace = new Pace(setting);
		this.pool = new BlockPool(setting.kvTokens, Math.floor(setting.blockTokens));
		this.decoding = new DecodingSet(count, setting.acceptanceLength, this.pace, this.pool);
		const refused = this.refused();
		this.source = sourceOf(requests, refused);
		this.line = new WaitingLine(count);
		this.running = new RunningList(count);
		this.generated = new Int32Array(count);
		this.run = emptyRun(requests);
		this.run.rejected = this.ended = refused.reduce((sum, one) => sum + one, 0);
	}

	runToEnd(): Run {
		for (;;) {
			this.welcome();
			if (this.running.length > 0 || this.line.length > 0) this.iterate();
			else if (this.source.next === Number.POSITIVE_INFINITY) break;
			else this.now = this.source.next;
		}
		return { ...this.run, timeline: this.sampler.end(this.now, 0, 0, 0) };
	}

	/** Everyone who has come by now joins the line. */
	private welcome(): void {
		while (this.source.next <= this.now) {
			const seconds = this.source.next;
			const request = this.source.take();
			this.run.arrivalSeconds[request] = seconds;
			this.line.add(request);
		}
	}

	/** Requests that the whole cache does not hold: they are refused before they are sent. */
	private refused(): Uint8Array {
		const overshoot = Math.ceil(this.setting.acceptanceLength) - 1;
		return Uint8Array.from({ length: this.requests.count }, (_, request) => {
			const longest = this.prompt(request) + this.output(request) - 1 + overshoot;
			return this.pool.blocksOf(longest) > this.pool.blocks ? 1 : 0;
		});
	}

	private iterate(): void {
		const threwOut = this.makeRoom();
		const pass = emptyPass();
		pass.batch = this.decoding.count;
		pass.context = this.decoding.context;
		this.fill(pass, threwOut);
		if (pass.batch === 0 && pass.tokens === 0) return;
		const steps = pass.tokens > 0 || threwOut ? 1 : this.quietSteps();
		const seconds = pass.tokens > 0 ? this.pace.seconds(pass) : this.decoding.elapsed(steps);
		this.account(steps, seconds);
		this.now += seconds;
		this.decoding.advance(steps);
		this.run.peakKvTokens = Math.max(this.run.peakKvTokens, this.pool.usedTokens);
		for (let r = this.decoding.removeEnded(); r !== NONE; r = this.decoding.removeEnded()) this.end(r);
		for (const request of this.whole) this.giveToken(request);
		this.whole.length = 0;
	}

	/** Gives every decoding sequence its next place, the last admitted being thrown out until it fits. @returns whether any was */
	private makeRoom(): boolean {
		const before = this.run.preemptions;
		while (!this.decoding.fits) this.throwOut(this.running.last);
		this.decoding.reserve();
		return this.run.preemptions > before;
	}

	private throwOut(request: number): void {
		if (this.decoding.has(request))
			this.generated[request] = this.output(request) - this.decoding.leave(request);
		else {
			this.pool.give(this.known(request));
			this.partial = NONE;
		}
		this.running.remove(request);
		this.line.return(request);
		this.run.preemptions++;
	}

	/** Gives the token budget to prompts: first to the one that was begun. */
	private fill(pass: Pass, threwOut: boolean): void {
		let budget = this.setting.chunkTokens - this.decoding.passTokens;
		if (this.partial !== NONE && budget > 0) budget = this.goOn(pass, this.partial, budget);
		while (budget > 0 && !threwOut && this.line.length > 0) {
			if (this.running.length >= this.setting.maxSequences) return;
			const request = this.line.first;
			if (!this.pool.take(this.known(request))) return;
			this.line.removeFirst();
			this.begin(request);
			budget = this.goOn(pass, request, budget);
		}
	}

	private begin(request: number): void {
		this.running.append(request);
		this.partial = request;
		this.done = 0;
		const cached = this.cached(request);
		this.residual = this.pace.residual(this.known(request) - cached, cached);
		if (Number.isNaN(this.run.startSeconds[request])) this.run.startSeconds[request] = this.now;
	}

	/** Adds the next chunk of a prompt to the pass. @returns the budget that remains */
	private goOn(pass: Pass, request: number, budget: number): number {
		const cached = this.cached(request);
		const left = this.known(request) - cached - this.done;
		const tokens = Math.min(left, budget);
		this.pace.add(pass, tokens, cached, this.done, this.residual);
		this.done += tokens;
		if (tokens === left) {
			this.whole.push(request);
			this.partial = NONE;
		}
		return budget - tokens;
	}

	/** Decode steps until something can change: one ends, the cache is full, somebody comes who could be admitted. */
	private quietSteps(): number {
		const steps = this.decoding.stepsToChange();
		const admits =
			this.line.length === 0 &&
			this.running.length < this.setting.maxSequences &&
			this.decoding.passTokens < this.setting.chunkTokens;
		return admits ? this.decoding.stepsUntil(this.source.next - this.now, steps) : steps;
	}

	private account(steps: number, seconds: number): void {
		const { run, running, pool, line } = this;
		run.iterations += steps;
		run.busySeconds += seconds;
		run.runningSeconds += seconds * running.length;
		run.kvTokenSeconds += seconds * pool.usedTokens;
		run.peakRunning = Math.max(run.peakRunning, running.length);
		run.peakWaiting = Math.max(run.peakWaiting, line.length);
		this.sampler.sample(this.now, running.length, line.length, pool.usedTokens);
	}

	/** The pass over a whole prompt gives a token; then it decodes, or has ended. */
	private giveToken(request: number): void {
		const context = this.known(request);
		const generated = (this.generated[request] ?? 0) + 1;
		this.generated[request] = generated;
		if (Number.isNaN(this.run.firstTokenSeconds[request])) this.run.firstTokenSeconds[request] = this.now;
		const left = this.output(request) - generated;
		if (left > 0) this.decoding.join(request, context, left);
		else {
			this.pool.give(context);
			this.end(request);
		}
	}

	private end(request: number): void {
		this.running.remove(request);
		this.run.endSeconds[request] = this.now;
		this.source.ended(this.now);
		this.ended++;
		if (this.ended % TOLD_EVERY === 0) this.told?.(this.ended);
	}

	/** Tokens that must be cached before the next one can be given: prompt and what was generated. */
	private known(request: number): number {
		return this.prompt(request) + (this.generated[request] ?? 0);
	}

	private prompt(request: number): number {
		return this.requests.promptTokens[request] ?? 0;
	}

	private cached(request: number): number {
		return this.requests.cachedTokens[request] ?? 0;
	}

	private output(request: number): number {
		return this.requests.outputTokens[request] ?? 0;
	}
}
