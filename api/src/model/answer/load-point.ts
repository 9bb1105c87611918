/** A length and a load to evaluate an outlook at. */
export interface LoadPoint {
	context: number;
	output: number;
	cached: number;
	concurrency: number | null;
	rate: number | null;
}
