import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { PageScripts } from "@farthing/site/page-scripts-plugin.ts";
import { consentOf } from "@farthing/site/server/browsers-consent.ts";
import { Hono } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { Config } from "../env.ts";

const read = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8");

/** The worker may fetch from our origin and, where it runs the provider's script, from the provider's. A worker has its own policy, not its page's. */
function policyOf(engagement: string | null): string {
  const provider = engagement === null ? "" : ` ${new URL(engagement).origin}`;
  return `default-src 'none'; script-src 'self'${provider}; connect-src 'self'${provider}`;
}

type WorkerParts = Pick<Config, "serviceWorker" | "devPages"> & {
  clientFolder: string;
  now?: () => Date;
};

/**
 * /sw.js (M6, T5): the worker of this build or, if the operator has turned it off or pages come from source, one that
 * removes itself. Browsers revalidate it each time, so that turning it off reaches every browser with its next page. A browser sends its cookies with
 * the request, so the provider's script is in the worker of those who have agreed to messages, and leaves it once they change their mind.
 */
export function serviceWorkerRoutes({
  serviceWorker,
  devPages,
  clientFolder,
  now = () => new Date(),
}: WorkerParts): Hono<AppEnv> {
  const isOn = serviceWorker && !devPages;
  const build = isOn ? readBuild(clientFolder) : null;
  return new Hono<AppEnv>().get("/sw.js", (context) => {
    const { brand, origin } = context.get("visit");
    const { granted } = consentOf({ brand, origin, headers: context.req.raw.headers, now: now() });
    const engagement = isOn && granted.includes("messages") ? brand.tracking.engagementScript : null;
    const headers = {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "no-cache",
      Vary: "Cookie, Sec-GPC",
      "Content-Security-Policy": policyOf(engagement),
    };
    const script = build
      ? `const settings = ${JSON.stringify({ ...build.settings, engagement })};\n${build.worker}`
      : read("no-service-worker.js");
    return new Response(script, { headers });
  });
}

function readBuild(clientFolder: string) {
  const worker = read("service-worker.js");
  // The names of built files contain their hashes, so a name always means the same content.
  const assets = existsSync(`${clientFolder}/assets`) ? readdirSync(`${clientFolder}/assets`).sort() : [];
  const version = createHash("sha256")
    .update([...assets, worker].join("\n"))
    .digest("hex")
    .slice(0, 16);
  return { worker, settings: { version, scripts: readScripts(clientFolder) } };
}

/** Reads which files the browser loads for what: the site's build writes it beside the files. */
function readScripts(clientFolder: string): Pick<PageScripts, "entry" | "hydration" | "islands"> {
  const file = `${clientFolder}/../scripts.json`;
  if (!existsSync(file)) return { entry: [], hydration: [], islands: {} };
  const { entry, hydration, islands } = JSON.parse(readFileSync(file, "utf8")) as PageScripts;
  return { entry, hydration, islands };
}
