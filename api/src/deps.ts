import type { Database } from "@plimsoll/db";
import type { Logger } from "pino";
import type { UploadLimits } from "./store/upload.ts";

/** Who may call the server, and under which names. */
interface AccessRules {
	/** Whether writing needs a key. */
	keysNeeded: boolean;
	/** Names the server may be called by; null: any. Set where it trusts everybody who reaches it. */
	hosts: readonly string[] | null;
}

/** What an app is made of. */
export interface AppDeps {
	database: Database;
	access: AccessRules;
	limits: UploadLimits;
	log: Logger;
}
