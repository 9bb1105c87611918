/** What may stand between groups of three digits besides a comma. */
const SPACES = /[\s_\u00a0\u2009\u202f]/g;
const GROUPS = /^\d{1,3}(,\d{3}){2,}$|^\d{1,3}(,\d{3})+\.\d*$/;
/** One comma before exactly three digits: thousands to some, thousandths to others. */
const EITHER = /^[1-9]\d{0,2},\d{3}$/;
const DECIMAL_COMMA = /^\d*,\d+$/;
const PLAIN = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Reads an amount that may be fractional as people write it: "2.5", "2,5", "1,234.5", "30 000".
 * @returns a number from 0 on; null where the text is none, or where it could be two ("1,500")
 */
export function readAmount(text: string): number | null {
	const close = text.trim().replace(SPACES, "");
	if (EITHER.test(close)) return null;
	const plain = GROUPS.test(close)
		? close.replaceAll(",", "")
		: DECIMAL_COMMA.test(close)
			? close.replace(",", ".")
			: close;
	return PLAIN.test(plain) ? Number(plain) : null;
}

/** What to write in place of an amount that was refused: its two readings where it has two, else what the caller says. */
export function amountAdvice(text: string, otherwise: string): string {
	const figure = text.replace(SPACES, "").replace(/^[^\d]+|[^\d]+$/g, "");
	if (!EITHER.test(figure)) return otherwise;
	return `write ${figure.replace(",", "")} or ${Number(figure.replace(",", "."))}`;
}
