/** USD per GPU-hour from one source on one day; low = high where the source gives one figure. */
export interface GpuPrice {
	id: string;
	gpuId: string;
	kind: "rental" | "owned" | "entered";
	usdPerGpuHourLow: number;
	usdPerGpuHourHigh: number;
	source: string;
	/** ISO day on which the source was read. */
	readOn: string;
}
