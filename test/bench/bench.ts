/** npm run bench [name…]: speed and memory, each figure beside its floor, measured in the same run. */
const benches: Record<string, () => Promise<string[]>> = {
	model: async () => (await import("./model.ts")).benchModel(),
	plan: async () => (await import("./plan-over-http.ts")).benchPlanOverHttp(),
	ingest: async () => (await import("./ingest.ts")).benchIngest(),
	volume: async () => (await import("./volume.ts")).benchVolume(),
	page: async () => (await import("./page.ts")).benchPage(),
	fleet: async () => (await import("./fleet.ts")).benchFleet(),
	load: async () => (await import("./load.ts")).benchLoad(),
};

/** How fast the machine is at this moment: what to hold the figures of another run against. */
function pace(): number {
	const start = performance.now();
	let sum = 0;
	for (let i = 0; i < 1e8; i++) sum += Math.sqrt(i);
	// The sum is used, or the loop would be left out.
	return sum > 0 ? performance.now() - start : Number.NaN;
}

const asked = process.argv.slice(2);
pace();
console.log(`this machine now: 10⁸ square roots added in ${Math.round(pace())} ms`);
for (const name of asked.length > 0 ? asked : Object.keys(benches)) {
	const bench = benches[name];
	if (!bench) throw new Error(`no bench '${name}': ${Object.keys(benches).join(", ")}`);
	console.log(`${name}`);
	for (const line of await bench()) console.log(`  ${line}`);
}
