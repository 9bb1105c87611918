import { describe, expect, it } from "vitest";
import { AddressWriter } from "./address-writer.ts";

/** A browser whose navigations end when told to. */
function slowBrowser() {
	const done: string[] = [];
	const ends: (() => void)[] = [];
	const writer = new AddressWriter(
		(address, how) =>
			new Promise<boolean>((end) => {
				done.push(`${how} ${address}`);
				ends.push(() => end(true));
			}),
	);
	const finish = async () => {
		ends.shift()?.();
		await new Promise((turn) => setTimeout(turn));
	};
	return { writer, done, finish };
}

describe("the address", () => {
	it("is rewritten only after the step it belongs to is made", async () => {
		const { writer, done, finish } = slowBrowser();
		writer.write("/?context=1", "push");
		writer.write("/?context=2", "replace");
		expect(done).toEqual(["push /?context=1"]);
		await finish();
		expect(done).toEqual(["push /?context=1", "replace /?context=2"]);
	});

	it("takes the latest of what came meanwhile, and does not lose a step", async () => {
		const { writer, done, finish } = slowBrowser();
		writer.write("/?a=1", "replace");
		writer.write("/?a=2", "push");
		writer.write("/?a=3", "replace");
		await finish();
		await finish();
		expect(done).toEqual(["replace /?a=1", "push /?a=3"]);
	});

	it("writes nothing over the place that was gone to meanwhile, and goes on from there", async () => {
		const done: string[] = [];
		const writer = new AddressWriter(async (address) => {
			done.push(address);
			if (address === "/?a=1") return false;
			if (address === "/?a=3") throw new Error("cancelled");
			return true;
		});
		const rest = () => new Promise((turn) => setTimeout(turn));
		writer.write("/?a=1", "push");
		writer.write("/?a=2", "push");
		await rest();
		writer.write("/?a=3", "push");
		writer.write("/?a=4", "push");
		await rest();
		writer.write("/?a=5", "push");
		await rest();
		expect(done).toEqual(["/?a=1", "/?a=3", "/?a=5"]);
	});
});
