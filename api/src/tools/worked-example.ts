import example from "./worked-example.json" with { type: "json" };

/** The tools of a web shop's back office, written for this page: what its server would answer to tools/list. */
export const workedExample: object = example;
