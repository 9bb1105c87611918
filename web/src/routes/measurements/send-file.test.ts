import { expect, it } from "vitest";
import { lastLine } from "./send-file.ts";

it("reads the last whole line of an answer that is still arriving", () => {
	expect(lastLine("")).toBeNull();
	expect(lastLine('{"stage":"rea')).toBeNull();
	expect(lastLine('{"stage":"reading","rows":5}\n{"stage":"rea')).toEqual({ stage: "reading", rows: 5 });
	expect(lastLine('{"stage":"reading","rows":5}\n{"stage":"fitting"}\n')).toEqual({ stage: "fitting" });
});
