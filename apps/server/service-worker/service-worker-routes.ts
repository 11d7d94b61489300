import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { PageScripts } from "@farthing/site/page-scripts-plugin.ts";
import { Hono } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { Config } from "../env.ts";

const read = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8");

/** The worker may fetch from our origin and nothing else. A worker has its own policy, not its page's. */
const POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'";

/**
 * /sw.js (M6, T5): the worker of this build or, if the operator has turned it off or pages come from source, one that
 * removes itself. Browsers revalidate it each time, so that turning it off reaches every browser with its next page.
 */
export function serviceWorkerRoutes({
  serviceWorker,
  devPages,
  clientFolder,
}: Pick<Config, "serviceWorker" | "devPages"> & { clientFolder: string }): Hono<AppEnv> {
  const script = serviceWorker && !devPages ? workerOf(clientFolder) : read("no-service-worker.js");
  return new Hono<AppEnv>().get("/sw.js", () => {
    const headers = {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "no-cache",
      "Content-Security-Policy": POLICY,
    };
    return new Response(script, { headers });
  });
}

function workerOf(clientFolder: string): string {
  const worker = read("service-worker.js");
  // The names of built files contain their hashes, so a name always means the same content.
  const assets = existsSync(`${clientFolder}/assets`) ? readdirSync(`${clientFolder}/assets`).sort() : [];
  const version = createHash("sha256")
    .update([...assets, worker].join("\n"))
    .digest("hex")
    .slice(0, 16);
  return `const settings = ${JSON.stringify({ version, scripts: readScripts(clientFolder) })};\n${worker}`;
}

/** Reads which files the browser loads for what: the site's build writes it beside the files. */
function readScripts(clientFolder: string): Pick<PageScripts, "entry" | "hydration" | "islands"> {
  const file = `${clientFolder}/../scripts.json`;
  if (!existsSync(file)) return { entry: [], hydration: [], islands: {} };
  const { entry, hydration, islands } = JSON.parse(readFileSync(file, "utf8")) as PageScripts;
  return { entry, hydration, islands };
}
