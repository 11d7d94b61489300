import type { Brand } from "@farthing/core/brands/brand.ts";
import { coloursOf } from "@farthing/core/brands/theme-colours.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import type { Visit } from "@farthing/site/server/visit.ts";
import { newRequestId } from "../http/request-id.ts";
import { PasswordHashing } from "./password-hashing.ts";

/** A brand of its own for a test, answering at `<slug>.test`. */
export async function insertBrand(db: Db, slug: string, { isDefault = false } = {}): Promise<Brand> {
  const id = newId();
  const brand = {
    id,
    slug,
    name: slug,
    strapline: "",
    audience: "testers",
    theme: slug,
    affinity_id: slug,
    support_email: `help@${slug}.test`,
    is_default: isDefault,
  };
  await db.insertInto("brands").values(brand).execute();
  await db
    .insertInto("brand_hosts")
    .values({ host: `${slug}.test`, brand_id: id })
    .execute();
  return {
    id,
    slug,
    name: slug,
    strapline: "",
    audience: "testers",
    mainHost: `${slug}.test`,
    theme: slug,
    affinityId: slug,
    supportEmail: brand.support_email,
    features: { telemetry: false, loginConfetti: false, carerMigration: false, appExclusive: false, giftCards: false },
    storeLinks: { ios: null, android: null },
    menu: [],
    banner: null,
    colours: coloursOf(slug),
    home: ["offers"],
    legalPages: [],
    registration: { minimumAge: 18, residence: ["GB"] },
  };
}

export const testPassword = "Farthing-2026";
let hashOfTestPassword: Promise<string> | undefined;

/** A member who can log in with `testPassword`. Gives the member's id. */
export async function insertMember(db: Db, brand: Brand, email: string): Promise<string> {
  const id = newId();
  hashOfTestPassword ??= new PasswordHashing().hash(testPassword);
  await db
    .insertInto("members")
    .values({ id, brand_id: brand.id, email, name: email, email_verified: true, verification: "verified" })
    .execute();
  // They joined a while ago, whatever a test's clock says.
  const joined = new Date("2026-01-01T00:00:00Z");
  await db
    .updateTable("member_emails")
    .set({ created_at: joined, main_since: joined })
    .where("member_id", "=", id)
    .execute();
  await db
    .insertInto("member_credentials")
    .values({
      id: newId(),
      brand_id: brand.id,
      member_id: id,
      account_id: id,
      provider_id: "credential",
      password: await hashOfTestPassword,
    })
    .execute();
  return id;
}

export function visitOf(brand: Brand, clientAddress = "203.0.113.1"): Visit {
  return {
    requestId: newRequestId(),
    brand,
    member: null,
    nonce: "nonce",
    origin: `http://${brand.slug}.test`,
    clientAddress,
  };
}
