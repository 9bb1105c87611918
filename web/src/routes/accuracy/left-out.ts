/** What the laws do not know, in plain words. */
export const LEFT_OUT: readonly { what: string; why: string }[] = [
	{
		what: "Steps of the hardware",
		why: "Matrix kernels jump at tile edges, by up to 45% from 128 to 129 tokens. The law is smooth; between measured lengths it bends to the points, beyond them it cannot know the next step.",
	},
	{
		what: "Another engine, driver or clock",
		why: "A curve holds for the build, the flags and the power limit it was measured with. A new version is a new configuration; what carries over to it is an estimate and says so.",
	},
	{
		what: "Bursts",
		why: "Under load, means come from a law of steady traffic. How long the unluckiest wait in a burst is only known where clients measured it, or where the load is simulated.",
	},
	{
		what: "The last stretch before saturation",
		why: "Where requests arrive about as fast as they are served, a few per cent of speed decide between seconds and minutes of waiting. Times to the first token are least sure there.",
	},
	{
		what: "Which experts a prompt wakes",
		why: "A mixture of experts is taken at its average. Texts that all wake the same experts run differently.",
	},
	{
		what: "Everything outside the engine",
		why: "Network, gateways and tokenisers count only where a client measured them; a benchmark of the bare engine does not see them.",
	},
	{
		what: "A hot, shared or throttled machine",
		why: "Repeated runs show the noise of a machine, not what it does next week. Differences below the noise floor are called not distinguishable.",
	},
];
