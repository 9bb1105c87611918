import type { ThemeName } from "./colours.ts";

export type ThemeChoice = "auto" | ThemeName;

const KEY = "plimsoll.theme";

function readChoice(): ThemeChoice {
	const stored = document.documentElement.dataset.theme;
	return stored === "light" || stored === "dark" ? stored : "auto";
}

function keep(choice: ThemeChoice): void {
	try {
		if (choice === "auto") localStorage.removeItem(KEY);
		else localStorage.setItem(KEY, choice);
	} catch {
		// Storage can be forbidden; the choice then lasts as long as the page.
	}
}

/** The reader's theme. `name` is what is shown now: charts redraw when it changes. */
class Theme {
	choice = $state<ThemeChoice>("auto");
	#systemDark = $state(false);

	get name(): ThemeName {
		if (this.choice !== "auto") return this.choice;
		return this.#systemDark ? "dark" : "light";
	}

	/** Starts following the system's setting; called once, in the browser. Returns how to stop. */
	follow(): () => void {
		this.choice = readChoice();
		const query = matchMedia("(prefers-color-scheme: dark)");
		const update = () => {
			this.#systemDark = query.matches;
		};
		update();
		query.addEventListener("change", update);
		return () => query.removeEventListener("change", update);
	}

	choose(choice: ThemeChoice): void {
		this.choice = choice;
		if (choice === "auto") delete document.documentElement.dataset.theme;
		else document.documentElement.dataset.theme = choice;
		keep(choice);
	}
}

export const theme = new Theme();
