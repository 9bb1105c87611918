import { expect, test } from "vitest";
import { noOrder } from "./mood.ts";

test.each([
	["who deleted the run?", "deleted"],
	["How do I delete a key", "delete"],
	["hello, can we delete it", "delete"],
	["что будет, если удалить прогон?", "удалить"],
	["удалится ли прогон", "удалится"],
	["don’t ever delete run 5", "delete"],
	["list the runs rather than delete them", "delete"],
	["ни в коем случае не удаляй ключи", "удаляй"],
	["do not under any c++ delete", "c++ delete"],
])("%s orders no change", (task, heard) => expect(noOrder(task, [heard])).not.toBeNull());

test.each([
	["delete the run", "delete"],
	["could you please delete the run", "delete"],
	["Удали прогон, он не нужен", "удали"],
	["delete the run that was not accepted", "delete"],
	["create a key without admin rights", "create"],
])("%s may order one", (task, heard) => expect(noOrder(task, [heard])).toBeNull());
