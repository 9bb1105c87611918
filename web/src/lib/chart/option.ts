import type {
	ComposeOption,
	GridComponentOption,
	LineSeriesOption,
	MarkAreaComponentOption,
	MarkLineComponentOption,
	ScatterSeriesOption,
} from "echarts/types/dist/echarts";

/** One series of a chart. The value a reader is told is the last dimension of an item, see readings.ts. */
export type ChartSeries = LineSeriesOption | ScatterSeriesOption;

/** The part of ECharts' options that the charts here use: what engine.ts registers, and nothing else. */
export type ChartOption = ComposeOption<
	| GridComponentOption
	| MarkAreaComponentOption
	| MarkLineComponentOption
	| LineSeriesOption
	| ScatterSeriesOption
>;
