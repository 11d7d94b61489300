import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { RateView } from "../catalogue/catalogue-view.ts";
import { bestRate, lowestRate } from "../catalogue/rates.ts";
import { formatRates } from "../catalogue/rate-wording.ts";
import { retailerTiersJson, toRates, type TiersJson } from "../catalogue/retailers/retailer-cards.server.ts";
import { wantsMail } from "../mail-choices/wanted.server.ts";
import { queueMail } from "../mails/operations.server.ts";
import { valueInWords } from "./queries.server.ts";
import { judgeAlert, type AlertRates } from "./rules.ts";

const RETAILERS_AT_A_TIME = 200;
const ALERTS_AT_A_TIME = 500;

/**
 * Compares the rates of all retailers with alerts and queues a mail for every rise (D10). The known rate and the mail
 * commit together, so each rise is announced once, however many workers run and whenever they are killed. Rates
 * change through imports and through boosts that begin and end, so this reads the rates themselves. Returns the
 * number of mails.
 * @throws AggregateError at the end if some could not be queued; the next run announces them
 */
export async function announceRateRises(db: Db, { now }: { now: Date }): Promise<number> {
  let mails = 0;
  const errors: unknown[] = [];
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const { rows } = await sql<{ id: string; tiers: TiersJson; alerts: AlertRates[] }>`
      with waited as materialized (
        select a.retailer_id as id, json_agg(distinct jsonb_build_object(
          'rateKind', a.rate_kind, 'askedValue', a.asked_value, 'knownValue', a.known_value)) as alerts
        from rate_alerts a where a.retailer_id > ${after} group by a.retailer_id order by a.retailer_id limit ${RETAILERS_AT_A_TIME})
      select r.id, w.alerts, ${retailerTiersJson(now)} as tiers
      from waited w join retailers r on r.id = w.id order by r.id`.execute(db);
    for (const { id, tiers, alerts } of rows) {
      const rates = toRates(tiers, now);
      const rate = bestRate(rates);
      if (alerts.every((alert) => judgeAlert(alert, rate).outcome === "none")) continue;
      try {
        mails += await announceFor(db, { retailerId: id, rates, now });
      } catch (error) {
        errors.push(error); // the other retailers are still checked
      }
    }
    const last = rows.at(-1);
    if (last && rows.length === RETAILERS_AT_A_TIME) after = last.id;
    else if (errors.length > 0) throw new AggregateError(errors, "Some rate rises could not be announced");
    else return mails;
  }
}

interface DueAlert extends AlertRates {
  id: string;
  token: string;
  memberId: string;
  brandId: string;
  email: string;
  /** Whether the member accepts mails and their brand still shows the retailer. */
  isTold: boolean;
  retailerSlug: string;
  retailerName: string;
}

async function announceFor(
  db: Db,
  { retailerId, rates, now }: { retailerId: string; rates: readonly RateView[]; now: Date },
): Promise<number> {
  let mails = 0;
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const due = await db.transaction().execute(async (trx) => {
      const alerts = await lockAlerts(trx, { retailerId, after });
      for (const alert of alerts) if (await settle(trx, alert, rates, now)) mails += 1;
      return alerts;
    });
    const last = due.at(-1);
    if (!last || due.length < ALERTS_AT_A_TIME) return mails;
    after = last.id;
  }
}

/** Skips alerts that another worker has locked. */
async function lockAlerts(trx: Trx, { retailerId, after }: { retailerId: string; after: string }): Promise<DueAlert[]> {
  const { rows } = await sql<DueAlert>`
    select a.id, a.token, a.rate_kind as "rateKind", a.asked_value as "askedValue", a.known_value as "knownValue",
      m.id as "memberId", m.brand_id as "brandId", m.email, r.slug as "retailerSlug", r.name as "retailerName",
      m.suspended_at is null and m.email_verified and ${wantsMail("m.id", "rate-alerts")} and r.status = 'active'
        and exists (select from brand_retailers br where br.retailer_id = r.id and br.brand_id = m.brand_id) as "isTold"
    from rate_alerts a join members m on m.id = a.member_id join retailers r on r.id = a.retailer_id
    where a.retailer_id = ${retailerId} and a.id > ${after}
    order by a.id limit ${ALERTS_AT_A_TIME} for update of a skip locked`.execute(trx);
  return rows;
}

/** Returns whether a mail was queued. */
async function settle(trx: Trx, alert: DueAlert, rates: readonly RateView[], now: Date): Promise<boolean> {
  const rate = bestRate(rates);
  const verdict = judgeAlert(alert, rate);
  if (verdict.outcome === "none") return false;
  const isRise = verdict.outcome === "rise" && alert.isTold && rate !== null;
  if (verdict.outcome === "rise" && !isRise) return false; // announced once the member can be written to
  await trx
    .updateTable("rate_alerts")
    .set({
      rate_kind: verdict.rates.rateKind,
      asked_value: verdict.rates.askedValue,
      known_value: verdict.rates.knownValue,
      ...(isRise ? { told_at: now } : {}),
    })
    .where("id", "=", alert.id)
    .execute();
  if (!isRise) return false;
  await queueMail(trx, {
    brandId: alert.brandId,
    memberId: alert.memberId,
    to: alert.email,
    now,
    mail: {
      kind: "rate-alert",
      retailerName: alert.retailerName,
      retailerSlug: alert.retailerSlug,
      rate: formatRates({ bestRate: rate, lowestRate: lowestRate(rates) }),
      askedRate: alert.askedValue === 0 ? null : valueInWords(alert.rateKind, alert.askedValue),
      until: rate.boostedUntil?.toISOString() ?? null,
      token: alert.token,
    },
  });
  return true;
}
