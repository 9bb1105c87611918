import { createRequire } from "node:module";
import PDFDocument from "pdfkit";

/** Colours of the printed page. */
export const INK = {
	text: "#14212e",
	soft: "#4b5966",
	line: "#d8dcd9",
	strong: "#7b8790",
	accent: "#0b5c7a",
	warn: "#855400",
	warnSoft: "#faedd3",
	sunken: "#f1f3f0",
};

const require = createRequire(import.meta.url);
/** Covers Latin, Cyrillic, Greek and the signs of formulas. */
const FONTS = {
	regular: require.resolve("@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf"),
	bold: require.resolve("@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf"),
};

/** A word longer than it is broken: the typesetter tries every place of an unbroken one, which takes minutes. */
const LONGEST_WORD = 60;
const LONG_WORD = new RegExp(`\\S{${LONGEST_WORD}}(?=\\S)`, "g");
/** Further letters of a text say nothing more to a reader of paper. */
const LONGEST_TEXT = 2000;

/** A text as it can be set: no word and no text without end. */
const settable = (text: string): string =>
	(text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)} …` : text).replaceAll(LONG_WORD, "$& ");

const MARGIN = 46;
const FOOTER = 30;
const [CELL_PADDING, CELL_GUTTER, CELL_SIZE] = [4, 9, 7.5];

/** A column of a printed table. */
export interface PaperColumn {
	heading: string;
	/** Share of the width, relative to the other columns. */
	width: number;
	align?: "left" | "right";
}

/** A document in the making: text flows down the page, and a new one begins where it is full. */
export class Paper {
	readonly doc: PDFKit.PDFDocument;
	readonly width: number;
	private readonly done: Promise<Uint8Array<ArrayBuffer>>;
	private readonly foot: string;

	constructor(title: string, foot: string, made: Date) {
		this.doc = new PDFDocument({
			size: "A4",
			bufferPages: true,
			lang: "en",
			displayTitle: true,
			margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN + FOOTER },
			info: { Title: title, Author: "Plimsoll", CreationDate: made },
		});
		this.foot = settable(foot);
		this.width = this.doc.page.width - 2 * MARGIN;
		const chunks: Buffer[] = [];
		this.done = new Promise((resolve, reject) => {
			this.doc.on("data", (chunk: Buffer) => chunks.push(chunk));
			this.doc.on("end", () => resolve(new Uint8Array(Buffer.concat(chunks))));
			this.doc.on("error", reject);
		});
		for (const [name, path] of Object.entries(FONTS)) this.doc.registerFont(name, path);
	}

	/** Begins a page where less than so many points are left. */
	keep(points: number): void {
		const { doc } = this;
		if (doc.y + points > doc.page.height - doc.page.margins.bottom) doc.addPage();
	}

	title(text: string): void {
		this.doc
			.font("bold")
			.fontSize(19)
			.fillColor(INK.text)
			.text(settable(text), MARGIN, this.doc.y, { width: this.width });
		this.doc.moveDown(0.3);
	}

	/** @param follows points that must fit below on the same page */
	heading(text: string, follows = 60): void {
		this.doc.moveDown(0.9);
		this.keep(follows + 20);
		this.doc
			.font("bold")
			.fontSize(12)
			.fillColor(INK.text)
			.text(settable(text), MARGIN, this.doc.y, { width: this.width });
		this.doc.moveDown(0.35);
	}

	say(text: string, look: { size?: number; colour?: string; bold?: boolean; link?: string } = {}): void {
		const { size = 9, colour = INK.text, bold = false, link } = look;
		this.doc
			.font(bold ? "bold" : "regular")
			.fontSize(size)
			.fillColor(colour)
			.text(settable(text), MARGIN, this.doc.y, {
				width: this.width,
				lineGap: 1.5,
				...(link ? { link } : {}),
			});
		this.doc.moveDown(0.35);
	}

	/** Sentences that must not be overlooked, in a box. */
	warn(title: string, sentences: readonly string[]): void {
		const { doc } = this;
		const [pad, inner] = [9, this.width - 18];
		const text = sentences.map((sentence) => `•  ${settable(sentence)}`);
		const height = () => {
			doc.font("bold").fontSize(9);
			const head = doc.heightOfString(title, { width: inner });
			doc.font("regular");
			return text.reduce(
				(sum, line) => sum + doc.heightOfString(line, { width: inner, lineGap: 1.5 }) + 2,
				head + 2,
			);
		};
		const tall = height() + 2 * pad;
		this.keep(tall);
		const top = doc.y;
		doc.rect(MARGIN, top, this.width, tall).fill(INK.warnSoft);
		doc.rect(MARGIN, top, 3, tall).fill(INK.warn);
		doc
			.font("bold")
			.fillColor(INK.warn)
			.text(title, MARGIN + pad, top + pad, { width: inner });
		doc.font("regular").fillColor(INK.text);
		for (const line of text) doc.text(line, MARGIN + pad, doc.y + 2, { width: inner, lineGap: 1.5 });
		doc.y = top + tall + 8;
		doc.x = MARGIN;
	}

	/** A few figures, large, side by side. */
	tiles(figures: readonly { label: string; value: string; under: string }[]): void {
		const { doc } = this;
		this.keep(56);
		const [top, gap] = [doc.y + 2, 8];
		const each = (this.width - gap * (figures.length - 1)) / figures.length;
		for (const [i, { label, value, under }] of figures.entries()) {
			const left = MARGIN + i * (each + gap);
			doc.rect(left, top, each, 52).fill(INK.sunken);
			const put = (text: string, y: number) =>
				doc.text(settable(text), left + 8, top + y, {
					width: each - 12,
					height: 16,
					ellipsis: true,
					lineBreak: false,
				});
			doc.font("regular").fontSize(7.4).fillColor(INK.soft);
			put(label, 6);
			doc.font("bold").fontSize(13).fillColor(INK.text);
			put(value, 17);
			doc.font("regular").fontSize(7).fillColor(INK.soft);
			put(under, 37);
		}
		doc.x = MARGIN;
		doc.y = top + 60;
	}

	/** A table whose headings stand again on every page. */
	table(
		columns: readonly PaperColumn[],
		rows: readonly (readonly string[])[],
		marked: (row: number) => boolean = () => false,
	): void {
		const { doc } = this;
		const total = columns.reduce((sum, { width }) => sum + width, 0);
		const widths = columns.map(({ width }) => (width / total) * this.width);
		const lefts = widths.map((_, i) => MARGIN + widths.slice(0, i).reduce((sum, width) => sum + width, 0));
		const options = (i: number) => ({
			width: (widths[i] ?? 0) - (i < columns.length - 1 ? CELL_GUTTER : 0),
			align: columns[i]?.align ?? ("left" as const),
			features: ["tnum" as const],
		});
		const heightOf = (cells: readonly string[]) =>
			Math.max(...cells.map((cell, i) => doc.heightOfString(cell || " ", options(i)))) + 2 * CELL_PADDING - 2;
		const draw = (cells: readonly string[], height: number) => {
			const top = doc.y;
			for (const [i, cell] of cells.entries())
				doc.text(cell, lefts[i] ?? MARGIN, top + CELL_PADDING - 1, options(i));
			doc.x = MARGIN;
			doc.y = top + height;
		};
		const rule = (colour: string, width: number) =>
			doc
				.moveTo(MARGIN, doc.y)
				.lineTo(MARGIN + this.width, doc.y)
				.lineWidth(width)
				.strokeColor(colour)
				.stroke();
		const headings = columns.map(({ heading }) => heading);
		const head = () => {
			doc
				.font("bold")
				.fontSize(CELL_SIZE - 0.4)
				.fillColor(INK.soft);
			const height = heightOf(headings);
			this.keep(height + 30);
			draw(headings, height);
			rule(INK.strong, 0.8);
		};
		head();
		for (const [i, row] of rows.entries()) {
			const cells = row.map(settable);
			doc
				.font(marked(i) ? "bold" : "regular")
				.fontSize(CELL_SIZE)
				.fillColor(INK.text);
			const height = heightOf(cells);
			if (doc.y + height > doc.page.height - doc.page.margins.bottom) {
				doc.addPage();
				head();
				doc
					.font(marked(i) ? "bold" : "regular")
					.fontSize(CELL_SIZE)
					.fillColor(INK.text);
			}
			draw(cells, height);
			rule(INK.line, 0.5);
		}
		doc.moveDown(0.4);
	}

	/** Room for a drawing, which is given its left and top corner. */
	draw(height: number, drawing: (left: number, top: number) => void): void {
		this.keep(height);
		const top = this.doc.y;
		drawing(MARGIN, top);
		this.doc.x = MARGIN;
		this.doc.y = top + height;
	}

	/** Numbers the pages and closes the document. */
	finish(): Promise<Uint8Array<ArrayBuffer>> {
		const { doc } = this;
		const { start, count } = doc.bufferedPageRange();
		for (let page = start; page < start + count; page++) {
			doc.switchToPage(page);
			const y = doc.page.height - MARGIN - 6;
			// Below the lower margin a text would begin a page.
			doc.page.margins.bottom = 0;
			doc.font("regular").fontSize(7.5).fillColor(INK.soft);
			const options = { width: this.width, lineBreak: false, height: 12, ellipsis: true };
			doc.text(this.foot, MARGIN, y, { ...options, width: this.width - 90 });
			doc.text(`Page ${page - start + 1} of ${count}`, MARGIN, y, { ...options, align: "right" });
		}
		doc.end();
		return this.done;
	}
}
