import adapter from "@sveltejs/adapter-node";
import { sveltekit } from "@sveltejs/kit/vite";
import { defineConfig } from "vite";

/** Where `npm run dev` finds the API; in production both faces share one process and one port. */
const api = `http://127.0.0.1:${process.env.PORT ?? 8787}`;

export default defineConfig({
	plugins: [
		sveltekit({
			adapter: adapter({ out: "build" }),
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
	server: {
		proxy: Object.fromEntries(
			["^/api/(?!docs)", "/mcp", "/healthz", "/readyz", "/metrics"].map((path) => [path, { target: api }]),
		),
	},
});
