import { type Logger, pino } from "pino";
import type { LogLevel } from "./environment.ts";

/** JSON lines on standard output, for machines to read; what a person should read is printed by the server itself. */
export function createLog(level: LogLevel): Logger {
	return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}
