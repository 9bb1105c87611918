declare module "mistral-tokenizer-js" {
	const tokenizer: {
		/** @param addBos the mark of a beginning @param addPrecedingSpace a blank before the text */
		encode(text: string, addBos?: boolean, addPrecedingSpace?: boolean): number[];
	};
	// biome-ignore lint/style/noDefaultExport: it is described as its package is
	export default tokenizer;
}
