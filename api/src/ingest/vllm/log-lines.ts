/** One message of a vLLM log with what its prefix says about the process that wrote it. */
export interface LogLine {
	/** Name in front of "name | " where several services share the stream, else "". */
	service: string;
	/** "Worker_TP0_EP0", "EngineCore_DP1", "VllmWorker TP1" with its process id; "" where there is none. */
	process: string;
	/** 1-based number of the line on which the message begins. */
	number: number;
	message: string;
}

const SERVICE = /^([A-Za-z][\w.-]*)\s+\| ?/;
const PROCESS = /^\(([A-Za-z][\w.= -]*?) pid=(\d+)\)\s?/;
const LEVEL =
	/^(?:INFO|WARNING|ERROR|DEBUG|CRITICAL):?\s+(?:(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d(?:[.,]\d+)?\s+)?/;
/** "[core.py:96]", "[executor/gpu.py:12]"; before 2025 without the opening bracket. */
const ORIGIN = /^\[?[\w./-]+\.py:\d+\]\s?/;
const BEGINS =
	/^(?:\(|(?:EngineCore|VllmWorker|Worker|APIServer)[_ ]|\[|INFO|WARNING|ERROR|DEBUG|CRITICAL|\d{4}-|usage:|Traceback|\t|\s{2})/;

/**
 * Messages of a log. A line that begins like none of a logger continues the one before: terminals break long
 * lines at their width, also inside a word or a number.
 */
export function* logLines(body: string): Generator<LogLine> {
	let pending: LogLine | null = null;
	let number = 0;
	for (const raw of body.split("\n")) {
		number++;
		const line: LogLine = parsed(raw, number);
		if (pending !== null && continues(raw, line, pending)) {
			pending.message += line.message;
			continue;
		}
		if (pending !== null) yield pending;
		pending = line;
	}
	if (pending !== null) yield pending;
}

/** The longest message that broken lines are joined to; what grows beyond it is no message of an engine. */
const MAX_JOINED = 32 * 1024;

function continues(raw: string, line: LogLine, pending: LogLine): boolean {
	if (raw === "" || BEGINS.test(raw) || pending.message.length > MAX_JOINED) return false;
	return line.process === "" && line.message === raw;
}

function parsed(raw: string, number: number): LogLine {
	const service = SERVICE.exec(raw);
	let rest = service === null ? raw : raw.slice(service[0].length);
	const process = PROCESS.exec(rest);
	if (process !== null) rest = rest.slice(process[0].length);
	rest = rest.replace(LEVEL, "").replace(ORIGIN, "");
	return {
		service: service?.[1] ?? "",
		process: process === null ? "" : `${process[1]} ${process[2]}`,
		number,
		message: rest,
	};
}
