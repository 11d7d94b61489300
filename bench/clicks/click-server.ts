// A server under measurement: node click-server.ts ours|raw <database url> <brand id> <member id>. Prints its port, and its memory when it ends.
import http from "node:http";
import { createClickRecorder } from "@farthing/core/clicks/click-recorder.server.ts";
import { openDatabase } from "@farthing/db/client.ts";
import { getRequestListener } from "@hono/node-server";
import { goAppForTests } from "../../apps/server/clicks/go.testing.ts";
import { createRawInserts } from "./raw-inserts.ts";

const [kind, url, brandId, memberId] = process.argv.slice(2) as ["ours" | "raw", string, string, string];
const { db, pool } = openDatabase({ url, max: 4 });

function listener(): http.RequestListener {
  if (kind === "ours") {
    const answer = getRequestListener(
      goAppForTests({ db, clicks: createClickRecorder({ db }), brandId, memberId }).fetch,
    );
    return (request, response) => void answer(request, response);
  }
  const inserts = createRawInserts(pool);
  return (_, response) => {
    void inserts.insert().then((id) => {
      response.writeHead(302, {
        location: `https://network.test/cread.php?clickref=${id}`,
        "cache-control": "no-store",
      });
      response.end();
    });
  };
}

const server = http.createServer(listener());
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" && address ? address.port : 0}\n`);
});
process.on("SIGTERM", () => {
  process.stdout.write(`${Math.round(process.resourceUsage().maxRSS / 1024)}\n`);
  process.exit(0);
});
