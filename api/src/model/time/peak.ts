/** A peak from a table, and what it is worth for dense work. */
export interface PeakReading {
	denseFlops: number;
	/** The table counts a matrix with two zeros in four: twice the dense rate. */
	sparse: boolean;
}

/**
 * Tells a sparse figure of a vendor's table from a dense one.
 * @param listedFlops the figure of the table
 * @param knownDenseFlops the dense peak of the catalog
 */
export function readPeak(listedFlops: number, knownDenseFlops: number): PeakReading {
	const sparse = listedFlops >= 1.8 * knownDenseFlops;
	return { denseFlops: sparse ? listedFlops / 2 : listedFlops, sparse };
}
