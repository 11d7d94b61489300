import { commandLine } from "../command-line.ts";
import { findLastCheck } from "@farthing/core/books/check-books.server.ts";
import { findNeeds } from "@farthing/core/needs/find-needs.server.ts";
import { findFloats } from "@farthing/core/gift-cards/floats.server.ts";
import type { NeedKey } from "@farthing/core/needs/needs.ts";
import { findNetworkHealth, type NetworkHealth } from "@farthing/core/networks/queries.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { Config } from "../env.ts";
import { type Finding, dayAndTime, counted, listed, look, ok, wrong } from "./finding.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Returns for each of these needs how many things wait, and since when: what the admin's home page lists (A3). */
async function needsOf<Key extends NeedKey>(db: Db, keys: readonly Key[], now: Date) {
  const found = await findNeeds(db, { role: "owner", now, keys });
  return (key: Key): { count: number; since: string } => {
    const need = found.find((each) => each.key === key);
    return { count: need?.count ?? 0, since: need?.oldestAt ? ` since ${dayAndTime(need.oldestAt)}` : "" };
  };
}

/** Days without a webhook, although there were payments, after which its address is in doubt. */
export const WEBHOOK_DAYS = 7;

/** Looks whether the card provider's webhooks come, where there were payments. */
export async function lookAtCardWebhook(
  db: Db,
  { cards, now }: { cards: Pick<Config, "stripe" | "stripeTest">; now: Date },
): Promise<Finding[]> {
  if (cards.stripe === null && cards.stripeTest === null) return [ok("Card payments are not set up.")];
  const since = new Date(now.getTime() - WEBHOOK_DAYS * DAY_MS);
  const { rows } = await sql<{ payments: number; heardAt: Date | null }>`
    select (select count(*)::int from (select from payments where created_at >= ${since} and provider_payment_id is not null limit 1000) made) as payments,
      (select max(received_at) from card_events) as "heardAt"`.execute(db);
  const { payments, heardAt } = rows[0] ?? { payments: 0, heardAt: null };
  if (payments === 0) return [ok(`No card payment was made in ${WEBHOOK_DAYS} days, so no webhook was due.`)];
  if (heardAt !== null && heardAt >= since)
    return [ok(`The card provider’s webhook was heard last at ${dayAndTime(heardAt)}.`)];
  return [
    wrong(
      `Card payments were made in the last ${WEBHOOK_DAYS} days, but the card provider’s webhook was not heard.`,
      "See in the provider’s dashboard that it posts to /webhooks/stripe of a public host, and that STRIPE_WEBHOOK_SECRET is that of this endpoint.",
    ),
  ];
}

/** Looks at the networks that are set up: whether their reports are read. */
export async function lookAtNetworks(
  db: Db,
  { slugs, now }: { slugs: readonly string[]; now: Date },
): Promise<Finding[]> {
  const { count, since } = (await needsOf(db, ["networks"], now))("networks");
  const health = await findNetworkHealth(db, { since: now });
  const findings = networkFindings(health, slugs);
  if (count > 0)
    findings.unshift(
      wrong(
        `${counted(count, "network")} ${count === 1 ? "has a report that has" : "have reports that have"} not been read${since}.`,
        `Start a process with the role worker, and read ${commandLine("networks")}: a key may have been revoked.`,
      ),
    );
  return findings.length > 0 ? findings : [ok(`${counted(slugs.length, "network")} set up, and each report is read.`)];
}

/** Returns what the networks' passes mean. Errors of networks stay in `npm run networks`. Pure. */
export function networkFindings(health: readonly NetworkHealth[], slugs: readonly string[]): Finding[] {
  const setUp = health.filter(({ slug }) => slugs.includes(slug));
  const never = [
    ...slugs.filter((slug) => !health.some((network) => network.slug === slug)),
    ...setUp.filter(({ passes }) => passes.length === 0).map(({ slug }) => slug),
  ];
  const failing = setUp
    .filter(({ passes }) => passes.some(({ error, lateError }) => error ?? lateError))
    .map(({ slug }) => slug);
  return [
    ...(never.length === 0
      ? []
      : [
          look(
            `No report was read yet of ${listed(never)}.`,
            "Start a process with the role worker and wait a quarter of an hour.",
          ),
        ]),
    ...(failing.length === 0
      ? []
      : [
          look(
            `The last reading of a report failed at ${listed(failing)}.`,
            `Read ${commandLine("networks")} for the reason; it is tried again.`,
          ),
        ]),
  ];
}

/** Looks at background work that is behind, and at what was given up. */
export async function lookAtBackgroundWork(db: Db, now: Date): Promise<Finding[]> {
  const needOf = await needsOf(db, ["work-late", "dead-letters"], now);
  const [late, buried] = [needOf("work-late"), needOf("dead-letters")];
  const findings: Finding[] = [];
  if (late.count > 0)
    findings.push(
      wrong(
        `${counted(late.count, "queue")} of background work ${late.count === 1 ? "is" : "are"} behind${late.since}.`,
        `Start a process with the role worker, and read its log and ${commandLine("due-work")}.`,
      ),
    );
  if (buried.count > 0)
    findings.push(
      look(
        `${counted(buried.count, "piece")} of background work ${buried.count === 1 ? "was" : "were"} given up.`,
        "Decide on each at /admin/background-work.",
      ),
    );
  return findings.length > 0 ? findings : [ok("No background work is behind, and none was given up.")];
}

/** Looks at the issuers of gift cards that are set up: whether what is left of our money is known, and enough. */
export async function lookAtFloats(
  db: Db,
  { slugs, now }: { slugs: readonly string[]; now: Date },
): Promise<Finding[]> {
  const needOf = await needsOf(db, ["float-refused", "float-low"], now);
  const [refused, low] = [needOf("float-refused"), needOf("float-low")];
  const old = new Date(now.getTime() - HOUR_MS);
  const floats = await findFloats(db);
  const unread = slugs.filter((slug) => !floats.some(({ issuer, readAt }) => issuer === slug && readAt >= old));
  const findings: Finding[] = [];
  if (refused.count > 0)
    findings.push(
      wrong(
        `${counted(refused.count, "paid gift card")} ${refused.count === 1 ? "waits" : "wait"} for float${refused.since}.`,
        "Pay into the issuer at once: four hours after it was first asked, each is refunded. See /admin/gift-cards/floats.",
      ),
    );
  if (low.count > 0)
    findings.push(
      look(
        `${counted(low.count, "issuer")} of gift cards ${low.count === 1 ? "has" : "have"} less of our money than the threshold${low.since}.`,
        "Pay into it, and book the payment at /admin/gift-cards/floats.",
      ),
    );
  if (unread.length > 0)
    findings.push(
      look(
        `What is left with ${listed(unread)} was not read for an hour.`,
        "Start a process with the role worker, and look whether the issuer answers at /admin/gift-cards/floats.",
      ),
    );
  if (findings.length > 0) return findings;
  return [ok(slugs.length === 0 ? "No issuer of gift cards is set up." : "Each issuer has enough of our money.")];
}

/** Days after which a nightly check of the books has been missed. */
export const CHECK_DAYS = 2;

/** Looks when the books were last checked, and what that found. */
export async function lookAtBooks(db: Db, now: Date): Promise<Finding[]> {
  const last = await findLastCheck(db);
  const remedy = `Run ${commandLine("ledger:check")} each night (docs/operations/monitoring.md).`;
  if (last === null) return [look("The books were never checked.", remedy)];
  const at = dayAndTime(last.checkedAt);
  if (last.faults > 0)
    return [
      wrong(
        `The check of the books at ${at} found ${counted(last.faults, "fault")}.`,
        "Read them at /admin/ledger/checks.",
      ),
    ];
  if (now.getTime() - last.checkedAt.getTime() > CHECK_DAYS * DAY_MS)
    return [look(`The books were last checked at ${at}.`, remedy)];
  return [ok(`The books balanced at ${at}.`)];
}
