import { shareOf } from "@plimsoll/api/model";

/** Name of the field that takes growth in per cent; the address and the API have a share under `growth`. */
export const GROWTH_FIELD = "growthPercent";

/**
 * The address with the growth of a form as a share: growthPercent=5 is growth=0.05.
 * @returns null where the form's field is not in it
 */
export function withGrowthAsShare({ pathname, searchParams }: URL): string | null {
	const typed = searchParams.get(GROWTH_FIELD)?.trim();
	if (typed === undefined) return null;
	const query = new URLSearchParams(searchParams);
	query.delete(GROWTH_FIELD);
	query.delete("growth");
	if (typed !== "") query.set("growth", shareText(typed));
	return query.size > 0 ? `${pathname}?${query}` : pathname;
}

/** What cannot be a growth stays as it was typed, so that its error names it. */
function shareText(typed: string): string {
	const percent = typed.endsWith("%") ? typed : `${typed}%`;
	const share = shareOf(percent);
	if (share === null) return typed;
	return share > 1 ? percent : String(share);
}

/** The growth of an address as the field shows it: 0.05 and 5% are "5". */
export function growthInPercent(query: Pick<URLSearchParams, "get">): string {
	const text = query.get("growth") ?? "";
	const share = shareOf(text);
	return share === null ? text : String(Number((share * 100).toPrecision(12)));
}
