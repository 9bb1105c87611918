import { decimalOf, US_DOLLAR } from "@plimsoll/api/model";

/** A currency as it is typed for a report. */
export interface TypedCurrency {
	code: string;
	usdPerUnit: string;
	rateSource: string;
	rateReadOn: string;
}

/** The currency's part of a report's address: empty for US dollars; null: its rate is not given yet. */
export function currencyQuery({ code, usdPerUnit, rateSource, rateReadOn }: TypedCurrency): string | null {
	const currency = code.trim().toUpperCase();
	if (currency === "" || currency === US_DOLLAR.code) return "";
	const rate = decimalOf(usdPerUnit);
	if (!/^[A-Z]{3}$/.test(currency) || rate === null || !(rate > 0)) return null;
	const said = { currency, usdPerUnit: String(rate), rateSource: rateSource.trim(), rateReadOn };
	return new URLSearchParams(Object.entries(said).filter(([, text]) => text !== "")).toString();
}
