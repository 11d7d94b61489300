import { subscribe } from "node:diagnostics_channel";
import { ClientRequest } from "node:http";

let isWatching = false;

/**
 * Ends each request of Node's HTTP client with an error when the server switches to another protocol (101), which no client of ours asks for. Node would
 * close the connection and tell nobody, and a client that hears only of responses and errors, as Stripe's, ClickHouse's and OpenTelemetry's do, would wait for
 * ever. Holds for the process from the first call on. `fetch` does the same by itself.
 */
export function refuseOtherProtocols(): void {
  if (isWatching) return;
  isWatching = true;
  subscribe("http.client.request.created", (message) => {
    const request = typeof message === "object" && message !== null && "request" in message ? message.request : null;
    if (!(request instanceof ClientRequest)) return;
    request.once("upgrade", (_response, socket) => {
      if (request.listenerCount("upgrade") > 0) return; // somebody asked for it
      socket.destroy();
      request.emit("error", new Error("The server switched to another protocol, which nobody asked for."));
    });
  });
}
