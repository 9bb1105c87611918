import type { Conditions } from "./conditions.ts";

/** Proxies pass header lines of 8 KiB on, the header's name included. */
export const MOST_CHARACTERS = 7_900;

/**
 * A record as the header plimsoll-conditions carries it.
 * @throws Error where it is too long
 */
export function encodeConditions(record: object): string {
	const text = textOf(record);
	if (text.length <= MOST_CHARACTERS) return text;
	throw new Error(
		`must be shorter: it takes ${text.length} characters of base64, ${MOST_CHARACTERS} are sent`,
	);
}

/**
 * A record short enough to be sent: first the last GPUs of many are left out, then the end of the command.
 * @param room characters that something else needs
 */
export function fitConditions(record: Conditions, room = 0): Conditions {
	const fitting = structuredClone(record);
	while (textOf(fitting).length + room > MOST_CHARACTERS && shorten(fitting));
	return fitting;
}

/** Characters that a record takes in the header. */
export const sizeOf = (record: object): number => textOf(record).length;

function textOf(record: object): string {
	return Buffer.from(JSON.stringify(record)).toString("base64url");
}

function shorten({ gpus, before, after, command }: Conditions): boolean {
	if (gpus !== null && gpus.devices.length > 1) {
		for (const list of [gpus.devices, before.gpus, after.gpus]) list.pop();
		gpus.leftOut = (gpus.leftOut ?? 0) + 1;
		return true;
	}
	return command.pop() !== undefined;
}
