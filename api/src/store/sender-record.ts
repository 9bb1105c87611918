/** What a sender recorded about the machine and the command, in its own words. */
export type SenderRecord = Record<string, unknown>;
