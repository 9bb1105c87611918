import { outlookOf } from "../answer/outlook.ts";
import { plan } from "../answer/plan.ts";
import type { PlanFacts, Scenario } from "../answer/question.ts";
import type { PrefillFit } from "../time/curves.ts";
import { prefillLaw } from "../time/prefill-law.ts";
import { bytes, count, figure, seconds, usd } from "../trust/figures.ts";
import { type Evidence, type Quantity, type Source, weakest } from "../trust/quantity.ts";
import { state, type Wording } from "../trust/statement.ts";

/** What the tools of a request are held against. Tokens are whole numbers ≥ 0. */
export interface ToolsQuestion {
	/** Tokens that prompt and answer may take together, ≥ 1. */
	windowTokens: number;
	/** Rules and task: what the prompt holds beside the tools. */
	otherTokens: number;
	/** Tokens of each tool. */
	tools: readonly number[];
	/** How the weights are known: of all tools together, and of each. */
	evidence: { all: Evidence; each: Evidence };
	/** Requests a day, ≥ 0. */
	requestsPerDay: number;
}

/** What a part of a prompt costs on a configuration. */
export interface ToolsCost {
	tokens: number;
	/** Of the window. */
	share: Quantity;
	/** Of the time to the first token, every token computed anew and nothing else running. */
	firstToken: Quantity;
	/** Of one sequence, per GPU. */
	kvBytes: Quantity;
	/** Sequences that fit at once without it, less those that fit with it. */
	displaced: Quantity;
	usdPerMonth: Quantity;
}

/** Tools on a configuration: all of them, and each by what leaving it out would save. */
export interface PricedTools {
	all: ToolsCost;
	/** In the order of the question. */
	each: ToolsCost[];
	/** The whole time to the first token at the load asked about. */
	ttft: Quantity;
	ttftWithout: Quantity;
	/** The tools' part of the first token where a prefix cache holds them already. */
	firstTokenCached: Quantity;
	/** And their part of the money of a month. */
	usdPerMonthCached: Quantity;
}

/** Days of a month on average: 365 / 12. */
const DAYS_PER_MONTH = 365 / 12;

/**
 * Prices the tools of a request.
 * first token = a·Δs + b·Δ(s²), s₀ = other tokens, s = s₀ + tools; one tool: what leaving it out of s saves
 * KV bytes = bytes of the sequence with − without; money = (USD of a request with − without) · requests a day · 365 / 12;
 * of one tool its share of the tokens
 * @param scenario setup, load and price; its length is the question's
 * @throws RangeError that names what is out of bounds
 */
export function priceTools(
	question: ToolsQuestion,
	scenario: Scenario,
	facts: PlanFacts,
	wording: Wording = {},
): PricedTools {
	check(question);
	const pricing = new Pricing(question, scenario, facts, wording);
	const all = pricing.all();
	return {
		all,
		each: question.tools.map((tokens) => pricing.one(tokens, all)),
		ttft: pricing.whole.ttft,
		ttftWithout: pricing.bare.ttft,
		firstTokenCached: pricing.firstTokenCached(),
		usdPerMonthCached: pricing.usdPerMonth(pricing.planAt(pricing.total, pricing.cachedShare), pricing.total),
	};
}

/** What another set of tools would cost in their place. @param tokens of that set, whole, ≥ 0 */
export function priceToolSet(
	tokens: number,
	question: Omit<ToolsQuestion, "tools">,
	scenario: Scenario,
	facts: PlanFacts,
	wording: Wording = {},
): ToolsCost {
	const asked = { ...question, tools: [tokens] };
	check(asked);
	return new Pricing(asked, scenario, facts, wording).all();
}

type Planned = ReturnType<typeof plan>;

/** One question on one setup: the plans with and without the tools are made once. */
class Pricing {
	readonly question: ToolsQuestion;
	readonly total: number;
	readonly whole: Planned;
	readonly bare: Planned;
	readonly #scenario: Scenario;
	readonly #facts: PlanFacts;
	readonly #wording: Wording;
	readonly #law: { fit: PrefillFit; evidence: Evidence; words: () => string } | null;
	readonly #missing: () => string;
	readonly #sources: readonly Source[];

	constructor(question: ToolsQuestion, scenario: Scenario, facts: PlanFacts, wording: Wording) {
		this.question = question;
		this.#scenario = scenario;
		this.#wording = wording;
		this.total = question.tools.reduce((sum, tokens) => sum + tokens, 0);
		const { laws } = outlookOf(scenario, facts);
		// What tools add is a difference of two prompts: both by laws that see their lengths and what is cached of them. Clients'
		// times of one length see neither.
		const byLaws = laws.prefill !== null && laws.decode !== null;
		this.#facts = byLaws ? { ...facts, fits: { ...facts.fits, serve: null } } : facts;
		this.#law = laws.prefill;
		this.#missing = laws.missing;
		this.#sources = laws.sources;
		this.whole = this.planAt(this.total);
		this.bare = this.planAt(0);
	}

	/** The plan of a prompt with so many tokens of tools. */
	planAt(toolTokens: number, cached = 0, wording = this.#wording): Planned {
		const context = Math.max(1, this.question.otherTokens + toolTokens);
		return plan({ ...this.#scenario, context, cached }, this.#facts, wording);
	}

	/** Share of the whole prompt that the tools are. */
	get cachedShare(): number {
		return this.total === 0 ? 0 : this.total / (this.total + this.question.otherTokens);
	}

	all(): ToolsCost {
		return {
			tokens: this.total,
			share: this.#share(this.total, this.question.evidence.all),
			kvBytes: this.#kvBytes(),
			firstToken: this.#firstToken(this.question.otherTokens, this.total, this.question.evidence.all),
			displaced: this.#displaced(this.bare, this.whole, "without the tools"),
			usdPerMonth: this.usdPerMonth(this.whole, this.total),
		};
	}

	/** What leaving one tool out saves. */
	one(tokens: number, all: ToolsCost): ToolsCost {
		const rest = this.total - tokens;
		const quiet = { arithmetic: false };
		return {
			tokens,
			share: this.#share(tokens, this.question.evidence.each),
			kvBytes: this.#partOf(all.kvBytes, tokens, bytes),
			firstToken: this.#firstToken(this.question.otherTokens + rest, tokens, this.question.evidence.each),
			displaced: this.#displaced(this.planAt(rest, 0, quiet), this.whole, "without this tool"),
			usdPerMonth: this.#partOf(all.usdPerMonth, tokens, usd),
		};
	}

	#share(tokens: number, evidence: Evidence): Quantity {
		const { windowTokens } = this.question;
		return state(
			tokens / windowTokens,
			"ratio",
			evidence,
			() => `${count(tokens)} of ${count(windowTokens)} tokens`,
			this.#wording,
		);
	}

	/** Not tokens × bytes of a token: layers with a window stop growing. */
	#kvBytes(): Quantity {
		const [more, less] = [this.whole.memory.kvBytesPerSequence, this.bare.memory.kvBytesPerSequence];
		const value = more.value === null || less.value === null ? null : more.value - less.value;
		return state(
			this.total === 0 && value !== null ? 0 : value,
			"bytes",
			weakest(this.question.evidence.all, more.evidence),
			() =>
				value === null
					? more.arithmetic
					: `${bytes(more.value ?? 0)} of a sequence with the tools − ${bytes(less.value ?? 0)} without = ${bytes(value)}, per GPU`,
			this.#wording,
			more.sources,
		);
	}

	/** a·Δs + b·Δ(s²) of `tokens` more behind `before`. */
	#firstToken(before: number, tokens: number, weight: Evidence): Quantity {
		const law = this.#law;
		if (!law) return this.#unknownTime();
		const at = (length: number) => prefillLaw(law.fit.coefficients, { tokens: length });
		const after = before + tokens;
		const value = at(after) - at(before);
		return state(
			value,
			"seconds",
			this.#timeEvidence(after, weight),
			() => `${growth(law.fit, before, after)} = ${seconds(value)}${this.#reach(after)}${law.words()}`,
			this.#wording,
			this.#sources,
		);
	}

	/** Tools that the cache holds still meet every new token: b · 2·n·d. */
	firstTokenCached(): Quantity {
		const law = this.#law;
		if (!law) return this.#unknownTime();
		const { otherTokens } = this.question;
		const pairs = 2 * otherTokens * this.total;
		const value = law.fit.coefficients.b * pairs;
		return state(
			value,
			"seconds",
			this.#timeEvidence(otherTokens + this.total, this.question.evidence.all),
			() =>
				`${figure(law.fit.coefficients.b)} × 2 × ${count(otherTokens)} new × ${count(this.total)} cached tokens = ${seconds(value)}${law.words()}`,
			this.#wording,
			this.#sources,
		);
	}

	#timeEvidence(length: number, weight: Evidence): Evidence {
		const law = this.#law;
		if (!law) return "assumed";
		const beyond = length > law.fit.range.to ? "extrapolated" : "arithmetic";
		return weakest(law.fit.evidence, law.evidence, beyond, weight);
	}

	#reach(length: number): string {
		const to = this.#law?.fit.range.to;
		return to === undefined || length <= to
			? ""
			: `; ${figure(length / to, 2)} × beyond the longest measured prompt of ${count(to)} tokens`;
	}

	#unknownTime(): Quantity {
		const missing = this.#missing();
		return state(
			null,
			"seconds",
			"assumed",
			() => `not known: no prefill measurement${missing ? `; ${missing}` : ""}; measure with llama-bench`,
			this.#wording,
			this.#sources,
		);
	}

	#displaced(less: Planned, more: Planned, words: string): Quantity {
		const [roomy, tight] = [less.memory.maxSequences, more.memory.maxSequences];
		const known = roomy.value !== null && tight.value !== null;
		return state(
			known ? (roomy.value ?? 0) - (tight.value ?? 0) : null,
			"sequences",
			weakest(this.question.evidence.all, tight.evidence),
			() =>
				known
					? `${count(roomy.value ?? 0)} sequences fit ${words}, ${count(tight.value ?? 0)} with all tools`
					: tight.arithmetic,
			this.#wording,
			tight.sources,
		);
	}

	/** Money of a month that a prompt costs more than one without tools. */
	usdPerMonth(planned: Planned, tokens: number): Quantity {
		const [dear, cheap] = [planned.cost.usdPerRequest, this.bare.cost.usdPerRequest];
		const each = dear.value === null || cheap.value === null ? null : dear.value - cheap.value;
		const { requestsPerDay } = this.question;
		const value = each === null ? null : each * requestsPerDay * DAYS_PER_MONTH;
		return state(
			tokens === 0 ? 0 : value,
			"USD/month",
			weakest(this.question.evidence.all, dear.evidence, cheap.evidence),
			() =>
				each === null
					? dear.arithmetic
					: `(${usd(dear.value ?? 0)} − ${usd(cheap.value ?? 0)} a request) × ${figure(requestsPerDay)} requests a day × 365 / 12 days = ${usd(value ?? 0)}`,
			this.#wording,
			dear.sources,
		);
	}

	/** By its share of the tokens. */
	#partOf(all: Quantity, tokens: number, write: (value: number) => string): Quantity {
		const value = all.value === null || this.total === 0 ? null : (all.value * tokens) / this.total;
		return state(
			value,
			all.unit,
			weakest(all.evidence, this.question.evidence.each),
			() =>
				value === null
					? all.arithmetic
					: `${write(all.value ?? 0)} of all tools × ${count(tokens)} of ${count(this.total)} tokens`,
			this.#wording,
			all.sources,
		);
	}
}

/** The law's growth with its numbers put in; tokens up to the knee cost nothing. */
function growth({ coefficients: { a, b, k } }: PrefillFit, before: number, after: number): string {
	const paid = Math.max(0, after - k) - Math.max(0, before - k);
	const knee = paid < after - before ? ` beyond the first ${figure(k)} of a prompt` : "";
	const terms = [
		a > 0 ? `${figure(a)} × ${figure(paid)} tokens${knee}` : "",
		b > 0 ? `${figure(b)} × (${count(after)}² − ${count(before)}² = ${count(after ** 2 - before ** 2)})` : "",
	].filter(Boolean);
	return terms.join(" + ") || "0";
}

function check({ windowTokens, otherTokens, tools, requestsPerDay }: ToolsQuestion): void {
	for (const [name, value] of [
		["windowTokens", windowTokens],
		["otherTokens", otherTokens],
		...tools.map((tokens, at) => [`tools[${at}]`, tokens] as const),
	] as const)
		if (!Number.isInteger(value) || value < 0 || value > 1e9)
			throw new RangeError(`${name} must be a whole number between 0 and 1,000,000,000, not ${value}`);
	if (windowTokens < 1) throw new RangeError("windowTokens must be at least 1");
	if (!(requestsPerDay >= 0)) throw new RangeError(`requests a day must be 0 or more, not ${requestsPerDay}`);
}
