// A small server process for the kill test: node go-process.testing.ts <database url> <brand id> <member id>. Prints
// its port.
import { createClickRecorder } from "@farthing/core/clicks/click-recorder.server.ts";
import { openDatabase } from "@farthing/db/client.ts";
import { serve } from "@hono/node-server";
import { goAppForTests } from "./go.testing.ts";

const [url, brandId, memberId] = process.argv.slice(2) as [string, string, string];
const { db } = openDatabase({ url, max: 4 });
const app = goAppForTests({ db, clicks: createClickRecorder({ db }), brandId, memberId });
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => process.stdout.write(`${port}\n`));
