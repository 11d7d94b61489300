import type { IncomingMessage, Server } from "node:http";
import { takesUploads } from "./upload-paths.ts";

/**
 * Ends requests whose body takes longer than a minute. Uploads are exempt: 20 MB take longer on a slow line, so the
 * server's own limit (serverLimits) is set for them.
 */
export function cutOffSlowPosts(server: Server, { afterMs = 60_000 } = {}): void {
  server.on("request", (request: IncomingMessage) => {
    if (request.method === "GET" || request.method === "HEAD") return;
    // Not every target is a valid URL (`//`, `/\`). Those take no uploads.
    if (takesUploads(URL.parse(request.url ?? "", "http://any")?.pathname ?? "")) return;
    const timer = setTimeout(() => !request.complete && request.destroy(), afterMs);
    request.once("close", () => clearTimeout(timer));
  });
}
