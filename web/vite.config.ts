import adapter from "@sveltejs/adapter-node";
import { sveltekit } from "@sveltejs/kit/vite";
import { defineConfig } from "vite";

/** Where `npm run dev` finds the API; in production both faces share one process and one port. */
const api = `http://127.0.0.1:${process.env.PORT ?? 8787}`;

/** Small files that nearly every page shows something of: one file of them is quicker to fetch than twenty. */
const COMMON =
	/web\/src\/(lib\/(api|amount|tokens|format|language\/numerals|late\/.*|design\/(Button|Card|Field|Notice|EvidenceMark|evidence-words|Slider|SliderField|Segmented|clipboard|toasts.svelte|field).*|records\/verdict-word).*)$|api\/src\/model\/(units|trust\/(quantity|claim|statement|interval)|answer\/(blank|defaults|facts)|memory\/(kv-type))\.ts$/;

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
