/** Copies plain text; falls back to the selection where the page is not in a secure context. */
export async function copyText(text: string): Promise<boolean> {
	if (navigator.clipboard) {
		try {
			await navigator.clipboard.writeText(text);
			return true;
		} catch {
			// Permission refused: the selection below needs none.
		}
	}
	const area = document.createElement("textarea");
	area.value = text;
	area.style.position = "fixed";
	document.body.append(area);
	area.select();
	const copied = document.execCommand("copy");
	area.remove();
	return copied;
}
