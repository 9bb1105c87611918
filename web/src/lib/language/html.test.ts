import { describe, expect, it } from "vitest";
import { translateHtml } from "./html.ts";
import { translator } from "./translate.ts";

const shout = (text: string) => (/[a-z]/.test(text) ? text.toUpperCase() : null);

describe("a page translated as HTML", () => {
	it.each([
		["<p>one <b>two</b> three</p>", "<p>ONE <b>TWO</b> THREE</p>"],
		["<p>a &amp; b &lt; c</p>", "<p>A &#38; B &#60; C</p>"],
		[
			'<a title="say &quot;so&quot;" href="/x?a=1&amp;b=2">go</a>',
			'<a title="SAY &#34;SO&#34;" href="/x?a=1&amp;b=2">GO</a>',
		],
		["<p>one<br>two<!-- note -->three</p>", "<p>ONE<br>TWO<!-- note -->THREE</p>"],
		["<svg><path d='m'/><text>axis</text></svg>", "<svg><path d='m'/><text>AXIS</text></svg>"],
		["<i title=plan>b</i><i title='x'>b</i>", `<i title="PLAN">B</i><i title="X">B</i>`],
		["<input placeholder=plan value=kept>", '<input placeholder="PLAN" value=kept>'],
	])("%s", (html, expected) => expect(translateHtml(html, shout)).toBe(expected));

	it("writes the figures of fields that send nothing, and no others", () => {
		const comma = (text: string) => text.replace(".", ",");
		const field =
			'<input type="text" value="0.5"><input name="price" value="0.5"><button value="0.5">x</button>';
		expect(translateHtml(field, comma)).toBe(field.replace("0.5", "0,5"));
	});

	it.each([
		"<code>npm start</code>",
		"<script>const a = 'b<c';</script>",
		'<p translate="no">my run <b>in it</b></p>',
		'<button aria-label="my run" translate="no">my run</button>',
		"<p>12</p>",
	])("%s stays as it is", (html) => expect(translateHtml(html, shout)).toBe(html));

	it("writes a word in the form of the figure before it", () => {
		const translate = translator(
			{ "{#n} users": "{n}\u00a0{n: пользователь | пользователя | пользователей}", users: "пользователей" },
			{ locale: "ru", numerals: (text) => text.replace(",", "\u00a0") },
		);
		const said = (count: string) =>
			translateHtml(`<b>${count}</b> <i data-count="${count}">users</i> <i>users</i>`, translate);
		expect(said("2")).toBe('<b>2</b> <i data-count="2">пользователя</i> <i>пользователей</i>');
		expect(said("1,021")).toContain('<i data-count="1,021">пользователь</i>');
	});

	it("goes on after what is kept", () => {
		expect(translateHtml('<p translate="no">a<br>b</p><i>c</i>', shout)).toBe(
			'<p translate="no">a<br>b</p><i>C</i>',
		);
	});
});
