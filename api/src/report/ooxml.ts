import { strToU8, zipSync } from "fflate";

/** A cell of a workbook. A formula carries the value that it gives now: programs show it before they compute. */
export interface BookCell {
	value: string | number | null;
	formula?: string;
	style?: Style;
}

/** A sheet of a workbook; rows and columns count from 1 where they are named. */
export interface Sheet {
	name: string;
	/** Width of each column in characters. */
	widths: readonly number[];
	rows: readonly (readonly BookCell[])[];
	/** Long texts: the cell of a row's first column, spread over some columns. */
	spread?: readonly { row: number; columns: number }[];
	/** Rows and columns that stay in view. */
	frozen?: { rows: number; columns: number };
	/** Printed again on every page: rows on top, and so many columns on the left. */
	repeated?: { from: number; to: number; columns?: number };
	/** Pages side by side on which all columns fit; 1 where it is left out. */
	pagesWide?: number;
	/** Charts, one below the other. */
	charts?: readonly { xml: string; fromRow: number; toRow: number; toColumn: number }[];
}

/** A workbook: sheets, and names for cells such as "Assumptions!$C$5". */
export interface Book {
	title: string;
	/** ISO instant. */
	created: string;
	sheets: readonly Sheet[];
	names: readonly { name: string; refersTo: string }[];
}

/** Number formats and looks of cells. */
const STYLES = {
	text: {},
	wrapped: { wrap: true },
	title: { font: "title" },
	caution: { font: "warn", fill: "warn", wrap: true },
	head: { font: "bold", fill: "head", wrap: true, line: true },
	label: { font: "bold" },
	soft: { font: "soft", wrap: true },
	link: { font: "input" },
	count: { format: "#,##0" },
	number: { format: "[<10]0.000;#,##0.0" },
	seconds: { format: "[<0.1]0.0000;[<10]0.000;#,##0.0" },
	usd: { format: "[<0.01]0.000000;[<1]0.0000;#,##0.00" },
	share: { format: "0.0%" },
	date: { format: "yyyy-mm-dd" },
	rateInput: { format: "0.######", font: "input", fill: "input" },
	usdInput: { format: "#,##0.00##", font: "input", fill: "input" },
	shareInput: { format: "0.0%", font: "input", fill: "input" },
	countInput: { format: "#,##0", font: "input", fill: "input" },
} satisfies Record<string, Look>;
export type Style = keyof typeof STYLES;

interface Look {
	format?: string;
	font?: keyof typeof FONTS;
	fill?: keyof typeof FILLS;
	wrap?: boolean;
	line?: boolean;
}

const FONTS = {
	plain: '<sz val="10"/><color rgb="FF14212E"/>',
	bold: '<b/><sz val="10"/><color rgb="FF14212E"/>',
	title: '<b/><sz val="16"/><color rgb="FF14212E"/>',
	soft: '<sz val="9"/><color rgb="FF4B5966"/>',
	warn: '<b/><sz val="10"/><color rgb="FF855400"/>',
	input: '<sz val="10"/><color rgb="FF0B5C7A"/>',
};
const FILLS = { head: "FFECEEEB", warn: "FFFAEDD3", input: "FFDFEEF4" };

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPES = "application/vnd.openxmlformats-officedocument";

/** XML text: what XML cannot hold is left out. */
export const xmlText = (text: string): string =>
	text
		.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
		.replaceAll("&", "&amp;")
		.replaceAll("<", "&lt;")
		.replaceAll(">", "&gt;")
		.replaceAll('"', "&quot;");

/** Letters of a column, 1 for A. */
export function columnName(column: number): string {
	let name = "";
	for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
		name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
	return name;
}

/** A reference to a sheet as formulas write it. */
export const sheetReference = (name: string): string => `'${name.replaceAll("'", "''")}'`;

/**
 * A workbook as the bytes of an .xlsx file.
 * Written by hand: the one library that keeps formulas with their values has no charts and is no longer released.
 * @source ECMA-376, SpreadsheetML
 */
export function bookBytes(book: Book): Uint8Array<ArrayBuffer> {
	const charts = book.sheets.flatMap(({ charts = [] }) => charts);
	const drawings = book.sheets.filter(({ charts = [] }) => charts.length > 0);
	const parts: Record<string, string> = {
		"[Content_Types].xml": contentTypes(book.sheets.length, drawings.length, charts.length),
		"_rels/.rels": relations([
			["officeDocument", "xl/workbook.xml"],
			["extended-properties", "docProps/app.xml"],
			["core", "docProps/core.xml"],
		]),
		"docProps/app.xml": `${HEAD}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>Plimsoll</Application></Properties>`,
		"docProps/core.xml": `${HEAD}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${xmlText(book.title)}</dc:title><dc:creator>Plimsoll</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">${book.created}</dcterms:created></cp:coreProperties>`,
		"xl/workbook.xml": workbookXml(book),
		"xl/_rels/workbook.xml.rels": relations([
			...book.sheets.map((_, i): Relation => ["worksheet", `worksheets/sheet${i + 1}.xml`]),
			["styles", "styles.xml"],
		]),
		"xl/styles.xml": stylesXml(),
	};
	let chart = 0;
	for (const [i, sheet] of book.sheets.entries()) {
		parts[`xl/worksheets/sheet${i + 1}.xml`] = sheetXml(sheet);
		const drawing = drawings.indexOf(sheet) + 1;
		if (drawing === 0) continue;
		const own = (sheet.charts ?? []).map((one) => ({ ...one, number: ++chart }));
		parts[`xl/worksheets/_rels/sheet${i + 1}.xml.rels`] = relations([
			["drawing", `../drawings/drawing${drawing}.xml`],
		]);
		parts[`xl/drawings/drawing${drawing}.xml`] = drawingXml(own);
		parts[`xl/drawings/_rels/drawing${drawing}.xml.rels`] = relations(
			own.map(({ number }): Relation => ["chart", `../charts/chart${number}.xml`]),
		);
		for (const { number, xml } of own) parts[`xl/charts/chart${number}.xml`] = HEAD + xml;
	}
	const files = Object.entries(parts).map(([path, text]) => [path, strToU8(text)] as const);
	return zipSync(Object.fromEntries(files), { mtime: new Date(book.created) });
}

type Relation = [kind: string, target: string];

const relations = (list: readonly Relation[]): string =>
	`${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${list
		.map(([kind, target], i) => {
			const base =
				kind === "core" ? `${PACKAGE}/relationships/metadata/core-properties` : `${OFFICE}/${kind}`;
			return `<Relationship Id="rId${i + 1}" Type="${base}" Target="${target}"/>`;
		})
		.join("")}</Relationships>`;

function contentTypes(sheets: number, drawings: number, charts: number): string {
	const override = (path: string, type: string) => `<Override PartName="${path}" ContentType="${type}"/>`;
	const many = (count: number, path: (n: number) => string, type: string) =>
		Array.from({ length: count }, (_, i) => override(path(i + 1), type)).join("");
	return `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override("/xl/workbook.xml", `${TYPES}.spreadsheetml.sheet.main+xml`)}${many(sheets, (n) => `/xl/worksheets/sheet${n}.xml`, `${TYPES}.spreadsheetml.worksheet+xml`)}${many(drawings, (n) => `/xl/drawings/drawing${n}.xml`, `${TYPES}.drawing+xml`)}${many(charts, (n) => `/xl/charts/chart${n}.xml`, `${TYPES}.drawingml.chart+xml`)}${override("/xl/styles.xml", `${TYPES}.spreadsheetml.styles+xml`)}${override("/docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml")}${override("/docProps/app.xml", `${TYPES}.extended-properties+xml`)}</Types>`;
}

function workbookXml({ sheets, names }: Book): string {
	const titles = sheets.flatMap(({ name, repeated }, i) => {
		if (!repeated) return [];
		const { from, to, columns } = repeated;
		const left = columns ? `${sheetReference(name)}!$A:$${columnName(columns)},` : "";
		const refersTo = xmlText(`${left}${sheetReference(name)}!$${from}:$${to}`);
		return `<definedName name="_xlnm.Print_Titles" localSheetId="${i}">${refersTo}</definedName>`;
	});
	const named = names.map(
		({ name, refersTo }) => `<definedName name="${name}">${xmlText(refersTo)}</definedName>`,
	);
	const list = sheets.map(
		({ name }, i) => `<sheet name="${xmlText(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`,
	);
	return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>${list.join("")}</sheets><definedNames>${[...titles, ...named].join("")}</definedNames><calcPr calcId="191029" fullCalcOnLoad="1"/></workbook>`;
}

function stylesXml(): string {
	const looks: Look[] = Object.values(STYLES);
	const formats = [...new Set(looks.map(({ format }) => format).filter((format) => format !== undefined))];
	const fonts = Object.keys(FONTS);
	const fills = Object.keys(FILLS);
	// Numbers up to 163 are the program's own.
	const formatId = (format: string | undefined) => (format === undefined ? 0 : 164 + formats.indexOf(format));
	const cell = ({ format, font = "plain", fill, wrap, line }: Look) => {
		const filled = fill === undefined ? 0 : 2 + fills.indexOf(fill);
		const align = `<alignment vertical="top"${wrap ? ' wrapText="1"' : ""}/>`;
		return `<xf numFmtId="${formatId(format)}" fontId="${fonts.indexOf(font)}" fillId="${filled}" borderId="${line ? 1 : 0}" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1">${align}</xf>`;
	};
	const counted = (tag: string, items: readonly string[]) =>
		`<${tag} count="${items.length}">${items.join("")}</${tag}>`;
	const solid = Object.values(FILLS).map(
		(rgb) => `<fill><patternFill patternType="solid"><fgColor rgb="${rgb}"/></patternFill></fill>`,
	);
	return `${HEAD}<styleSheet xmlns="${MAIN}">${counted(
		"numFmts",
		formats.map((format) => `<numFmt numFmtId="${formatId(format)}" formatCode="${xmlText(format)}"/>`),
	)}${counted(
		"fonts",
		Object.values(FONTS).map((font) => `<font>${font}<name val="Calibri"/></font>`),
	)}${counted("fills", [
		'<fill><patternFill patternType="none"/></fill>',
		'<fill><patternFill patternType="gray125"/></fill>',
		...solid,
	])}${counted("borders", [
		"<border><left/><right/><top/><bottom/><diagonal/></border>",
		'<border><left/><right/><top/><bottom style="thin"><color rgb="FF7B8790"/></bottom><diagonal/></border>',
	])}<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>${counted("cellXfs", looks.map(cell))}<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
}

const styleIndex = (style: Style): number => Object.keys(STYLES).indexOf(style);

/** Points of a line of text, and how many of its letters fit into a unit of a column's width. */
const [LINE_POINTS, LETTERS_PER_WIDTH] = [13, 1.05];
const TITLE_POINTS = 24;

/**
 * Height of a row whose cells hold more than a line: programs do not all work it out when they open a file.
 * @param columns over which the text of the first cell is spread
 */
function heightOf(cells: readonly BookCell[], widths: readonly number[], columns: number): string {
	const linesOf = ({ value, style = "text" }: BookCell, i: number) => {
		const look: Look = STYLES[style];
		if (!look.wrap || typeof value !== "string") return 1;
		const width = widths.slice(i, i === 0 ? columns : i + 1).reduce((sum, one) => sum + one, 0);
		return Math.ceil(value.length / (width * LETTERS_PER_WIDTH));
	};
	const lines = Math.max(1, ...cells.map(linesOf));
	const points = cells[0]?.style === "title" ? TITLE_POINTS : lines * LINE_POINTS + 2;
	return ` ht="${points}" customHeight="1"`;
}

function sheetXml({ widths, rows, frozen, spread = [], charts = [], pagesWide = 1 }: Sheet): string {
	const pane = frozen
		? `<pane${frozen.columns ? ` xSplit="${frozen.columns}"` : ""}${frozen.rows ? ` ySplit="${frozen.rows}"` : ""} topLeftCell="${columnName(frozen.columns + 1)}${frozen.rows + 1}" activePane="${frozen.columns ? (frozen.rows ? "bottomRight" : "topRight") : "bottomLeft"}" state="frozen"/>`
		: "";
	const columns = widths.map(
		(width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`,
	);
	const merged = spread
		.filter(({ columns }) => columns > 1)
		.map(({ row, columns }) => `<mergeCell ref="A${row}:${columnName(columns)}${row}"/>`);
	const height = (cells: readonly BookCell[], row: number) =>
		heightOf(cells, widths, spread.find((one) => one.row === row)?.columns ?? 1);
	const body = rows.map(
		(cells, i) =>
			`<row r="${i + 1}"${height(cells, i + 1)}>${cells.map((cell, j) => cellXml(cell, `${columnName(j + 1)}${i + 1}`)).join("")}</row>`,
	);
	return `${HEAD}<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView showGridLines="0" workbookViewId="0">${pane}</sheetView></sheetViews><cols>${columns.join("")}</cols><sheetData>${body.join("")}</sheetData>${merged.length > 0 ? `<mergeCells count="${merged.length}">${merged.join("")}</mergeCells>` : ""}<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.7" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToWidth="${pagesWide}" fitToHeight="${charts.length > 0 ? 1 : 0}"/><headerFooter><oddFooter>&amp;L&amp;A&amp;RPage &amp;P of &amp;N</oddFooter></headerFooter>${charts.length > 0 ? '<drawing r:id="rId1"/>' : ""}</worksheet>`;
}

/** A text is a text and never a formula, however it begins; what is not known is an empty cell. */
function cellXml({ value, formula, style = "text" }: BookCell, at: string): string {
	const place = `r="${at}" s="${styleIndex(style)}"`;
	if (formula !== undefined) {
		const code = `<f>${xmlText(formula)}</f>`;
		return typeof value === "number"
			? `<c ${place}>${code}<v>${value}</v></c>`
			: `<c ${place} t="str">${code}<v>${xmlText(value ?? "")}</v></c>`;
	}
	if (typeof value === "number") return `<c ${place}><v>${value}</v></c>`;
	if (value === null || value === "") return `<c ${place}/>`;
	return `<c ${place} t="inlineStr"><is><t xml:space="preserve">${xmlText(value)}</t></is></c>`;
}

function drawingXml(
	charts: readonly { number: number; fromRow: number; toRow: number; toColumn: number }[],
): string {
	const anchors = charts.map(
		({ number, fromRow, toRow, toColumn }, i) =>
			`<xdr:twoCellAnchor><xdr:from><xdr:col>0</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${fromRow}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>${toColumn}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${toRow}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to><xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="${number + 1}" name="Chart ${number}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="rId${i + 1}"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor>`,
	);
	return `${HEAD}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${OFFICE}">${anchors.join("")}</xdr:wsDr>`;
}
