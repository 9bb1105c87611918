import type { ConfigurationFits } from "./curves.ts";
import { fitDecode } from "./decode.ts";
import type { DecodePoint, Point, PrefillPoint, ServePoint } from "./points.ts";
import { fitPrefill } from "./prefill.ts";
import { fitServe } from "./serve.ts";

/** Fits every phase of one configuration from its points. */
export function fitConfiguration(points: readonly Point[]): ConfigurationFits {
	return {
		prefill: fitPrefill(points.filter((p): p is PrefillPoint => p.phase === "prefill")),
		decode: fitDecode(points.filter((p): p is DecodePoint => p.phase === "decode")),
		serve: fitServe(points.filter((p): p is ServePoint => p.phase === "serve")),
	};
}
