import { expect, test } from "vitest";
import { currencyQuery } from "./report-currency.ts";

const typed = { code: "", usdPerUnit: "", rateSource: "", rateReadOn: "" };

test.each([
	[{}, ""],
	[{ code: "usd", usdPerUnit: "1" }, ""],
	[{ code: "EUR" }, null],
	[{ code: "EU", usdPerUnit: "1.1" }, null],
	[{ code: "EUR", usdPerUnit: "0" }, null],
	[{ code: "EUR", usdPerUnit: "much" }, null],
	[{ code: " eur ", usdPerUnit: "1,1" }, "currency=EUR&usdPerUnit=1.1"],
	[
		{ code: "RUB", usdPerUnit: "0.0125", rateSource: "a bank", rateReadOn: "2026-11-27" },
		"currency=RUB&usdPerUnit=0.0125&rateSource=a+bank&rateReadOn=2026-11-27",
	],
])("%o is asked for as %s", (said, query) => {
	expect(currencyQuery({ ...typed, ...said })).toBe(query);
});
