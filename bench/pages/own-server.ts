import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openDatabase } from "@farthing/db/client.ts";
import { startThrowawayServer } from "@farthing/db/testing/throwaway-server.ts";
import { MeasuredServer } from "./measured-server.ts";

const ownRoot = path.resolve(import.meta.dirname, "../..");

/** The addresses of the page benchmarks, from the demo catalogue: each page has much content. */
export interface MeasuredPages {
  home: string;
  retailer: string;
  "offer page": string;
  "category, 24 cards": string;
  search: string;
}

export interface OwnServer {
  server: MeasuredServer;
  databaseUrl: string;
  /** A folder for files of the run; `stop` removes it. */
  scratch: string;
  pages: MeasuredPages;
  stop(): Promise<void>;
}

export interface OwnServerOptions {
  /** The checkout; this one by default. Another one needs a built site too. */
  root?: string;
  roles?: string;
  /** PostgreSQL's settings besides ours. */
  databaseSettings?: Readonly<Record<string, string>>;
}

/** Starts this site as it is deployed (built, production), on its own durable database with the demo catalogue. Needs a built site. */
export async function startOwnServer(port: number, options: OwnServerOptions = {}): Promise<OwnServer> {
  const { root = ownRoot, roles, databaseSettings = {} } = options;
  const scratch = mkdtempSync(path.join(tmpdir(), "farthing-bench-pages-"));
  const database = await startThrowawayServer({ durable: true, settings: databaseSettings });
  const server = new MeasuredServer({
    command: process.execPath,
    args: ["apps/server/main.ts"],
    cwd: root,
    port,
    env: {
      NODE_ENV: "production",
      FARTHING_ENV: "dev",
      PORT: String(port),
      DATA_DIR: scratch,
      DATABASE_URL: database.url,
      LOG_LEVEL: "warn",
      ...(roles ? { ROLES: roles } : {}),
    },
  });
  const stop = async () => {
    await server.stop();
    await database.stop();
    rmSync(scratch, { recursive: true, force: true });
  };
  try {
    await server.ready("/readyz");
    return { server, databaseUrl: database.url, scratch, pages: await choosePages(database.url), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns a category with a full page of cards, one of its live offers, its retailer, and a search with many results. */
async function choosePages(databaseUrl: string): Promise<MeasuredPages> {
  const { pool, close } = openDatabase({ url: databaseUrl });
  try {
    const { rows: found } = await pool.query<{ category: string; slug: string; public_id: string; retailer: string }>(
      `with listed as (
         select c.slug as category, o.slug, o.public_id, r.slug as retailer, count(*) over (partition by c.id) as offers
         from brands b cross join lateral live_offers(b.id, now()) o join retailers r on r.id = o.retailer_id
         join offer_categories oc on oc.offer_id = o.id join categories c on c.id = oc.category_id where b.is_default)
       select * from listed order by offers desc, slug limit 1`,
    );
    const [best] = found;
    if (!best) throw new Error("The demo catalogue has no live offers.");
    return {
      home: "/",
      retailer: `/retailers/${best.retailer}`,
      "offer page": `/offers/${best.slug}?offer=${best.public_id}`,
      "category, 24 cards": `/categories/${best.category}`,
      search: "/search?q=delivery",
    };
  } finally {
    await close();
  }
}
