import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { Spool } from "./spool.ts";
import { UsageProblem } from "./usage-problem.ts";

/** Something to post, readable as often as it takes. */
export interface Source {
	/** What messages call it. */
	name: string;
	/** Sent along, without folders; null: it has none. */
	fileName: string | null;
	/** Whether its bytes are packed with gzip already. */
	packed: boolean;
	read(): Readable;
	dispose(): Promise<void>;
}

/**
 * Opens a path given on the command line; "-" is the standard input.
 * @throws UsageProblem where it cannot be read
 */
export async function openSource(path: string): Promise<Source> {
	if (path === "-") return keep("standard input", null, process.stdin);
	const file = await openFile(path);
	try {
		const stat = await file.stat();
		if (stat.isDirectory()) throw new UsageProblem(`${path} is a folder; name the files in it.`);
		if (stat.isFile()) return fileSource(path, await isGzip(file));
	} finally {
		await file.close();
	}
	// A pipe, like bash's <(command): it can be read only once.
	return keep(path, null, createReadStream(path));
}

async function openFile(path: string): Promise<FileHandle> {
	try {
		return await open(path, "r");
	} catch (error) {
		const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
		throw new UsageProblem(
			missing ? `${path}: there is no such file.` : `${path}: ${(error as Error).message}.`,
		);
	}
}

function fileSource(path: string, packed: boolean): Source {
	return {
		...{ name: path, fileName: basename(path), packed },
		read: () => createReadStream(path),
		dispose: async () => {},
	};
}

async function isGzip(file: FileHandle): Promise<boolean> {
	const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
	return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
}

async function keep(name: string, fileName: string | null, from: Readable): Promise<Source> {
	const spool = await Spool.create();
	for await (const chunk of from) await spool.write(chunk);
	await spool.end();
	return spoolSource(name, fileName, [spool]);
}

/** Kept bytes as a source; several are one behind the other. The caller disposes of shared spools itself. */
export function spoolSource(
	name: string,
	fileName: string | null,
	spools: readonly [Spool, ...Spool[]],
): Source {
	return {
		...{ name, fileName, packed: true },
		read: () => (spools.length === 1 ? spools[0].read() : joined(spools)),
		dispose: async () => {
			for (const spool of spools) await spool.dispose();
		},
	};
}

function joined(spools: readonly Spool[]): Readable {
	return Readable.from(
		(async function* () {
			for (const spool of spools) {
				yield* spool.read();
				// Members of one gzip stream follow each other freely; the last line of the one ends here.
				yield gzipSync("\n");
			}
		})(),
	);
}
