import type { Logger } from "pino";
import type { InnerCall } from "../inner-call.ts";
import type { Queryable } from "../store/sql.ts";
import type { InnerApi } from "./call.ts";
import type { Operation, Profile } from "./operation.ts";

/** What one request of an agent is answered with. */
export interface AgentContext {
	api: InnerApi;
	sql: Queryable;
	log: Logger;
	operations: readonly Operation[];
	profile: Profile;
	/** Whose rights count, and who says to be calling. */
	inner: InnerCall;
	/** Scheme, name and port that the server was called by. */
	origin: string;
}
