interface Listed {
	readonly items: readonly { readonly id: string }[];
}

/** Questions whose answers show what else pages can say: refusals, limits, warnings, empty lists. */
const QUESTIONS = [
	...[
		"/?context=abc",
		"/?foo=bar",
		"/?context=128000",
		"/?rate=2",
		"/?rate=100",
		"/?context=200&concurrency=500",
	],
	"/?context=32000&concurrency=64&kv=fp8",
	"/?model=llama-3.1-8b&gpu=h100-sxm-80gb&engine=vllm&context=16000&concurrency=8",
	"/?model=deepseek-v3&gpu=h200-sxm&gpus=8&context=64000",
	"/?model=llama-3.1-70b&gpu=rtx-4090&gpus=1",
	"/?model=llama-3.1-8b&gpu=rtx-4090&engine=llama.cpp&context=8000",
	...["/window?context=200000", "/window?foo=1", "/load?rate=4"],
	...["/fleet?measured=true&check=0", "/fleet?rate=3&context=2000&output=300&growth=0.05", "/fleet?rate=abc"],
	...["/fleet?users=40&measured=true&check=0", "/economics?rate=3", "/economics?model=llama-3.1-8b"],
	...[
		"/measurements?q=zzzz",
		"/configurations?q=zzzz",
		"/models?q=zzzz",
		"/prices?q=zzzz",
		"/scenarios?compare=none",
	],
];

const PAGES = [
	...[
		"/",
		"/load",
		"/window",
		"/tools",
		"/fleet",
		"/scenarios",
		"/trap",
		"/economics",
		"/prices",
		"/prices/new",
	],
	...[
		"/bill",
		"/measurements",
		"/configurations",
		"/compare",
		"/models",
		"/accuracy",
		"/usage",
		"/design",
		"/nowhere",
	],
];

/** Addresses at which a Plimsoll with its examples shows all it can say; `each` bounds how many of each list. */
export async function pagesToRead(url: string, each = 40): Promise<string[]> {
	const ids = async (list: string) => {
		const response = await fetch(`${url}/api/v1/${list}?limit=${each}`);
		return ((await response.json()) as Listed).items.map(({ id }) => id);
	};
	const [configurations, runs, prices, models] = await Promise.all(
		["configurations", "runs", "prices", "models"].map(ids),
	);
	const [first, , , fourth] = configurations ?? [];
	const plans = [first, fourth].map((id) => `plan=${encodeURIComponent(`configuration=${id}`)}`).join("&");
	return [
		...PAGES,
		...QUESTIONS,
		...(configurations ?? []).flatMap((id) => [
			`/configurations/${id}`,
			`/?configuration=${id}`,
			`/?configuration=${id}&context=64000&concurrency=16`,
			...["trap", "window", "load"].map((page) => `/${page}?configuration=${id}`),
		]),
		`/compare?configuration=${first}`,
		`/compare?configuration=${first}&configuration=${fourth}`,
		"/compare/plans",
		`/compare/plans?${plans}`,
		`/compare/plans?${plans}&plan=foo%3D1&scenario=0`,
		...(runs ?? []).map((id) => `/measurements/${id}`),
		...(prices ?? []).slice(0, 6).map((id) => `/prices/${id}`),
		...(models ?? []).slice(0, 6).map((id) => `/models/${id}`),
	];
}
