/**
 * Bytes of our JSON that make one token of o200k, the tokenizer of recent GPT models. Measured over the answers of the API
 * (test/integration/mcp-examples.test.ts holds the rule against the tokenizer): counting each answer would take longer than
 * making it.
 */
export const BYTES_PER_TOKEN = 2.9;

export const TOKEN_RULE = `estimated: bytes ÷ ${BYTES_PER_TOKEN}, as o200k splits this API's JSON`;

/** Tokens of a text of so many bytes, estimated. */
export const estimatedTokens = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);
