import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { StaticFiles } from "./fast/static-files.ts";

/** Answers with a file of the site's build where the path names one. */
export function serveFiles(files: StaticFiles): MiddlewareHandler<AppEnv> {
  return async ({ req }, next) =>
    (await files(req.path, {
      method: req.method,
      acceptEncoding: req.header("accept-encoding"),
      ifNoneMatch: req.header("if-none-match"),
    })) ?? (await next());
}
