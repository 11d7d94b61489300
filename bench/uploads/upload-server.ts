// The server under measurement: node upload-server.ts <folder>. Prints its port; on SIGUSR2 its memory, and the peak of it and its file readers since the last signal.
import { readFileSync, readdirSync } from "node:fs";
import http from "node:http";
import { getRequestListener } from "@hono/node-server";
import { openUploads } from "../../apps/server/attachments/open-uploads.ts";

const silent = { info() {}, warn() {}, error() {} };
const uploads = await openUploads({ dataDir: process.argv[2] ?? "", logger: silent });
/** Each is of another member: one has two at a time. */
let posts = 0;
const answer = getRequestListener(async (request) => {
  posts += 1;
  const result = await uploads.receive(request, { fieldName: "attachment", memberId: `member ${posts}` });
  if (result.outcome === "refused") return new Response(result.problem);
  await result.discard();
  return new Response("taken");
});
const server = http.createServer({ keepAliveTimeout: 65_000 }, (request, response) => void answer(request, response));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" && address ? address.port : 0}\n`);
});

let max = 0;
let maxOfChildren = 0;
setInterval(() => {
  max = Math.max(max, process.memoryUsage.rss());
  maxOfChildren = Math.max(maxOfChildren, childrensMemory());
}, 20);
process.on("SIGUSR2", () => {
  process.stdout.write(`${JSON.stringify({ now: process.memoryUsage.rss(), max, maxOfChildren })}\n`);
  max = 0;
  maxOfChildren = 0;
});

function childrensMemory(): number {
  let sum = 0;
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const [, , , parent] = readFileSync(`/proc/${id}/stat`, "utf8")
        .replace(/\(.*\)/, "x")
        .split(" ");
      if (Number(parent) === process.pid) sum += Number(readFileSync(`/proc/${id}/statm`, "utf8").split(" ")[1]) * 4096;
    } catch {
      // It has exited in the meantime.
    }
  }
  return sum;
}
