/** Where the reader stands on a chart, and the words beside the mark. */
export interface ChosenPlace {
	x: number;
	/** null: the line alone is drawn. */
	y: number | null;
	text: string;
	/** Whether the curve rises to the right (the default): the words then keep clear of it. */
	rises?: boolean;
}
