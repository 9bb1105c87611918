/** A page of the dashboard, as menus, search and help name it. */
export interface PageLink {
	href: string;
	label: string;
	/** What it answers, in a few words. */
	says: string;
	/** Typed after g, it goes there. */
	key?: string;
}

interface PageGroup {
	name: string;
	pages: PageLink[];
}

/** Every page, in the order of the question: what may I ask, what does it cost, how is it known. */
export const PAGE_GROUPS: readonly PageGroup[] = [
	{
		name: "Answers",
		pages: [
			{ href: "/", label: "Plan", says: "Users, time and cost of one setup", key: "p" },
			{ href: "/load", label: "Load", says: "Percentiles when many ask at once", key: "l" },
			{ href: "/fleet", label: "Fleet", says: "Which hardware meets a demand", key: "f" },
			{ href: "/window", label: "Window", says: "What fills a context window", key: "w" },
			{ href: "/tools", label: "Tools", says: "What lists of tools cost", key: "t" },
			{ href: "/compare/plans", label: "Plans", says: "Up to four plans side by side", key: "v" },
			{ href: "/trap", label: "Trap", says: "Where a longer context stops paying", key: "x" },
			{ href: "/scenarios", label: "Scenarios", says: "Kept questions, then and today", key: "s" },
		],
	},
	{
		name: "Money",
		pages: [
			{ href: "/economics", label: "Economics", says: "Rent, buy or pay an API", key: "e" },
			{ href: "/prices", label: "Prices", says: "The price book with its sources", key: "i" },
			{ href: "/bill", label: "Bill", says: "An invoice held against the plan", key: "b" },
		],
	},
	{
		name: "Evidence",
		pages: [
			{ href: "/measurements", label: "Measurements", says: "Files that were posted; post one", key: "m" },
			{
				href: "/configurations",
				label: "Configurations",
				says: "What was measured, with its laws",
				key: "c",
			},
			{ href: "/compare", label: "Compare", says: "Is A faster than B, or is it noise", key: "d" },
			{ href: "/models", label: "Models", says: "Layers, heads, bytes per token", key: "o" },
			{ href: "/claims", label: "Claims", says: "What others say, with sources", key: "k" },
			{ href: "/claims/lengths", label: "Effective lengths", says: "How far a context is of use", key: "n" },
			{ href: "/accuracy", label: "Record", says: "How well the planner has foreseen", key: "r" },
		],
	},
	{
		name: "More",
		pages: [
			{ href: "/api/docs", label: "API", says: "Every call, with examples", key: "a" },
			{ href: "/usage", label: "Usage", says: "Who asked what, and how large it was", key: "u" },
			{ href: "/design", label: "Design", says: "The parts of these pages, in all states" },
		],
	},
];

export const PAGES: readonly PageLink[] = PAGE_GROUPS.flatMap(({ pages }) => pages);

/** The page that an address belongs to: the one with the longest address that it begins with. */
export function pageAt(pathname: string): PageLink | undefined {
	const within = ({ href }: PageLink) =>
		pathname === href || (href !== "/" && pathname.startsWith(`${href}/`));
	return PAGES.filter(within).sort((a, b) => b.href.length - a.href.length)[0];
}

/** Routes that have no data on the server: their code is all that is fetched, and may fail to come. */
export const CODE_ONLY: readonly string[] = [
	"/(plan)",
	"/load",
	"/trap",
	"/bill",
	"/design",
	"/compare/plans",
];
