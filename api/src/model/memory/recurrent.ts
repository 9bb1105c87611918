/** A layer of gated delta-net or another linear attention with a matrix state per value head. */
export interface DeltaState {
	kind: "gated-delta";
	keyHeads: number;
	valueHeads: number;
	keyDim: number;
	valueDim: number;
	convKernel: number;
	stateBytes: number;
	/** Tokens that speculative decoding drafts: each keeps one more row of the convolution. */
	draftTokens?: number;
	tp?: number;
}

/** A Mamba-2 layer. */
export interface MambaState {
	kind: "mamba2";
	heads: number;
	headDim: number;
	stateSize: number;
	groups: number;
	convKernel: number;
	stateBytes: number;
	draftTokens?: number;
	tp?: number;
}

/** A Mamba-1 layer; with a state of 0 a short convolution alone. */
export interface ChannelState {
	kind: "mamba1";
	channels: number;
	stateSize: number;
	convKernel: number;
	stateBytes: number;
	draftTokens?: number;
	tp?: number;
}

/** Bytes of one element of the convolution's window: it stays 16-bit whatever the state is kept in. */
const CONV_BYTES = 2;

/**
 * Fixed state of one sequence in one recurrent layer, on one rank.
 * convolution (kernel − 1 + draft)·width·2 + state heads·dim·dim·bytes, width and heads split over the ranks
 * @param state shape of the layer; `stateBytes` bytes per element of the state
 * @returns bytes
 * @source vLLM MambaStateShapeCalculator, gated_delta_net, mamba2 and mamba1 state shapes
 */
export function recurrentStateBytes(state: DeltaState | MambaState | ChannelState): number {
	const { tp = 1, draftTokens = 0, convKernel, stateBytes } = state;
	const rows = convKernel - 1 + draftTokens;
	const { width, cells } = shapeOf(state);
	return (rows * width * CONV_BYTES) / tp + (cells * stateBytes) / tp;
}

/** Channels of the convolution, and elements of the state. */
function shapeOf(state: DeltaState | MambaState | ChannelState): { width: number; cells: number } {
	switch (state.kind) {
		case "gated-delta":
			return {
				width: 2 * state.keyHeads * state.keyDim + state.valueHeads * state.valueDim,
				cells: state.valueHeads * state.keyDim * state.valueDim,
			};
		case "mamba2":
			return {
				width: state.heads * state.headDim + 2 * state.groups * state.stateSize,
				cells: state.heads * state.headDim * state.stateSize,
			};
		case "mamba1":
			return { width: state.channels, cells: state.channels * state.stateSize };
	}
}
