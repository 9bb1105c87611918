import { LineChart, ScatterChart } from "echarts/charts";
import { GridSimpleComponent, MarkAreaComponent, MarkLineComponent } from "echarts/components";
import { type EChartsType, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use([LineChart, ScatterChart, GridSimpleComponent, MarkAreaComponent, MarkLineComponent, SVGRenderer]);

/** Starts a chart in an element. SVG, so that colours can be the page's own variables and paper gets lines. */
export function startChart(element: HTMLElement): EChartsType {
	return init(element, null, { renderer: "svg" });
}
