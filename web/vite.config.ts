import adapter from "@sveltejs/adapter-node";
import { sveltekit } from "@sveltejs/kit/vite";
import { defineConfig } from "vite";

/** Where `npm run dev` finds the API; in production both faces share one process and one port. */
const api = `http://127.0.0.1:${process.env.PORT ?? 8787}`;

const anyOf = (...sources: string[]) => new RegExp(sources.join("|"));

/**
 * Code as few files: a file of its own costs the reader a round trip, and six come at a time. As twelve instead of
 * thirty, the first page answers input 1.7 s earlier on a slow line, and compresses to less. A page that needs one
 * function of a file takes all of it: what only late parts use stays out, and lengths, memory and times are files of
 * their own, as some pages need one of them alone.
 */
const FILES = [
	{
		name: "framework",
		test: anyOf("node_modules/(svelte|@sveltejs|devalue|clsx|esm-env)/", "vite/preload-helper"),
		minShareCount: 8,
	},
	{
		name: "common",
		test: anyOf(
			String.raw`web/src/lib/(api|amount|format|tokens|pages|language/numerals|records/verdict-word)\b`,
			"web/src/lib/(late/|commands/(shortcuts|sheet)|requests/page-data)",
			String.raw`web/src/lib/design/(Button|Card|EvidenceMark|Field|LoadLine|Notice|Segmented|Slider|SliderField|clipboard|evidence-words|field|toasts)\b`,
			String.raw`web/src/routes/(\(plan\)/(load-facts|settled|subject)|compare/plans/(tray|wanted))\b`,
			String.raw`api/src/(scenario|model/(answer/(blank|solution|sources)|memory/(defaults|facts|kv-type)|money/price|trust/(claim|interval|quantity|statement)))\b`,
		),
		minShareCount: 2,
	},
	{ name: "memory", test: anyOf("api/src/model/memory/(?!config|gguf|model|recurrent)"), minShareCount: 2 },
	{ name: "time", test: anyOf("api/src/model/time/"), minShareCount: 2 },
	{
		name: "plan",
		test: anyOf(
			"api/src/model/money/(choice|cost)",
			String.raw`api/src/model/answer/(?!(context-limits|curves|lifts|load-result|searches|solve|trap)\b)`,
		),
		minShareCount: 2,
	},
];

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
							// The first that takes a module has it.
							groups: FILES.map((group, index) => ({ ...group, priority: FILES.length - index })),
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
