import { createServer, type Server, type ServerOptions } from "node:http";
import { cutOffSlowPosts } from "../attachments/cut-off-slow-posts.ts";
import type { Config } from "../env.ts";
import type { Logger } from "../monitoring/logger.ts";
import { StartError } from "../process/start-error.ts";
import { answerMalformed } from "./answer-malformed.ts";

/**
 * Slow senders are cut off: uploads after five minutes, everything else after one
 * (attachments/cut-off-slow-posts.ts). Headers have room for a percent-encoded search of 10,000 characters.
 */
const limits: ServerOptions = {
  keepAliveTimeout: 65_000,
  headersTimeout: 15_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 64 * 1024,
};

/** Creates the HTTP server with its limits, without a listener for requests. */
export function openHttpServer(logger: Pick<Logger, "error">): Server {
  const server = createServer(limits);
  server.on("clientError", answerMalformed);
  // A connection that can't be accepted (no file handles left) is lost; the server goes on with the next.
  server.on("error", (error) => {
    if (server.listening) logger.error({ err: error }, "a connection could not be accepted");
  });
  cutOffSlowPosts(server);
  return server;
}

/** @throws StartError if the port is taken or forbidden, or the machine has no such address. */
export function listen(server: Server, { port, host }: Pick<Config, "port" | "host">): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => {
      const known: Record<string, string> = {
        EADDRINUSE: `Port ${port} is taken by another program. End it, or set PORT to a free port.`,
        EACCES: `This account may not listen on port ${port}. Set PORT to one above 1023.`,
        EADDRNOTAVAIL: `This machine has no address ${host}. Set HOST to one it has, or to 0.0.0.0 for all.`,
      };
      const text = known[error.code ?? ""];
      reject(text === undefined ? error : new StartError(text));
    };
    server.once("error", onError);
    server.listen(port, host, () => {
      server.off("error", onError);
      resolve();
    });
  });
}
