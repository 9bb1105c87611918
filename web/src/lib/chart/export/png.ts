import type { Picture } from "./svg.ts";

/** Pixels of the file for each of the drawing. */
const SHARPNESS = 2;

/** A drawing as a PNG. @throws Error where the browser cannot draw it */
export async function pngOf({ text, width, height }: Picture): Promise<Blob> {
	const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
	try {
		const image = new Image();
		image.src = address;
		await image.decode();
		const canvas = document.createElement("canvas");
		canvas.width = width * SHARPNESS;
		canvas.height = height * SHARPNESS;
		canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
		return await new Promise((written, fail) =>
			canvas.toBlob((file) => (file ? written(file) : fail(new Error("no PNG was written"))), "image/png"),
		);
	} finally {
		URL.revokeObjectURL(address);
	}
}
