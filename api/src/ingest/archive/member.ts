/** What a member without bytes of its own is: no file that is left out. */
export const FOLDER = "a folder";

/** One entry of an archive. */
export interface Member {
	/** As the archive names it, without "./" in front. */
	path: string;
	/** Why it holds nothing to read: FOLDER, "a link"; null: it is a file. */
	unfit: string | null;
	/** Its unpacked bytes; asked for at most once, and before the next member. */
	bytes(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A failure of one member; the others can still be read. */
export class BrokenMember extends Error {
	override readonly name = "BrokenMember";
}

/** A member that is no file. */
export function unfitMember(path: string, reason: string): Member {
	return { path: plainPath(path), unfit: reason, bytes: () => [] };
}

/** The path of a member without the dots and slashes that tools put in front. */
export function plainPath(path: string): string {
	return path.replaceAll("\\", "/").replace(/^(?:\.?\/)+/, "");
}
