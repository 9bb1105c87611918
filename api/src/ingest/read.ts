import { readArchive } from "./archive/archive.ts";
import { ByteReader } from "./archive/byte-reader.ts";
import { readFile } from "./file.ts";
import type { Reading } from "./reading.ts";
import type { Said } from "./record.ts";

/** Bytes that an archive may unpack to where the caller sets no limit. */
const MOST_UNPACKED = 2 ** 30;

/**
 * Recognises a benchmark file by its content and reads it; of an archive (zip, tar, tar.gz) each member.
 * @param source bytes of the upload, in chunks of any size
 * @param said what the uploader said beside the file
 * @param mostUnpacked bytes that an archive may unpack to
 * @throws UnreadableFile where no family recognises the content
 * @throws ArchiveTooLarge beyond that limit, perhaps while the items are read
 */
export async function readBenchmark(
	source: AsyncIterable<Uint8Array>,
	said: Said,
	mostUnpacked = MOST_UNPACKED,
): Promise<Reading> {
	const bytes = new ByteReader(source);
	return (await readArchive(bytes, said, mostUnpacked)) ?? readFile(bytes.rest(), said);
}
