import { LineChart, ScatterChart } from "echarts/charts";
import { GridSimpleComponent } from "echarts/components";
import { type EChartsType, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use([LineChart, ScatterChart, GridSimpleComponent, SVGRenderer]);

/** Starts a chart in an element. SVG, so that colours can be the page's own variables and paper gets lines. */
export function startChart(element: HTMLElement): EChartsType {
	return init(element, null, { renderer: "svg" });
}
