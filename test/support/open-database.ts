/**
 * A process of its own that opens the private database of a data folder: prints what is said, then
 * "open", and stays until its standard input ends; then closes and prints "closed".
 * Usage: node open-database.ts <data folder> [uid]
 */
import { setgid, setuid } from "node:process";
import { DatabaseProblem, openDatabase } from "../../db/src/index.ts";

const [dataDir = "", uid] = process.argv.slice(2);
if (uid && setgid && setuid) {
	setgid(Number(uid));
	setuid(Number(uid));
}
try {
	const database = await openDatabase({ dataDir, say: (line) => console.log(line) });
	console.log("open");
	process.stdin.resume();
	process.stdin.once("end", async () => {
		await database.close();
		console.log("closed");
	});
} catch (error) {
	if (!(error instanceof DatabaseProblem)) throw error;
	console.log(`problem: ${error.message}`);
}
