import { countedWord } from "./counted-word.ts";
import { ATTRIBUTES, COUNT, KEPT, VERBATIM } from "./places.ts";
import type { Translate } from "./translate.ts";

const SKIPPED = [...VERBATIM, `[${KEPT.attribute}="${KEPT.value}"]`].join(",");

/**
 * Keeps a page in the language of a translator: whatever is written on it in English from now on is translated before
 * it is painted. The page itself goes on speaking English and knows nothing of it.
 */
export function keepTranslated(document: Document, translate: Translate): void {
	const isKept = (node: Node): boolean =>
		(node instanceof Element ? node : node.parentElement)?.closest(SKIPPED) != null;

	/** English words that go with a figure: it may change without them being written anew. */
	const counted = new WeakMap<Text, string>();

	function rewrite(node: Text, english = node.data): void {
		const count = node.parentElement?.getAttribute(COUNT);
		if (count != null) counted.set(node, english);
		const translated = count == null ? translate(english) : countedWord(translate, count, english);
		if (translated !== null && translated !== node.data) node.data = translated;
	}

	function recount(element: Element): void {
		for (const node of element.childNodes)
			if (node instanceof Text && counted.has(node)) rewrite(node, counted.get(node));
	}

	function rewriteAttribute(element: Element, name: string): void {
		const english = element.getAttribute(name);
		const translated = english === null ? null : translate(english);
		if (translated !== null && translated !== english) element.setAttribute(name, translated);
	}

	function rewriteTree(root: Node): void {
		if (root instanceof Text) rewrite(root);
		if (!(root instanceof Element)) return;
		const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
			node instanceof Element && node.matches(SKIPPED) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
		);
		for (let node: Node | null = root; node; node = walker.nextNode()) {
			if (node instanceof Text) rewrite(node);
			else for (const name of ATTRIBUTES) rewriteAttribute(node as Element, name);
		}
	}

	const observer = new MutationObserver((changes) => {
		for (const { type, target, attributeName, addedNodes } of changes) {
			if (isKept(target)) continue;
			if (type === "characterData") rewrite(target as Text);
			else if (attributeName === COUNT) recount(target as Element);
			else if (type === "attributes") rewriteAttribute(target as Element, attributeName as string);
			else for (const node of addedNodes) if (node.isConnected && !isKept(node)) rewriteTree(node);
		}
		// What was just written is no news: "2,861" must not be read as English again.
		observer.takeRecords();
	});
	observer.observe(document.documentElement, {
		subtree: true,
		childList: true,
		characterData: true,
		attributes: true,
		attributeFilter: [...ATTRIBUTES, COUNT],
	});
}
