import { existsSync } from "node:fs";

/** Last words of a name that holds a secret: HF_TOKEN, --api-key, Authorization. */
const SECRET_WORD =
	"(?:token|secret|password|passwd|passphrase|pwd|credentials?|apikey|key|auth|authorization|bearer|hft)";
const SECRET_NAME = `(?:[\\w.-]*[-_.])?${SECRET_WORD}`;
const MASK = "***";

/** --api-key, -hft, alone: the secret is the next argument. */
const SECRET_OPTION = new RegExp(`^--?${SECRET_NAME}$`, "i");

/** Pieces of text that are secrets, each with what stays in front of it. */
const SECRETS: readonly [pattern: RegExp, replacement: string][] = [
	// NAME=value, "name": "value", Name: Bearer value, ?api_key=value
	[
		new RegExp(`\\b(${SECRET_NAME}["']?\\s*[=:]\\s*["']?)(?:(?:Bearer|Basic)\\s+)?[^\\s"'&;,}]+`, "gi"),
		`$1${MASK}`,
	],
	// --api-key value, inside one argument (sh -c "…")
	[new RegExp(`((?:^|\\s)--?${SECRET_NAME}\\s+)(?!-)\\S+`, "gi"), `$1${MASK}`],
	[/\b(Bearer\s+)[^\s"']+/gi, `$1${MASK}`],
	// https://user:password@host
	[/(\w:\/\/)[^\s/@"']+@/g, `$1${MASK}@`],
	// Keys that are known by their look: Hugging Face, OpenAI, GitHub, GitLab, Slack, AWS, NVIDIA, JSON web tokens
	[/\b(?:hf_|sk-|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AKIA|nvapi-)[\w-]{8,}/g, MASK],
	[/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g, MASK],
];

/** A path that begins at a root, a home or a dot; not the part of a URL or of a name like meta-llama/Llama-3. */
const PATH = /(?<![\w.~/-])(?:~|\.{1,2})?\/(?!\/)[^\s"'=,:;()]*/g;
const WINDOWS_PATH = /\b[A-Za-z]:\\[^\s"']*/g;
/** Whole texts may stand in one argument; their beginning tells them apart. */
const MOST_CHARACTERS = 200;

/** A command line as it may be kept: secrets masked, paths shortened to their last name. */
export function maskCommand(command: readonly string[], isPath = existsHere): string[] {
	return command.map((argument, i) => {
		const before = command[i - 1] ?? "";
		if (SECRET_OPTION.test(before) && !argument.startsWith("-")) return MASK;
		return shortened(maskArgument(argument, isPath));
	});
}

function maskArgument(argument: string, isPath: (text: string) => boolean): string {
	if (isPath(argument)) return lastName(argument);
	const [, option, value = ""] = /^(--?[\w-]+=)(.+)$/s.exec(argument) ?? [];
	if (option !== undefined && isPath(value)) return option + lastName(value);
	const masked = SECRETS.reduce(
		(text, [pattern, replacement]) => text.replace(pattern, replacement),
		argument,
	);
	return masked.replace(PATH, lastName).replace(WINDOWS_PATH, lastName);
}

function lastName(path: string): string {
	return path.split(/[/\\]/).filter(Boolean).at(-1) ?? path;
}

function shortened(text: string): string {
	return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}

/** A relative path looks like a name on a hub; only the disk tells. */
function existsHere(text: string): boolean {
	return /[/\\]/.test(text) && existsSync(text);
}
