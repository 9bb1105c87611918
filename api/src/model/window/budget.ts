/** What fills a context window, turn after turn. Tokens are whole numbers ≥ 0. */
export interface WindowQuestion {
	/** Tokens that prompt and answer may take together, ≥ 1. */
	windowTokens: number;
	/** System rules, sent with every request. */
	systemTokens: number;
	/** Tools whose schemas are sent with every request. */
	tools: number;
	/** Tokens of one tool's schema. */
	toolTokens: number;
	/** What a user or an agent writes in one turn. */
	messageTokens: number;
	/** What tools answer in one turn. */
	resultTokens: number;
	/** Images that one turn adds, and the tokens of each: see `imageTokens`. */
	images: number;
	tokensPerImage: number;
	/** What the model answers in one turn; it stays in the history. */
	answerTokens: number;
	/** Turns of a session, 1…MOST_TURNS. */
	turns: number;
	/** What is done before the window is full; null: nothing. */
	relief: Relief | null;
}

/**
 * compact: the history is summed up by a request of its own. clear: all but the last turns are thrown away, by nobody.
 * Either way what a prefix cache held beyond the constant part is of no more use.
 */
export type Relief =
	| { kind: "compact"; atShare: number; summaryTokens: number }
	| { kind: "clear"; atShare: number; keptTurns: number };

export const MOST_TURNS = 500;

/** Parts of a window, in the order in which a request carries them. */
export const WINDOW_PARTS = [
	"system",
	"tools",
	"summary",
	"messages",
	"results",
	"images",
	"answers",
] as const;
export type WindowPart = (typeof WINDOW_PARTS)[number];
export type WindowTokens = Record<WindowPart, number>;

/** A request of a session. */
export interface WindowTurn {
	/** From 1 on. */
	turn: number;
	/** Whether it is a turn of the work, or the request that sums the history up. */
	kind: "turn" | "compaction";
	/** Tokens of the prompt: everything but this turn's answer. */
	promptTokens: number;
	/** Leading tokens of the prompt that the request before it carried too. */
	sharedTokens: number;
	outputTokens: number;
	/** What the window holds after the answer. */
	parts: WindowTokens;
	usedTokens: number;
	/** Whether the history was thrown away before this turn. */
	cleared: boolean;
}

export interface WindowBudget {
	/** System rules and tools: what every request carries before its task. */
	constantTokens: number;
	/** What one turn adds. */
	turnTokens: number;
	/** The turn that no longer fits; null: none of those asked for, or the window is relieved in time. */
	fullAtTurn: number | null;
	/** Requests in order, to the last that fits. */
	turns: WindowTurn[];
	/** Prompt tokens of all requests: each carries the whole history anew. */
	promptTokens: number;
	outputTokens: number;
	/** Of the prompt tokens those that the request before had carried too. */
	sharedTokens: number;
}

/** Pixels of a side that one token of an image covers. @source Qwen2-VL: 14-pixel patches merged two by two */
const PIXELS = 28;

/** Tokens of an image: ⌈w/28⌉ · ⌈h/28⌉. @param width pixels, ≥ 1 @param height pixels, ≥ 1 @throws RangeError */
export function imageTokens(width: number, height: number): number {
	for (const [name, side] of Object.entries({ width, height }))
		if (!(side >= 1 && side <= 100_000))
			throw new RangeError(`${name} must lie between 1 and 100,000 pixels, not ${side}`);
	return Math.ceil(width / PIXELS) * Math.ceil(height / PIXELS);
}

/**
 * Fills a window turn after turn: prompt = constant + history + what the turn brings; the answer joins the history.
 * @throws RangeError that names what is out of bounds
 */
export function windowBudget(question: WindowQuestion): WindowBudget {
	checkQuestion(question);
	const { windowTokens, relief } = question;
	const [constant, each] = [constantOf(question), turnOf(question)];
	const constantTokens = sum(constant);
	const turns: WindowTurn[] = [];
	let history = NOTHING;
	let shared = 0;
	let cleared = false;
	let fullAtTurn: number | null = null;
	for (let turn = 1; turn <= question.turns; turn++) {
		if (relief && turn > 1 && constantTokens + sum(history) > relief.atShare * windowTokens) {
			const before = constantTokens + sum(history);
			if (relief.kind === "compact") {
				const { summaryTokens } = relief;
				// The request that sums up holds the history and the summary: asked too late, it does not fit either.
				if (before + summaryTokens > windowTokens) {
					fullAtTurn = turn;
					break;
				}
				turns.push(requestOf(turn, "compaction", before, shared, summaryTokens, constant, history));
				history = { ...NOTHING, summary: summaryTokens };
			} else {
				history = times(each, Math.min(relief.keptTurns, turn - 1));
				cleared = true;
			}
			shared = constantTokens;
		}
		const prompt = constantTokens + sum(history) + sum(each) - each.answers;
		history = add(history, each);
		const used = constantTokens + sum(history);
		if (used > windowTokens) {
			fullAtTurn = turn;
			break;
		}
		turns.push({ ...requestOf(turn, "turn", prompt, shared, each.answers, constant, history), cleared });
		// The next request begins with this one and its answer.
		shared = used;
		cleared = false;
	}
	const total = (of: (turn: WindowTurn) => number) => turns.reduce((all, turn) => all + of(turn), 0);
	return {
		constantTokens,
		turnTokens: sum(each),
		fullAtTurn,
		turns,
		promptTokens: total((turn) => turn.promptTokens),
		outputTokens: total((turn) => turn.outputTokens),
		sharedTokens: total((turn) => turn.sharedTokens),
	};
}

const NOTHING: WindowTokens = {
	...{ system: 0, tools: 0, summary: 0, messages: 0, results: 0, images: 0, answers: 0 },
};

const constantOf = ({ systemTokens, tools, toolTokens }: WindowQuestion): WindowTokens => ({
	...NOTHING,
	system: systemTokens,
	tools: tools * toolTokens,
});

const turnOf = (question: WindowQuestion): WindowTokens => ({
	...NOTHING,
	messages: question.messageTokens,
	results: question.resultTokens,
	images: question.images * question.tokensPerImage,
	answers: question.answerTokens,
});

function requestOf(
	turn: number,
	kind: WindowTurn["kind"],
	promptTokens: number,
	sharedTokens: number,
	outputTokens: number,
	constant: WindowTokens,
	history: WindowTokens,
): WindowTurn {
	const parts = add(constant, history);
	const usedTokens = kind === "compaction" ? promptTokens + outputTokens : sum(parts);
	return {
		...{ turn, kind, promptTokens, outputTokens, parts, usedTokens, cleared: false },
		sharedTokens: Math.min(sharedTokens, promptTokens),
	};
}

const map = (of: (part: WindowPart) => number): WindowTokens =>
	Object.fromEntries(WINDOW_PARTS.map((part) => [part, of(part)])) as WindowTokens;
const add = (a: WindowTokens, b: WindowTokens): WindowTokens => map((part) => a[part] + b[part]);
const times = (a: WindowTokens, n: number): WindowTokens => map((part) => n * a[part]);
const sum = (tokens: WindowTokens): number => WINDOW_PARTS.reduce((all, part) => all + tokens[part], 0);

function checkQuestion(question: WindowQuestion): void {
	const { relief, ...numbers } = question;
	for (const [name, value] of Object.entries(numbers))
		if (!Number.isInteger(value) || value < 0 || value > 1e9)
			throw new RangeError(`${name} must be a whole number between 0 and 1,000,000,000, not ${value}`);
	if (question.windowTokens < 1) throw new RangeError("windowTokens must be at least 1");
	if (question.turns < 1 || question.turns > MOST_TURNS)
		throw new RangeError(`turns must lie between 1 and ${MOST_TURNS}, not ${question.turns}`);
	if (!relief) return;
	if (!(relief.atShare > 0 && relief.atShare <= 1))
		throw new RangeError(`the share at which the history is relieved must lie in 0…1, not ${relief.atShare}`);
	const left = relief.kind === "compact" ? relief.summaryTokens : relief.keptTurns;
	if (!Number.isInteger(left) || left < 0)
		throw new RangeError(
			`${relief.kind === "compact" ? "tokens of the summary" : "turns that are kept"} must be a whole number ≥ 0, not ${left}`,
		);
}
