import { createReadStream } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { router } from "./router.ts";

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Plimsoll API</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/api/docs/favicon-32x32.png">
</head>
<body>
<div id="api"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({ url: "/api/v1/openapi.json", dom_id: "#api", deepLinking: true, validatorUrl: null });\n`;

/** Files of the package that the page needs; no other is served. */
const FILES: Record<string, string> = {
	"swagger-ui.css": "text/css; charset=utf-8",
	"swagger-ui-bundle.js": "text/javascript; charset=utf-8",
	"favicon-32x32.png": "image/png",
};

/** Everything from this server; the page draws with style attributes and data: images. */
const POLICY =
	"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A page to read and try the API, without any network beyond this server. */
export function docsRoutes() {
	const folder = dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));
	const app = router();
	app.get("/docs", (c) => c.html(PAGE, 200, { "content-security-policy": POLICY }));
	app.get("/docs/start.js", (c) => c.body(START, 200, { "content-type": "text/javascript; charset=utf-8" }));
	app.get("/docs/:file", (c) => {
		const file = c.req.param("file");
		const type = FILES[file];
		if (!type) return c.notFound();
		const stream = Readable.toWeb(createReadStream(join(folder, file))) as ReadableStream;
		return c.body(stream, 200, { "content-type": type, "cache-control": "public, max-age=3600" });
	});
	return app;
}
