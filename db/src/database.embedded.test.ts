import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { databaseSuite } from "../../test/support/database-suite.ts";
import { openDatabase } from "./index.ts";

const dataDir = mkdtempSync(join(tmpdir(), "plimsoll-embedded-"));
chmodSync(dataDir, 0o755);
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

databaseSuite("the private server", () => openDatabase({ dataDir }));
