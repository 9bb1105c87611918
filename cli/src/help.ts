const SAID = `What the file does not say (what it says stands):
  --gpu NAME           like "RTX 4090"
  --gpus N             GPUs used
  --model NAME         like llama-3.1-8b
  --engine NAME        llama.cpp, vllm, …
  --engine-version V
  --weights FORMAT     bf16, q4_k_m, …
  --kv TYPE            type of the KV cache
  --tp N               tensor-parallel ranks
  --label WORDS        to find the run by
  --conditions FILE    JSON object kept with the run; its checklist reads modelSnapshot, sampling, prompts, tools,
                       code and answers. With push, they correct those of a file that is stored already`;

const SERVER = `Server:
  --url URL            the planner; or PLIMSOLL_URL; default http://127.0.0.1:8787
  --key KEY            where the planner asks for one; or PLIMSOLL_KEY, which no process list shows
  --retries N          further tries when it does not answer, or with 408, 409, 429, 502, 503 or 504; default 6`;

const PUSH_CODES = `Exit codes:
  0  everything is stored, now or before
  1  something was refused: no benchmark, nothing usable in it, too large
  2  wrong arguments; nothing was sent
  3  no server, or none that works, after all tries
  4  the key is missing, unknown or not allowed to post
  5  with --strict: everything is stored, but some rows were rejected`;

const GENERAL = `plimsoll: bring benchmark results to a Plimsoll planner

  plimsoll push FILE… [options]             post files that exist
  plimsoll run [options] -- COMMAND …       run a benchmark, post what it printed
  plimsoll mcp [options]                    let an agent ask the planner, over standard input and output
  plimsoll help push | run | mcp            the options and exit codes
  plimsoll --version

  llama-bench -m model.gguf -p 512,8192 -o jsonl | plimsoll push - --url http://planner:8787
  plimsoll run --url http://planner:8787 -- llama-bench -m model.gguf -p 512,8192 -o jsonl`;

const PUSH = `plimsoll push FILE… [options]

Posts each file as it is, packed on the way. The planner recognises the format; the same bytes with the same
options are stored once, so repeating a push is safe. - reads the standard input.

${SAID}

${SERVER}

Output:
  --json               one JSON line per file: file, outcome (stored, duplicate, refused, unreachable, forbidden),
                       then id, url, format, accepted, rejected, failed, aside, configurations, rejections, notes
                       and corrected (conditions of a file that was stored already), or status, title, detail, errors
  --strict             rejected rows end with code 5

${PUSH_CODES}`;

const RUN = `plimsoll run [options] -- COMMAND …

Runs the command and passes its output, exit code and signals on. Records the GPUs with driver, power limit,
clocks and temperature before and after, the host, the time and the command line (secrets masked, paths shortened
to names), and posts what the command printed with that record: its standard output, or both streams where that
holds no benchmark or the command failed. If the planner cannot take it, the output is kept in a file here.

${SAID}
Without --gpu it is the one that nvidia-smi, amd-smi or rocm-smi names, unless the command calls another machine.

${SERVER}

Output (on the standard error; the standard output is the command's):
  --json               one JSON line
  --strict             rejected rows end with code 5

Exit code: the command's, where it failed (127: not found); otherwise that of the push:
${PUSH_CODES.split("\n").slice(1).join("\n")}`;

const MCP = `plimsoll mcp [options]

A server of the Model Context Protocol for clients that start one as a command: passes each message on to the planner's
own endpoint (URL/mcp) and its answer back. Clients that take an address need no command.

  --url URL            the planner; or PLIMSOLL_URL; default http://127.0.0.1:8787
  --key KEY            where writing needs one; or PLIMSOLL_KEY, which no process list shows
  --profile NAME       reader, benchmark, finance or admin: what is shown
  --mode catalogue     one tool for each operation, in place of three for all

Ends with 0 when the client closes the input, 2 for wrong arguments.`;

const TOPICS: Readonly<Record<string, string>> = { push: PUSH, run: RUN, mcp: MCP };

/** The text for a topic; null where there is none. */
export function helpOn(topic: string | undefined): string | null {
	return topic === undefined ? GENERAL : (TOPICS[topic] ?? null);
}
