import { expect, test } from "vitest";
import turbo from "../../turbo.json" with { type: "json" };
import { EnvironmentProblem, isLoopback, readEnvironment, SETTINGS } from "./environment.ts";

test("an empty environment gives the defaults of the table", () => {
	const environment = readEnvironment({});
	expect(environment).toMatchObject({
		...{ port: 8787, host: "127.0.0.1", databaseUrl: undefined, maxBodyBytes: 64 * 1024 * 1024 },
		...{ requestTimeoutSeconds: 300, allowedHosts: [], logLevel: "warn", examples: true },
	});
	expect(SETTINGS.map(({ name }) => name).sort()).toEqual(
		[
			...["PORT", "HOST", "DATABASE_URL", "DATA_DIR", "MAX_BODY_BYTES", "REQUEST_TIMEOUT_SECONDS"],
			...["ALLOWED_HOSTS", "LOG_LEVEL", "EXAMPLES"],
		].sort(),
	);
});

test("npm run dev passes every setting on", () => {
	expect(turbo.tasks.dev.passThroughEnv).toEqual(SETTINGS.map(({ name }) => name));
});

test("the data folder belongs to the repository, wherever the program was started", () => {
	const root = new URL("../..", import.meta.url).pathname;
	expect(readEnvironment({}).dataDir).toBe(`${root}data`);
	expect(readEnvironment({ DATA_DIR: "elsewhere" }).dataDir).toBe(`${root}elsewhere`);
	expect(readEnvironment({ DATA_DIR: "/srv/plimsoll" }).dataDir).toBe("/srv/plimsoll");
});

test.each([
	["1048576", 1048576],
	["1MiB", 1048576],
	["1 mib", 1048576],
	["2GiB", 2 * 1024 ** 3],
	["64KiB", 65536],
])("MAX_BODY_BYTES=%s is %i bytes", (text, bytes) => {
	expect(readEnvironment({ MAX_BODY_BYTES: text }).maxBodyBytes).toBe(bytes);
});

test("a wrong setting is named with its value and what it should be, all of them at once", () => {
	const wrong = {
		...{ PORT: "99999", DATABASE_URL: "mysql://x", MAX_BODY_BYTES: "64MB", LOG_LEVEL: "loud" },
		...{ EXAMPLES: "maybe", REQUEST_TIMEOUT_SECONDS: "0" },
	};
	expect(() => readEnvironment(wrong)).toThrow(EnvironmentProblem);
	try {
		readEnvironment(wrong);
	} catch (error) {
		const lines = String(error).split("\n");
		expect(lines).toHaveLength(Object.keys(wrong).length);
		for (const [name, value] of Object.entries(wrong)) expect(String(error)).toContain(`${name}=${value}:`);
	}
});

test("an empty value is no value", () => {
	expect(readEnvironment({ PORT: "", DATABASE_URL: " " })).toMatchObject({
		port: 8787,
		databaseUrl: undefined,
	});
});

test("names of a reverse proxy are a list", () => {
	const { allowedHosts } = readEnvironment({ ALLOWED_HOSTS: "Planner.example, plimsoll.corp " });
	expect(allowedHosts).toEqual(["planner.example", "plimsoll.corp"]);
});

test.each([
	["127.0.0.1", true],
	["127.9.9.9", true],
	["localhost", true],
	["::1", true],
	["0.0.0.0", false],
	["::", false],
	["10.0.0.1", false],
	["127.0.0.1.example", false],
])("%s reaches this machine only: %s", (host, loopback) => {
	expect(isLoopback(host)).toBe(loopback);
});
