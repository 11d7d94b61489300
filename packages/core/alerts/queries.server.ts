import type { Db } from "@farthing/db/client.ts";
import { keepPlan, unseenByPlanner } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import { formatPounds, formatRate } from "../money/money.ts";

/** A member's alert as their page shows it. */
export interface RateAlert {
  retailer: { slug: string; name: string };
  /** The rate when the alert was added: `5%`, `£25`; null if there was none. */
  askedRate: string | null;
  askedAt: Date;
}

interface AlertRow {
  slug: string;
  name: string;
  rate_kind: "percent" | "fixed";
  asked_value: number;
  created_at: Date;
}

export async function listAlerts(
  db: Db,
  { brandId, memberId }: { brandId: string; memberId: string },
): Promise<RateAlert[]> {
  const { rows } = await sql<AlertRow>`${keepPlan}
    select r.slug, r.name, a.rate_kind, a.asked_value, a.created_at
    from rate_alerts a join retailers r on r.id = a.retailer_id
      join brand_retailers br on br.retailer_id = r.id and br.brand_id = ${brandId}
    where a.member_id = ${unseenByPlanner(memberId, "uuid")} order by r.name, r.slug`.execute(db);
  return rows.map(({ slug, name, rate_kind, asked_value, created_at }) => ({
    retailer: { slug, name },
    askedRate: asked_value === 0 ? null : valueInWords(rate_kind, asked_value),
    askedAt: created_at,
  }));
}

export function valueInWords(kind: "percent" | "fixed", value: number): string {
  return kind === "percent" ? formatRate(value) : formatPounds(value);
}

/** Returns the alert of a mail's link; null if it has ended or is another brand's. */
export async function findAlertByToken(
  db: Db,
  { brandId, token }: { brandId: string; token: string },
): Promise<{ retailerName: string } | null> {
  const { rows } = await sql<{ retailerName: string }>`
    select r.name as "retailerName" from rate_alerts a
    join members m on m.id = a.member_id and m.brand_id = ${brandId} join retailers r on r.id = a.retailer_id
    where a.token = ${token}`.execute(db);
  return rows[0] ?? null;
}
