// A collector of OpenTelemetry in a process of its own: takes POST /v1/traces, answers GET / with all that it was
// sent, as text. PUT / with a status makes it answer that from then on. Prints its port.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

const sent: { headers: IncomingMessage["headers"]; body: unknown }[] = [];
let status = 200;

const server = createServer((request, response) => {
  void answer(request).then((body) => response.writeHead(status, { "content-type": "application/json" }).end(body));
});

async function answer(request: IncomingMessage): Promise<string> {
  if (request.method === "GET") {
    status = 200;
    return JSON.stringify(sent);
  }
  const body = await text(request);
  if (request.method === "PUT") status = Number(body);
  else if (request.url === "/v1/traces" && status === 200)
    sent.push({ headers: request.headers, body: JSON.parse(body) });
  return "{}";
}

server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
