import type { ToolSeries } from "@plimsoll/api";
import { schemaWords } from "#lib/chart/options/tool-series.ts";
import { counted, format, formatCount } from "#lib/format.ts";

type Point = ToolSeries["points"][number];

const time = (seconds: number) => format(seconds, "seconds").text;

/**
 * What the grammar of the most tools takes, kind by kind, where the same request was measured without one and the prompt was
 * held in a cache both times: "mi-900: 96 tools take 270 ms …".
 */
export function grammarWords(points: readonly Point[]): string[] {
	const held = points.filter((point) => point.cached && !point.failed && point.seconds !== null);
	const schemas = [...new Set(held.map(({ schema }) => schema))];
	return schemas.flatMap((schema) => {
		const most = held
			.filter((point) => point.schema === schema && point.callable)
			.reduce<Point | null>((best, point) => (best && best.tools >= point.tools ? best : point), null);
		const bare = held.find(
			(point) => point.schema === schema && !point.callable && point.tools === most?.tools,
		);
		if (most?.seconds == null || bare?.seconds == null || most.seconds <= bare.seconds) return [];
		const more = most.seconds - bare.seconds;
		return [
			`${schemaWords(schema)}: ${counted(most.tools, "tool")} take ${time(most.seconds)}, without a grammar ${time(bare.seconds)}; ${time(more)} are the grammar's.`,
		];
	});
}

/** Where the server broke, kind by kind: "mi-2000: 35 requests with 1 to 96 tools failed after 8.4 ms to 220 ms: 400 …". */
export function failureWords(points: readonly Point[]): string[] {
	const failed = points.filter(({ failed: broke }) => broke);
	return [...new Set(failed.map(({ schema }) => schema))].map((schema) => {
		const alike = failed.filter((point) => point.schema === schema);
		const requests = alike.reduce((sum, { n }) => sum + n, 0);
		const [least, most] = [Math.min, Math.max].map((of) => of(...alike.map(({ tools }) => tools))) as [
			number,
			number,
		];
		const tools =
			least === most ? counted(most, "tool") : `${formatCount(least)} to ${counted(most, "tool")}`;
		return `${schemaWords(schema)}: ${counted(requests, "request")} with ${tools} failed${afterWords(alike)}: ${alike[0]?.reason ?? "the server did not say why"}.`;
	});
}

function afterWords(alike: readonly Point[]): string {
	const times = alike.flatMap(({ low, high }) => [low, high]).filter((seconds) => seconds !== null);
	if (times.length === 0) return "";
	const [shortest, longest] = [time(Math.min(...times)), time(Math.max(...times))];
	return shortest === longest ? ` after ${longest}` : ` after ${shortest} to ${longest}`;
}
