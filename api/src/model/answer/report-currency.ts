import type { Currency } from "../money/price.ts";
import { figure, money, usd } from "../trust/figures.ts";
import type { Evidence, Quantity } from "../trust/quantity.ts";
import type { Plan } from "./answer.ts";

/** An amount of dollars in the currency of a report. */
export interface CurrencyFigure {
	value: number | null;
	low?: number;
	high?: number;
	/** "EUR/month", "EUR/request": the currency by its code. */
	unit: string;
	evidence: Evidence;
	arithmetic: string;
}

/** The money of a load, by what it is paid for. */
export interface CurrencyCost {
	perMonth: CurrencyFigure;
	perRequest: CurrencyFigure;
	perMillionInputTokens: CurrencyFigure;
	perMillionOutputTokens: CurrencyFigure;
}

/** Dollars in another currency: USD / usdPerUnit, its ends too. */
export function inCurrency(dollars: Quantity, { code, usdPerUnit }: Currency): CurrencyFigure {
	const { value, low, high, unit, evidence, arithmetic } = dollars;
	const told = (amount: number) => amount / usdPerUnit;
	return {
		value: value === null ? null : told(value),
		...(low !== undefined && { low: told(low) }),
		...(high !== undefined && { high: told(high) }),
		unit: unit.replace("USD", code),
		evidence,
		arithmetic:
			value === null
				? arithmetic
				: `${usd(value)} / ${figure(usdPerUnit, 6)} USD per ${code} = ${money(told(value), code)}, in dollars: ${arithmetic}`,
	};
}

/** The money of a load in a currency. */
export const costInCurrency = (cost: Plan["cost"], currency: Currency): CurrencyCost => ({
	perMonth: inCurrency(cost.usdPerMonth, currency),
	perRequest: inCurrency(cost.usdPerRequest, currency),
	perMillionInputTokens: inCurrency(cost.usdPerMillionInputTokens, currency),
	perMillionOutputTokens: inCurrency(cost.usdPerMillionOutputTokens, currency),
});
