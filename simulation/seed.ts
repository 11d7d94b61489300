import { seedNetworks } from "@farthing/core/catalogue-imports/seed-networks.server.ts";
import { openDatabase } from "@farthing/db/client.ts";
import { migrate } from "@farthing/db/migrate.ts";
import { newId } from "@farthing/db/uuid.ts";
import { PasswordHashing } from "../apps/server/sign-in/password-hashing.ts";
import { CLAIMS_OPEN_AFTER_DAYS } from "./plan.ts";
import type { Scale } from "./scale.ts";
import { BOOST_ENDS_ON_DAY, exchangeRateMicros, shops } from "./shops.ts";
import { memberName } from "./truth.ts";

export const PASSWORD = "Marigold-Kettle-of-9";
export const THRESHOLD_PENCE = 500;
/** What those who join say they are. */
export const [MEMBER_TYPE, MEMBER_STATUS] = ["simulated_person", "simulated_adult"];

export function emailOf(member: number): string {
  return `member-${member}@members.example`;
}

/** Fills an empty database as an operator does before the first day: a brand, the networks, shops with their rates, and members. */
export async function seedClub(url: string, { start, months, members, friends }: Scale): Promise<void> {
  await migrate(url);
  const { db, close } = openDatabase({ url, max: 2 });
  try {
    await seedNetworks(db);
    const networkIds = new Map(
      (await db.selectFrom("networks").select(["id", "slug"]).execute()).map(({ id, slug }) => [slug, id]),
    );
    const brandId = newId();
    await db
      .insertInto("brands")
      .values({
        ...{ id: brandId, slug: "simulated", name: "Simulated Club", strapline: "", audience: "simulated people" },
        ...{ theme: "plain", affinity_id: "simulated", support_email: "help@simulated.example", is_default: true },
        payout_threshold_pence: THRESHOLD_PENCE,
      })
      .execute();
    await db.insertInto("brand_hosts").values({ host: "127.0.0.1", brand_id: brandId, is_main: true }).execute();
    const monthStarts = Array.from(
      { length: months + 2 },
      (_, index) => new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + index, 1)),
    );
    for (const currency of ["EUR", "USD"] as const)
      await db
        .insertInto("exchange_rates")
        .values(monthStarts.map((at) => ({ currency, valid_from: at, rate_micros: exchangeRateMicros(currency, at) })))
        .execute();
    for (const shop of shops) {
      const [retailerId, programmeId, tierId] = [newId(), newId(), newId()];
      const landing = `https://www.${shop.slug}.example/`;
      await db
        .insertInto("retailers")
        .values({
          ...{ id: retailerId, slug: shop.slug, name: shop.name, homepage_url: landing },
          ...{ tracks_within_days_min: 0, tracks_within_days_max: 3 },
          ...{ confirms_within_days_min: 10, confirms_within_days_max: 45 },
        })
        .execute();
      await db.insertInto("brand_retailers").values({ brand_id: brandId, retailer_id: retailerId }).execute();
      await db
        .insertInto("programmes")
        .values({
          ...{ id: programmeId, network_id: networkIds.get(shop.network)!, network_programme_id: shop.programmeId },
          ...{ retailer_id: retailerId, name: shop.name, currency: shop.currency, status: "joined" },
          ...{ landing_url: landing, programme_link: shop.link },
        })
        .execute();
      await db
        .insertInto("rate_tiers")
        .values({
          ...{ id: tierId, programme_id: programmeId, network_group_id: String(shop.groupId), label: "Everything" },
          rate_kind: shop.rate.kind,
          member_rate_bp: shop.rate.kind === "percent" ? shop.rate.bp : null,
          member_rate_pence: shop.rate.kind === "fixed" ? shop.rate.pence : null,
          cap_pence: shop.rate.kind === "percent" ? shop.rate.capPence : null,
        })
        .execute();
      await db
        .insertInto("claim_rules")
        .values({
          ...{ retailer_id: retailerId, opens_after_days: CLAIMS_OPEN_AFTER_DAYS, closes_after_days: 120 },
          needs_evidence: shop.rate.kind === "fixed",
        })
        .execute();
      const boostBp = shop.rate.kind === "percent" ? shop.rate.boostBp : null;
      if (boostBp !== null)
        await db
          .insertInto("boosts")
          .values(
            monthStarts.map((at) => ({
              ...{ id: newId(), rate_tier_id: tierId, member_rate_bp: boostBp, starts_at: at },
              ends_at: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), BOOST_ENDS_ON_DAY)),
            })),
          )
          .execute();
    }
    const [typeId, statusId] = [newId(), newId()];
    await db
      .insertInto("member_types")
      .values({ id: typeId, slug: MEMBER_TYPE, name: "Simulated person", is_organisation: false, position: 0 })
      .execute();
    await db
      .insertInto("member_statuses")
      .values({
        ...{ id: statusId, member_type_id: typeId, slug: MEMBER_STATUS, name: "Simulated adult", position: 0 },
        hides_organisation_details: true,
      })
      .execute();
    await db
      .insertInto("brand_member_types")
      .values({ brand_id: brandId, member_type_id: typeId, position: 0 })
      .execute();
    const password = await new PasswordHashing().hash(PASSWORD);
    const people = Array.from({ length: members - friends }, (_, member) => ({ member, id: newId() }));
    await db
      .insertInto("members")
      .values(
        people.map(({ member, id }) => ({
          ...{ id, brand_id: brandId, email: emailOf(member), name: memberName(member) },
          ...{ email_verified: true, verification: "verified" },
        })),
      )
      .execute();
    await db
      .insertInto("member_credentials")
      .values(
        people.map(({ id }) => ({
          ...{ id: newId(), brand_id: brandId, member_id: id, account_id: id, provider_id: "credential", password },
        })),
      )
      .execute();
  } finally {
    await close();
  }
}
