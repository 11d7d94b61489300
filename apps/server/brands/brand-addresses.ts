import { listMainHosts } from "@farthing/core/brands/main-host.server.ts";
import type { Db } from "@farthing/db/client.ts";

/** What a process tells the command that has started it, once it serves (bin/stack.mjs). */
export interface Announcement {
  brands: BrandAddress[];
}

interface BrandAddress {
  /** The address that the brand's e-mails link to. */
  url: string;
  name: string;
  audience: string;
}

/** Returns where each brand answers, as operators have set it: npm start prints it. */
export async function findBrandAddresses(db: Db, originOf: (host: string) => string): Promise<BrandAddress[]> {
  const brands = await listMainHosts(db);
  return brands.map(({ name, audience, host }) => ({ url: originOf(host), name, audience }));
}
