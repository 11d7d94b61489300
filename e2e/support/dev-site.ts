import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findFreeStackPort } from "../../bin/free-port.mjs";
import { startPart } from "../../bin/stack-part.mjs";
import { stackPorts, stackSettings } from "../../bin/stack.mjs";
import { stackDatabaseUrl } from "./stack-database.ts";

export interface DevSite {
  /** Returns the address of a page at a brand's own host. */
  url(slug: string, path: string): string;
  stop(): Promise<void>;
}

const LOG_FILE = join(import.meta.dirname, "../../.cache/e2e/dev-site.log");

/**
 * Starts a second web server beside the stack under test, on the same database, which serves the site from its sources
 * as `npm run dev` does. It has the pages that only development has: the examples of components.
 */
export async function startDevSite(): Promise<DevSite> {
  const from = Number(process.env["FARTHING_E2E_PORT"]) + 50;
  const port = await findFreeStackPort(from, (first) => stackPorts(first, false));
  const log = createWriteStream(LOG_FILE);
  const onLine = (line: string) => void log.write(`${line}\n`);
  const { server: env } = stackSettings({
    port,
    dataDir: String(process.env["FARTHING_E2E_DATA_DIR"]),
    env: {
      NODE_ENV: "development",
      FARTHING_ENV: "dev",
      FARTHING_DEV_PAGES: "1",
      ROLES: "web",
      DATABASE_URL: stackDatabaseUrl(),
      HOST: "",
      TRUST_PROXY: "",
      PUBLIC_SCHEME: "",
    },
  });
  const part = startPart({
    name: "dev site",
    node: process.execPath,
    file: "apps/server/main.ts",
    env,
    onLine,
  });
  const stop = async () => {
    await part.stop();
    log.end();
  };
  while ((await statusOf(`http://localhost:${port}/readyz`)) !== 200) {
    if (!part.isRunning()) throw new Error(`The dev site ${await part.ended}: see ${LOG_FILE}`);
    await delay(100);
  }
  return { url: (slug, path) => `http://${slug}.localhost:${port}${path}`, stop };
}

async function statusOf(url: string): Promise<number> {
  try {
    return (await fetch(url)).status;
  } catch {
    return 0; // nothing listens yet
  }
}
