import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openDatabase } from "@farthing/db/client.ts";
import { startThrowawayServer } from "@farthing/db/testing/throwaway-server.ts";
import { MeasuredServer } from "./measured-server.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** Addresses that the benchmarks of pages visit, chosen from the demo catalogue: each page has plenty on it. */
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
  /** For files of the run; removed by `stop`. */
  scratch: string;
  pages: MeasuredPages;
  stop(): Promise<void>;
}

/** This site as it is deployed (built, production), on a durable database of its own with the demo catalogue. Needs a built site. */
export async function startOwnServer(port: number): Promise<OwnServer> {
  const scratch = mkdtempSync(path.join(tmpdir(), "farthing-bench-pages-"));
  const database = await startThrowawayServer({ durable: true });
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

/** A category with a full page of cards, a live offer of it, its retailer, and a search that finds plenty. */
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
