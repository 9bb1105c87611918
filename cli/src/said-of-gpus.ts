import type { Said, Variables } from "./arguments.ts";
import type { GpuState } from "./gpus.ts";

/**
 * What the machine's GPUs say for a file that names none: the name where all are alike, the count where there is
 * only one (of several nobody knows which were used). Nothing where the command measures another machine.
 */
export function saidOfGpus(gpus: GpuState | null, command: readonly string[], variables: Variables): Said {
	const [first, ...others] = gpus?.devices ?? [];
	const hidden = /^(-1)?$/.test(variables.CUDA_VISIBLE_DEVICES ?? "all");
	if (first === undefined || hidden || callsElsewhere(command)) return {};
	if (others.some(({ name }) => name !== first.name)) return {};
	return { gpu: first.name, ...(others.length === 0 ? { gpus: "1" } : {}) };
}

const HERE = /^(localhost|127(\.\d{1,3}){3}|0\.0\.0\.0|::1?|\[::1?\])$/i;
const HOST_OPTION = /^--?(host|hostname|server-?host)$/;

/** Whether a client benchmark names a server on another machine. */
function callsElsewhere(command: readonly string[]): boolean {
	return command.some((argument, i) => {
		const [, host] = /\bhttps?:\/\/(?:[^\s/@]*@)?(\[[^\]]*\]|[^\s/:"']+)/.exec(argument) ?? [];
		if (host !== undefined) return !HERE.test(host);
		const [, equal] = /^--(?:host|hostname)=(.+)$/.exec(argument) ?? [];
		const named = equal ?? (HOST_OPTION.test(command[i - 1] ?? "") ? argument : null);
		return named !== null && !HERE.test(named);
	});
}
