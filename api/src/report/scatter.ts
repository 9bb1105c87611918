import { xmlText } from "./ooxml.ts";

/** Points of one name, as references to cells with what stands there now. */
export interface ScatterSeries {
	name: string;
	/** "'Loads'!$F$2:$F$9" */
	x: { reference: string; values: readonly (number | null)[] };
	y: { reference: string; values: readonly (number | null)[] };
	/** Six hexadecimal digits. */
	colour: string;
}

/**
 * A scatter chart of SpreadsheetML with logarithmic axes.
 * @source ECMA-376, DrawingML charts
 */
export function scatterXml(
	title: string,
	axes: { x: string; y: string },
	series: readonly ScatterSeries[],
): string {
	const text = (words: string, size: number, bold: boolean) =>
		`<c:tx><c:rich><a:bodyPr/><a:p><a:pPr><a:defRPr sz="${size}" b="${bold ? 1 : 0}"/></a:pPr><a:r><a:rPr lang="en" sz="${size}" b="${bold ? 1 : 0}"/><a:t>${xmlText(words)}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/>`;
	const numbers = ({ reference, values }: ScatterSeries["x"]) => {
		const points = values.flatMap((value, i) =>
			value === null ? [] : [`<c:pt idx="${i}"><c:v>${value}</c:v></c:pt>`],
		);
		return `<c:numRef><c:f>${xmlText(reference)}</c:f><c:numCache><c:formatCode>General</c:formatCode><c:ptCount val="${values.length}"/>${points.join("")}</c:numCache></c:numRef>`;
	};
	const drawn = series.map(({ name, x, y, colour }, i) => {
		const fill = `<a:solidFill><a:srgbClr val="${colour}"/></a:solidFill>`;
		return `<c:ser><c:idx val="${i}"/><c:order val="${i}"/><c:tx><c:v>${xmlText(name)}</c:v></c:tx><c:spPr><a:ln w="19050">${fill}</a:ln></c:spPr><c:marker><c:symbol val="circle"/><c:size val="7"/><c:spPr>${fill}</c:spPr></c:marker><c:xVal>${numbers(x)}</c:xVal><c:yVal>${numbers(y)}</c:yVal><c:smooth val="0"/></c:ser>`;
	});
	const axis = (id: number, other: number, position: "b" | "l", words: string) =>
		`<c:valAx><c:axId val="${id}"/><c:scaling><c:logBase val="10"/><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="${position}"/><c:majorGridlines/><c:title>${text(words, 900, false)}</c:title><c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="out"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/><c:crossAx val="${other}"/><c:crosses val="min"/></c:valAx>`;
	return `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><c:roundedCorners val="0"/><c:chart><c:title>${text(title, 1200, true)}</c:title><c:autoTitleDeleted val="0"/><c:plotArea><c:layout/><c:scatterChart><c:scatterStyle val="lineMarker"/><c:varyColors val="0"/>${drawn.join("")}<c:axId val="1"/><c:axId val="2"/></c:scatterChart>${axis(1, 2, "b", axes.x)}${axis(2, 1, "l", axes.y)}</c:plotArea>${series.length > 1 ? '<c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend>' : ""}<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart></c:chartSpace>`;
}
