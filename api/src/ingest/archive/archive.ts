import { readFile } from "../file.ts";
import { ArchiveTooLarge, type Reading, UnreadableFile } from "../reading.ts";
import type { Item, Said } from "../record.ts";
import { Fingerprints } from "../text/fingerprints.ts";
import { encodingOf } from "../text/text.ts";
import { folderFacts, isRunOfSweep, isSummaryOfSweep } from "../vllm/sweep-folder.ts";
import { ByteReader } from "./byte-reader.ts";
import { gunzipped } from "./inflate.ts";
import { BrokenMember, FOLDER, type Member } from "./member.ts";
import { packingOf } from "./packed.ts";
import { isTarHeader, tarMembers } from "./tar.ts";
import { zipMembers } from "./zip.ts";

/** Bytes that show whether an archive begins here. */
const HEAD = 512;
/** Packed bytes of a gzip that surely unpack to a tar's first block. */
const PACKED_HEAD = 4096;
const MOST_MEMBERS = 10_000;
/** A zip is held whole; a larger archive comes as tar.gz, which is read as it arrives. */
const LARGEST_ZIP = 256 * 2 ** 20;
/** A member up to this size is held whole, to be known again. */
const HELD = 8 * 2 ** 20;

/** The reading of an archive; null where the bytes are none, which are then put back. */
export async function readArchive(
	source: ByteReader,
	said: Said,
	mostUnpacked: number,
): Promise<Reading | null> {
	const head = await source.take(HEAD);
	source.unread(head);
	const budget = new Budget(mostUnpacked);
	const packing = packingOf(head);
	if (packing === "zip")
		return { format: "zip", items: new Archive(said, budget).items(zipMembers(await whole(source)), source) };
	if (packing === "gzip") return readTarGzip(source, said, budget);
	if (!isTarHeader(head)) return null;
	return { format: "tar", items: new Archive(said, budget).items(tarMembers(source), source) };
}

async function readTarGzip(source: ByteReader, said: Said, budget: Budget): Promise<Reading | null> {
	const head = await source.take(PACKED_HEAD);
	source.unread(head);
	if (!(await holdsTar(head))) return null;
	const unpacked = new ByteReader(budget.counted(gunzipped(source.rest())));
	return { format: "tar.gz", items: new Archive(said).items(tarMembers(unpacked), source) };
}

/** Whether an archive begins so. */
export function isArchive(head: Uint8Array): boolean {
	return packingOf(head) !== null || isTarHeader(head.subarray(0, HEAD));
}

/** Whether the beginning of a gzip unpacks to the beginning of a tar. */
export async function holdsTar(gzipHead: Uint8Array): Promise<boolean> {
	const unpacked = new ByteReader(gunzipped([gzipHead]));
	try {
		return isTarHeader(await unpacked.take(HEAD));
	} catch (error) {
		if (error instanceof BrokenMember) return false;
		throw error;
	}
}

async function whole(source: ByteReader): Promise<Uint8Array> {
	const bytes = await source.take(LARGEST_ZIP + 1);
	if (bytes.length <= LARGEST_ZIP) return bytes;
	throw new UnreadableFile(
		`A zip archive of more than ${LARGEST_ZIP / 2 ** 20} MiB is not read: pack the files as tar.gz instead.`,
	);
}

/** What an archive may still unpack to. */
class Budget {
	#left: number;
	readonly #most: number;

	constructor(most: number) {
		this.#left = most;
		this.#most = most;
	}

	async *counted(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
		for await (const chunk of source) {
			this.#left -= chunk.length;
			if (this.#left < 0) throw new ArchiveTooLarge(`The archive unpacks to more than ${this.#most} bytes.`);
			yield chunk;
		}
	}
}

/** A sweep's summary, kept until it is known whether the runs that it repeats are there. */
interface Summary {
	path: string;
	bytes: Uint8Array;
}

/** Reads the members of one archive, one after another, each as an upload of its own. */
class Archive {
	readonly #said: Said;
	readonly #budget: Budget | null;
	readonly #seen = new Fingerprints();
	readonly #runs: string[] = [];
	readonly #summaries: Summary[] = [];

	/** @param budget counts what the members unpack to; left out where that is counted already */
	constructor(said: Said, budget: Budget | null = null) {
		this.#said = said;
		this.#budget = budget;
	}

	async *items(
		members: AsyncIterable<Member> | Iterable<Member>,
		source: ByteReader,
	): AsyncGenerator<Item[]> {
		let count = 0;
		try {
			for await (const member of members) {
				if (++count > MOST_MEMBERS)
					throw new UnreadableFile(`The archive has more than ${MOST_MEMBERS} members: send it in parts.`);
				yield* this.#member(member);
			}
		} catch (error) {
			if (!(error instanceof BrokenMember)) throw error;
			yield [{ kind: "rejected", at: `behind member ${count}`, reason: error.message }];
		} finally {
			await source.release();
		}
		for (const summary of this.#summaries) yield* this.#summary(summary);
	}

	async *#member(member: Member): AsyncGenerator<Item[]> {
		if (member.unfit === FOLDER) return;
		const { path } = member;
		const unfit = member.unfit ?? (isHidden(path) ? "a hidden file" : null);
		if (unfit !== null) return yield [{ kind: "aside", at: path, reason: unfit }];
		const fault: { reason: string | null } = { reason: null };
		const unpacked = untilFault(member, fault);
		const bytes = new ByteReader(this.#budget?.counted(unpacked) ?? unpacked);
		const head = await bytes.take(HELD);
		const passed = this.#passedOver(path, head);
		if (passed !== null) yield [passed];
		else if (isSummaryOfSweep(path) && head.length < HELD) this.#summaries.push({ path, bytes: head });
		else {
			if (isRunOfSweep(path)) this.#runs.push(path);
			bytes.unread(head);
			yield* this.#read(path, bytes.rest());
		}
		if (fault.reason !== null) yield [{ kind: "rejected", at: path, reason: fault.reason }];
	}

	/** Why a file is not read; null where it is. */
	#passedOver(path: string, head: Uint8Array): Item | null {
		if (head.length === 0) return { kind: "aside", at: path, reason: "an empty file" };
		const packing = packingOf(head);
		if (packing !== null || isTarHeader(head.subarray(0, HEAD))) {
			const reason = `packed inside the archive (${packing ?? "tar"}): unpack it, or send it by itself`;
			return { kind: "rejected", at: path, reason };
		}
		if (encodingOf(head) === "utf-8" && head.subarray(0, HEAD).includes(0))
			return { kind: "aside", at: path, reason: "a binary file" };
		if (head.length < HELD && this.#seen.repeated([head]))
			return { kind: "aside", at: path, reason: "the same bytes as a file before it" };
		return null;
	}

	async *#read(path: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Item[]> {
		try {
			const { items } = await readFile(bytes, this.#said, folderFacts(path));
			for await (const batch of items) {
				for (const item of batch) placeIn(path, item);
				yield batch;
			}
		} catch (error) {
			if (!(error instanceof UnreadableFile)) throw error;
			yield [{ kind: "aside", at: path, reason: error.message }];
		}
	}

	async *#summary({ path, bytes }: Summary): AsyncGenerator<Item[]> {
		const folder = path.slice(0, path.lastIndexOf("/") + 1);
		if (this.#runs.some((run) => run.startsWith(folder)))
			yield [{ kind: "aside", at: path, reason: "a summary that repeats the files of the runs beside it" }];
		else yield* this.#read(path, once(bytes));
	}
}

/** The bytes of a member up to where it is broken, which is noted. */
async function* untilFault(member: Member, fault: { reason: string | null }): AsyncGenerator<Uint8Array> {
	try {
		yield* member.bytes();
	} catch (error) {
		if (!(error instanceof BrokenMember)) throw error;
		fault.reason = error.message;
	}
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}

function isHidden(path: string): boolean {
	return path.split("/").some((name) => name === "__MACOSX" || /^\.(?!\.?$)/.test(name));
}

/** Says in which member of the archive an item stands. */
function placeIn(path: string, item: Item): void {
	if (item.kind === "note") item.text = `${path}: ${item.text}`;
	else item.at = `${path}: ${item.at}`;
}
