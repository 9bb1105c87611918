import adapter from "@sveltejs/adapter-node";
import { sveltekit } from "@sveltejs/kit/vite";
import { defineConfig } from "vite";

/** Where `npm run dev` finds the API; in production both faces share one process and one port. */
const api = `http://127.0.0.1:${process.env.PORT ?? 8787}`;

/**
 * Small files that nearly every page shows something of: as one file of them the first page has 7 kB less to fetch than with
 * the bundler's own choice, and answers input two seconds earlier on a slow line.
 */
const COMMON = new RegExp(
	[
		String.raw`web/src/lib/(api|amount|format|tokens|language/numerals|records/verdict-word)\b`,
		"web/src/lib/late/",
		String.raw`web/src/lib/design/(Button|Card|EvidenceMark|Field|Notice|Segmented|Slider|SliderField|clipboard|evidence-words|field|toasts)\b`,
		String.raw`api/src/model/(answer/blank|memory/kv-type|trust/(claim|interval|quantity|statement))\b`,
	].join("|"),
);

export default defineConfig({
	plugins: [
		sveltekit({
			adapter: adapter({ out: "build" }),
			// The answer is painted from the page alone, without a second way to the server for what it looks like.
			inlineStyleThreshold: 64_000,
			csp: {
				mode: "nonce",
				directives: {
					"default-src": ["self"],
					"script-src": ["self"],
					"style-src": ["self"],
					// Bar widths and chart tooltips are style attributes.
					"style-src-attr": ["unsafe-inline"],
					"img-src": ["self", "data:", "blob:"],
					"font-src": ["self"],
					"connect-src": ["self"],
					"object-src": ["none"],
					"base-uri": ["self"],
					"form-action": ["self"],
					"frame-ancestors": ["none"],
				},
			},
		}),
	],
	environments: {
		client: {
			build: {
				rolldownOptions: {
					output: {
						codeSplitting: {
							groups: [{ name: "common", test: COMMON, minShareCount: 3 }],
						},
					},
				},
			},
		},
	},
	server: {
		proxy: Object.fromEntries(
			["^/api/(?!docs)", "/mcp", "/healthz", "/readyz", "/metrics"].map((path) => [path, { target: api }]),
		),
	},
});
