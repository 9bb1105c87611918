import { loadWords, money, type Report, type ReportLoad, seconds } from "../model/index.ts";
import { INK, type Paper } from "./sheet-of-paper.ts";
import { moneyOf, type TableFigure } from "./tables.ts";

const HEIGHT = 214;
const GAP = 22;
const AXIS = { left: 44, bottom: 34, top: 16 };
const TICK_ROOM = { x: 38, y: 14 };
const HUES = ["#0b5c7a", "#7a5200", "#5f4596", "#1c6b42"];

interface Dot {
	x: TableFigure;
	y: TableFigure;
	load: ReportLoad;
	onFront: boolean;
}

/** Cost of a request against both times, as two drawings side by side. false: nothing to draw. */
export function drawFrontier(paper: Paper, { subjects, currency: { code } }: Report): boolean {
	const names = subjects.map(({ name }) => name);
	const panels = (["ttft", "tpot"] as const).map((time) => ({
		names,
		code,
		label: time === "ttft" ? "Time to first token, mean" : "Time per output token, mean",
		series: subjects.map(({ loads }) =>
			loads
				.map(
					(load): Dot => ({
						x: load[time],
						y: moneyOf(load, "perRequest"),
						load,
						onFront: load.frontier[time],
					}),
				)
				.filter(({ x, y }) => (x.value ?? 0) > 0 && (y.value ?? 0) > 0),
		),
	}));
	if (panels.some(({ series }) => series.every((dots) => dots.length === 0))) return false;
	const width = (paper.width - GAP) / 2;
	paper.draw(HEIGHT, (left, top) => {
		for (const [i, panel] of panels.entries())
			drawPanel(paper.doc, left + i * (width + GAP), top, width, panel);
	});
	return true;
}

function drawPanel(
	doc: PDFKit.PDFDocument,
	left: number,
	top: number,
	width: number,
	{ label, series, names, code }: { label: string; series: Dot[][]; names: string[]; code: string },
): void {
	const dots = series.flat();
	const area = {
		left: left + AXIS.left,
		right: left + width - 8,
		top: top + AXIS.top,
		bottom: top + HEIGHT - AXIS.bottom,
	};
	const x = logScale(extent(dots.map((dot) => dot.x)), area.left, area.right, TICK_ROOM.x);
	const y = logScale(extent(dots.map((dot) => dot.y)), area.bottom, area.top, TICK_ROOM.y);
	doc.font("regular").fontSize(6.8).fillColor(INK.soft);
	doc.text(`${code} per request`, left, top, { width, lineBreak: false });
	doc.lineWidth(0.4).strokeColor(INK.line);
	for (const tick of y.ticks) {
		doc.moveTo(area.left, y.at(tick)).lineTo(area.right, y.at(tick)).stroke();
		doc.text(money(tick, code), left, y.at(tick) - 4, {
			width: AXIS.left - 5,
			align: "right",
			lineBreak: false,
		});
	}
	for (const tick of x.ticks) {
		doc.moveTo(x.at(tick), area.top).lineTo(x.at(tick), area.bottom).stroke();
		doc.text(seconds(tick), x.at(tick) - 25, area.bottom + 5, {
			width: 50,
			align: "center",
			lineBreak: false,
		});
	}
	doc.text(label, area.left, area.bottom + 17, {
		width: area.right - area.left,
		align: "center",
		lineBreak: false,
	});
	doc
		.rect(area.left, area.top, area.right - area.left, area.bottom - area.top)
		.strokeColor(INK.strong)
		.stroke();
	for (const [i, own] of series.entries()) {
		const name = series.length > 1 ? `${names[i] ?? ""}: ` : "";
		drawSeries(doc, own, { hue: HUES[i] ?? INK.text, name }, x.at, y.at, area);
	}
}

function drawSeries(
	doc: PDFKit.PDFDocument,
	dots: readonly Dot[],
	{ hue, name }: { hue: string; name: string },
	x: (value: number) => number,
	y: (value: number) => number,
	area: { right: number },
): void {
	const place = ({ x: time, y: cost }: Dot) => [x(time.value ?? 1), y(cost.value ?? 1)] as const;
	doc.strokeColor(hue).lineWidth(0.6).strokeOpacity(0.45);
	for (const dot of dots) {
		const [px, py] = place(dot);
		const { x: time, y: cost } = dot;
		if (time.low !== undefined && time.high !== undefined)
			doc.moveTo(x(time.low), py).lineTo(x(time.high), py).stroke();
		if (cost.low !== undefined && cost.high !== undefined)
			doc.moveTo(px, y(cost.low)).lineTo(px, y(cost.high)).stroke();
	}
	doc.strokeOpacity(1).lineWidth(1.1);
	for (const [i, dot] of dots.entries()) doc[i === 0 ? "moveTo" : "lineTo"](...place(dot));
	if (dots.length > 1) doc.stroke();
	for (const dot of dots) {
		const [px, py] = place(dot);
		doc
			.circle(px, py, 2.6)
			.lineWidth(1.1)
			.fillAndStroke(dot.onFront ? hue : "#ffffff", hue);
		if (dot.load.asked) doc.circle(px, py, 5).lineWidth(0.9).strokeColor(INK.text).stroke();
	}
	const asked = dots.find((dot) => dot.load.asked);
	const named = dots.filter(
		(dot, i) => dot === asked || (i === 0 && (!asked || apart(place(dot), place(asked)) > NAME_SPACE)),
	);
	doc.font("regular").fontSize(6.5).fillColor(hue);
	for (const dot of named) {
		const [px, py] = place(dot);
		const words = name + loadWords(dot.load);
		const wide = doc.widthOfString(words);
		doc.text(words, px + 6 + wide > area.right ? px - 6 - wide : px + 6, py - 9, { lineBreak: false });
	}
}

/** Points that the name of a load takes. */
const NAME_SPACE = 30;

const apart = ([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number]): number =>
	Math.hypot(ax - bx, ay - by);

/** Smallest and largest value of some quantities, their intervals included. */
function extent(quantities: readonly TableFigure[]): [number, number] {
	const all = quantities.flatMap(({ value, low, high }) => [value, low, high]);
	const known = all.filter(
		(one): one is number => typeof one === "number" && Number.isFinite(one) && one > 0,
	);
	return [Math.min(...known), Math.max(...known)];
}

/** Ticks within a power of ten, the coarsest first that give three of them. */
const STEPS = [
	[1],
	[1, 3],
	[1, 2, 5],
	[1, 1.5, 2, 3, 5, 7],
	[1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9],
];

/** A logarithmic axis. @param room points that the name of a tick takes along it */
function logScale([least, most]: [number, number], from: number, to: number, room: number) {
	const [low, high] = [least / 1.25, most * 1.25];
	const span = Math.log(high / low);
	const at = (value: number) => from + ((to - from) * Math.log(value / low)) / span;
	const decades = Array.from(
		{ length: Math.ceil(Math.log10(high)) - Math.floor(Math.log10(low)) + 1 },
		(_, i) => Math.floor(Math.log10(low)) + i,
	);
	const inside = (steps: readonly number[]) =>
		decades
			.flatMap((power) => steps.map((step) => Number(`${step}e${power}`)))
			.filter((tick) => tick >= low && tick <= high);
	const wished = STEPS.map(inside).find(({ length }) => length >= 3) ?? inside(STEPS.at(-1) ?? []);
	const ticks: number[] = [];
	for (const tick of wished) {
		const last = ticks.at(-1);
		if (last === undefined || Math.abs(at(tick) - at(last)) >= room) ticks.push(tick);
	}
	return { at, ticks };
}
