export const TRANSPORTS = ["http", "browser", "mcp", "stdio"] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** Who says to be calling: labels for the log and the usage page, never a ground for a right. */
export interface Attribution {
	transport: Transport;
	/** Program, as it calls itself. */
	client: string;
	version: string | null;
}

const MOST_LETTERS = 40;
const clean = (text: string) =>
	text
		.replaceAll(/[^\w.+ @/-]/g, "")
		.trim()
		.slice(0, MOST_LETTERS);

/** A program's name and version as labels. */
export function labelled(transport: Transport, name: unknown, version: unknown): Attribution {
	const client = typeof name === "string" ? clean(name) : "";
	return {
		transport,
		client: client || "unknown",
		version: typeof version === "string" && clean(version) ? clean(version) : null,
	};
}

/**
 * What the headers of a request say of who sent it: `plimsoll-client: name/version` first, else the first product of the
 * User-Agent. Every browser is one program, and so is the dashboard where it asks in its place.
 */
export function attributionOf(headers: Headers): Attribution {
	const isPage = headers.has("sec-fetch-site");
	const own = headers.get("plimsoll-client");
	const said = own ?? headers.get("user-agent") ?? "";
	if (said === "dashboard") return { transport: "browser", client: "dashboard", version: null };
	if (isPage || said.startsWith("Mozilla/"))
		return { transport: "browser", client: "browser", version: null };
	const [, name = said, version] = (own ? /^([^/]+)(?:\/(\S+))?/ : /^([^/\s]+)(?:\/(\S+))?/).exec(said) ?? [];
	return labelled("http", name, version);
}
