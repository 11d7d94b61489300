import { randomBytes } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { type Brand, homeSections } from "../brands/brand.ts";
import { coloursOf } from "../brands/theme-colours.server.ts";

/** Inserts a brand that answers at `<slug>.test`. Returns it as pages and mails know it. `hasApp`: it takes part in offers that only an app has. */
export async function insertBrand(
  db: Db,
  {
    slug = `brand-${randomBytes(5).toString("hex")}`,
    isDefault = false,
    hasApp = false,
  }: { slug?: string; isDefault?: boolean; hasApp?: boolean } = {},
): Promise<Brand> {
  const id = newId();
  const words = { slug, name: slug, strapline: "", audience: "testers", theme: "plain" };
  const host = `${slug}.test`;
  const supportEmail = `help@${host}`;
  const storeLinks = { ios: hasApp ? `https://apps.example/ios/${slug}` : null, android: null };
  const app = { features: JSON.stringify({ appExclusive: hasApp }), store_links: JSON.stringify(storeLinks) };
  await db
    .insertInto("brands")
    .values({ ...words, ...app, id, affinity_id: slug, support_email: supportEmail, is_default: isDefault })
    .execute();
  await db.insertInto("brand_hosts").values({ host, brand_id: id }).execute();
  return {
    ...words,
    id,
    mainHost: host,
    affinityId: slug,
    supportEmail,
    features: { telemetry: false, loginConfetti: false, carerMigration: false, appExclusive: hasApp, giftCards: false },
    tracking: { tagManager: null, engagementScript: null },
    storeLinks,
    menu: [],
    banner: null,
    colourFile: null,
    colours: coloursOf(words.theme),
    home: [...homeSections],
    legalPages: [],
    notices: [],
    registration: { minimumAge: 18, residence: ["GB"] },
  };
}
