import type { EChartsType } from "echarts/core";
import type { Attachment } from "svelte/attachments";
import type { ChartOption } from "./option.ts";

/** What a chart tells its owner. */
interface ChartListener {
	/** The chart is drawn, or redrawn. */
	ondraw?: (chart: EChartsType) => void;
	/** The library could not be loaded; the table still tells everything. */
	onfail?: () => void;
}

/**
 * Owns one chart from its first drawing to its end: it loads the library, draws, follows the option and the size
 * of its element, and disposes of the instance that is current when the element goes.
 * @param option read again whenever it changes
 */
export function chart(
	option: () => ChartOption,
	{ ondraw, onfail }: ChartListener = {},
): Attachment<HTMLElement> {
	return (element) => {
		let instance: EChartsType | undefined;
		let gone = false;
		const draw = (next: ChartOption) => {
			instance?.setOption(next, { notMerge: true });
			if (instance) ondraw?.(instance);
		};
		import("./engine.ts").then(
			({ startChart }) => {
				if (gone) return;
				instance = startChart(element);
				draw(option());
			},
			() => !gone && onfail?.(),
		);
		$effect(() => draw(option()));
		const observer = new ResizeObserver(() => instance?.resize({ animation: { duration: 0 } }));
		observer.observe(element);
		return () => {
			gone = true;
			observer.disconnect();
			instance?.dispose();
			instance = undefined;
		};
	};
}
