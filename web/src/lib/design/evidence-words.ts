import type { Evidence } from "@plimsoll/api/model";

/** What each kind of evidence means, in the words of its mark. */
export const EVIDENCE_MEANING: Record<Evidence, string> = {
	arithmetic: "follows exactly from stated inputs",
	measured: "a stored measurement at this point",
	fitted: "from the fit, inside the measured range",
	extrapolated: "from the fit, outside the measured range",
	transferred: "from another configuration",
	estimated: "from the roofline of the hardware, not measured",
	published: "measured and published by others, not checked here",
	vendor: "from a price list or a datasheet",
	assumed: "a default that nobody confirmed",
};
