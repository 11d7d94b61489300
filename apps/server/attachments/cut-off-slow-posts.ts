import type { IncomingMessage, Server } from "node:http";
import { takesUploads } from "./upload-paths.ts";

/**
 * Ends requests whose body takes longer than a minute, all but uploads: 20 MB take as long on a slow line, so the server's own limit
 * (serverLimits) is longer than what anything else may take.
 */
export function cutOffSlowPosts(server: Server, { afterMs = 60_000 } = {}): void {
  server.on("request", (request: IncomingMessage) => {
    if (request.method === "GET" || request.method === "HEAD") return;
    // Not every target is an address (`//`, `/\`): whatever isn't takes no uploads.
    if (takesUploads(URL.parse(request.url ?? "", "http://any")?.pathname ?? "")) return;
    const timer = setTimeout(() => !request.complete && request.destroy(), afterMs);
    request.once("close", () => clearTimeout(timer));
  });
}
