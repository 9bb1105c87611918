/** What the command ends with; a pipeline branches on these numbers, so they never change. */
export const EXIT = {
	/** Everything is stored, now or before. */
	stored: 0,
	/** The server refused something: no benchmark, nothing usable in it, too large. */
	refused: 1,
	/** Wrong arguments; nothing was sent. */
	usage: 2,
	/** No server, or none that works, after all tries. */
	unreachable: 3,
	/** The key is missing, unknown or not allowed to post. */
	forbidden: 4,
	/** With --strict: everything is stored, but some rows were rejected. */
	rejectedRows: 5,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const FROM_WORST: readonly ExitCode[] = [
	EXIT.forbidden,
	EXIT.unreachable,
	EXIT.usage,
	EXIT.refused,
	EXIT.rejectedRows,
];

/** The code of several outcomes together: the one that needs a person first. */
export function worstOf(codes: readonly ExitCode[]): ExitCode {
	return FROM_WORST.find((code) => codes.includes(code)) ?? EXIT.stored;
}
