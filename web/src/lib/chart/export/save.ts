/** How long a browser may take to begin reading a file that it was given, milliseconds. */
const READ_WITHIN_MS = 60_000;

/** Hands a file to the reader, as a download. */
export function save(file: Blob, name: string): void {
	const address = URL.createObjectURL(file);
	const link = document.createElement("a");
	link.href = address;
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(address), READ_WITHIN_MS);
}
