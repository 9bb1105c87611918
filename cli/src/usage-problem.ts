/** Wrong arguments; the message says which, where, and what to do. */
export class UsageProblem extends Error {
	override readonly name = "UsageProblem";
}
