import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { languageFor } from "./languages.ts";
import { russianNumerals } from "./numerals.ts";
import { translator } from "./translate.ts";

const into = (catalogue: Record<string, string>) =>
	translator(catalogue, { locale: "ru", numerals: russianNumerals });

describe("the numerals of Russian", () => {
	it.each([
		["16,384", "16\u00a0384"],
		["1,048,576", "1\u00a0048\u00a0576"],
		["0.861", "0,861"],
		["$2.40", "2,40\u00a0$"],
		["$12,300", "12\u00a0300\u00a0$"],
		["−1.5", "−1,5"],
		["99.9%", "99,9%"],
		["2.274e−5", "2,274e−5"],
		["from 1.5 to 2.5, not 3.", "from 1,5 to 2,5, not 3."],
		["2, 3 and 4", "2, 3 and 4"],
	])("%s is %s", (english, russian) => expect(russianNumerals(english)).toBe(russian));

	it.each(["Qwen2.5", "0.11.2", "llama-3.1", "b1 80fb11a", "2026-11-30", "v0.4.0", "arXiv/2411.01783"])(
		"%s is a name, a version or a day, and stays",
		(name) => expect(russianNumerals(name)).toBe(name),
	);

	it("keep the value of every figure", () => {
		fc.assert(
			fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (value) => {
				const english = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 }).format(value);
				const russian = new Intl.NumberFormat("ru", { maximumFractionDigits: 6, useGrouping: "always" });
				expect(russianNumerals(english)).toBe(russian.format(Number(english.replaceAll(",", ""))));
			}),
		);
	});
});

describe("a translator", () => {
	it("says whole sentences, with spaces around them as they were", () => {
		const translate = into({ Fits: "Помещается" });
		expect(translate("Fits")).toBe("Помещается");
		expect(translate("\n\tFits ")).toBe("\n\tПомещается ");
		expect(translate("fits not")).toBeNull();
	});

	it("puts what the holes hold where the translation wants it", () => {
		const translate = into({ "{#n} of {what}": "{what}: {n}", users: "пользователи" });
		expect(translate("1,024 of users")).toBe("пользователи: 1\u00a0024");
		expect(translate("1,024 of H100")).toBe("H100: 1\u00a0024");
	});

	it("translates nothing by half: an unknown word keeps the sentence English", () => {
		expect(into({ "{#n} of {what}": "{what}: {n}" })("1,024 of users")).toBeNull();
	});

	it("keeps what is to stay as it is", () => {
		expect(into({ "Delete {=run}": "Удалить: {run}" })("Delete my first run, 1,024 tokens")).toBe(
			"Удалить: my first run, 1,024 tokens",
		);
	});

	it("knows a phrase by its own words, whatever the user's word in it may mean", () => {
		const translate = into({
			"Tick {=run}": "Отметить: {run}",
			fits: "помещается",
			"{=a} by {=b}": "{a}, {b}",
		});
		expect(translate("Tick H100, fits")).toBe("Отметить: H100, fits");
		expect(translate("H100 by 8, fits")).toBe("H100, 8, помещается");
	});

	it.each([
		["1 user", "1 пользователь"],
		["2 users", "2 пользователя"],
		["5 users", "5 пользователей"],
		["11 users", "11 пользователей"],
		["21 users", "21 пользователь"],
		["1,002 users", "1\u00a0002 пользователя"],
		["1.5 users", "1,5 пользователя"],
	])("counts as Russian does: %s", (english, russian) => {
		const words = "{n} {n: пользователь | пользователя | пользователей}";
		expect(into({ "{#n} users": words, "{#n} user": words })(english)).toBe(russian);
	});

	it("takes the sentence that says more of two that match", () => {
		const translate = into({ "{a} of {b}": "общее", "{#n} of the limit": "{n} от предела" });
		expect(translate("5 of the limit")).toBe("5 от предела");
	});

	it("cuts what it does not know whole into parts that it knows", () => {
		const translate = into({ "It fits.": "Помещается.", "{#n} ms": "{n} мс", "first token": "первый токен" });
		expect(translate("It fits. 5 ms; first token: 6 ms")).toBe("Помещается. 5 мс; первый токен: 6 мс");
	});

	it("begins a sentence with a capital where it knows it without", () => {
		expect(into({ "not known": "неизвестно" })("Not known")).toBe("Неизвестно");
	});

	it("leaves names and figures alone", () => {
		const translate = into({});
		expect(translate("H100")).toBe("H100");
		expect(translate("2,048")).toBe("2\u00a0048");
	});

	it("refuses a translation that names what its sentence has not", () => {
		expect(() => into({ "{#n} ms": "{m} мс" })("5 ms")).toThrow(/names \{m\}/);
	});
});

describe("the language of an answer", () => {
	it.each([
		[undefined, null, "en"],
		[undefined, "ru-RU,ru;q=0.9,en;q=0.8", "ru"],
		[undefined, "de,ru;q=0.4,en;q=0.8", "en"],
		["en", "ru", "en"],
		["ru", "en", "ru"],
		["xx", "fr", "en"],
	])("chosen %s, accepted %s: %s", (chosen, accepted, language) =>
		expect(languageFor(chosen, accepted)).toBe(language),
	);
});
