import type { EChartsType } from "echarts/core";
import type { Attachment } from "svelte/attachments";
import type { ChartOption } from "./option.ts";

/** What a chart tells its owner. */
interface ChartListener {
	/** The chart is drawn, redrawn, or has a new size. */
	ondraw?: (chart: EChartsType) => void;
	/** The library could not be loaded; the table still tells everything. */
	onfail?: () => void;
}

/** How far outside the window a chart is drawn already, so that scrolling meets it ready. */
const NEAR = "100px";

/** Watches whether an element is in or near the window, or about to be printed. Returns how to stop. */
function whenNear(element: HTMLElement, tell: (near: boolean) => void): () => void {
	const observer = new IntersectionObserver(
		(entries) => tell(entries.some((entry) => entry.isIntersecting)),
		{ rootMargin: NEAR },
	);
	observer.observe(element);
	const onprint = () => tell(true);
	addEventListener("beforeprint", onprint);
	return () => {
		observer.disconnect();
		removeEventListener("beforeprint", onprint);
	};
}

/**
 * Owns one chart from its first drawing to its end: it loads the library, draws, follows the option and the size
 * of its element, and disposes of the instance that is current when the element goes. A chart that nobody sees is
 * drawn when it comes near the window: a slider then moves only what is looked at.
 * @param option read again whenever it changes
 */
export function chart(
	option: () => ChartOption,
	{ ondraw, onfail }: ChartListener = {},
): Attachment<HTMLElement> {
	return (element) => {
		let instance: EChartsType | undefined;
		let gone = false;
		let near = false;
		let pending: ChartOption | null = null;
		const draw = (next: ChartOption) => {
			pending = next;
			if (!instance || !near) return;
			pending = null;
			// Series that are gone are taken out; axes and their views are kept, which costs half as much.
			instance.setOption(next, { replaceMerge: ["series"] });
			ondraw?.(instance);
		};
		const resize = new ResizeObserver(() => {
			instance?.resize({ animation: { duration: 0 } });
			if (instance && !pending) ondraw?.(instance);
		});
		const stopWatching = whenNear(element, (is) => {
			near = is;
			if (pending) draw(pending);
		});
		import("./engine.ts").then(
			({ startChart }) => {
				if (gone) return;
				instance = startChart(element);
				resize.observe(element);
				draw(option());
			},
			() => !gone && onfail?.(),
		);
		$effect(() => draw(option()));
		return () => {
			gone = true;
			stopWatching();
			resize.disconnect();
			instance?.dispose();
			instance = undefined;
		};
	};
}
