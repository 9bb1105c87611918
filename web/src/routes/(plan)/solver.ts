/** Loaded when something else than the users is solved for. */
export { solve } from "@plimsoll/api/model";
