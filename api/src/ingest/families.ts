import type { Family } from "./family.ts";

/**
 * Every family of benchmark files, in the order of detection: the first whose `detect` holds reads the file.
 * Self-describing forms come first, loose text last. A new family is one file and one line here.
 */
export const FAMILIES: readonly Family[] = [];
