import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { CASHBACK_CHANGE_WORDS } from "../mails/templates/cashback-news.ts";
import { amountBeforeCorrection } from "../cashback/amount-changes.server.ts";
import { findMailChoices } from "../mail-choices/member-choices.server.ts";
import { signUnsubscription, type UnsubscribeKeys } from "../mail-choices/unsubscribe-token.ts";
import { queueMail } from "../mails/operations.server.ts";
import { DECLINE_REASONS, isDeclineReason } from "../networks/decline-reason.ts";
import type { OptOutKind } from "../mail-choices/rules.ts";
import { amountsOf, GATHER_MS, MAX_PER_MAIL, newsAmong, subjectOf, type Change } from "./rules.ts";

export interface AnnounceParts {
  /** Keys of the signatures on unsubscribe links. */
  keys: UnsubscribeKeys;
  now: Date;
  /** Maximum number of members in one round. */
  max?: number;
}

/**
 * Queues mails about changes of cashback: one mail per member for the changes of a few seconds (C3, M9). The transaction
 * that queues the mail also deletes its notices, so each change is announced once, even if workers run at the same time
 * or are killed. Returns the number of members.
 * @throws AggregateError if mails to some members could not be queued. The other members got theirs, and the notices of
 * the failed ones stay for the next round.
 */
export async function announceCashbackChanges(db: Db, { keys, now, max = 100 }: AnnounceParts): Promise<number> {
  const { rows } = await sql<{ member_id: string }>`
    select member_id from cashback_notices group by member_id
    having min(created_at) <= ${new Date(now.getTime() - GATHER_MS)} order by min(created_at) limit ${max}`.execute(db);
  const errors: unknown[] = [];
  for (const { member_id } of rows) {
    try {
      await db.transaction().execute((trx) => queueNewsMail(trx, { memberId: member_id, keys, now }));
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `The mails to ${errors.length} members could not be queued.`);
  return rows.length;
}

async function queueNewsMail(
  trx: Trx,
  { memberId, keys, now }: { memberId: string; keys: UnsubscribeKeys; now: Date },
): Promise<void> {
  const changes = await takeNotices(trx, memberId);
  if (changes.length === 0) return; // another worker has taken them
  const member = await trx
    .selectFrom("members")
    .select(["brand_id", "email"])
    .where("id", "=", memberId)
    .where("email_verified", "=", true)
    .where("suspended_at", "is", null)
    .where("closed_at", "is", null)
    .executeTakeFirst();
  if (!member) return;
  const choices = await findMailChoices(trx, { brandId: member.brand_id, memberId });
  const wanted = new Set(choices.filter(({ isWanted }) => isWanted).map(({ kind }) => kind as OptOutKind));
  const news = newsAmong(changes, wanted);
  if (news.length === 0) return;
  const token = signUnsubscription({ brandId: member.brand_id, memberId, subject: subjectOf(news) }, keys);
  await queueMail(trx, {
    brandId: member.brand_id,
    memberId,
    to: member.email,
    now,
    mail: { kind: "cashback-news", token, items: news.map(itemOf) },
  });
}

async function takeNotices(trx: Trx, memberId: string): Promise<Change[]> {
  const { rows } = await sql<Change>`
    with taken as (
      delete from cashback_notices where (entry_id, version) in (
        select entry_id, version from cashback_notices where member_id = ${memberId}
        order by created_at, entry_id, version limit ${MAX_PER_MAIL} for update skip locked)
      returning entry_id, version, created_at)
    select taken.entry_id as "entryId", taken.version, retailer.name as "retailerName",
      case when change.change_kind = 'amended' and change.state = 'declined' then 'declined' else change.change_kind end as change, -- the reason arrived after the decline
      change.state, change.cashback_pence as "cashbackPence", change.reason_code as "reasonCode",
      case when change.change_kind = 'corrected' then ${amountBeforeCorrection("entry")}
        else (select before.cashback_pence from cashback_changes before
          where before.entry_id = taken.entry_id and before.version = taken.version - 1) end as "wasPence",
      exists (select from payout_entries paid join payouts payout on payout.id = paid.payout_id
        where paid.entry_id = taken.entry_id and payout.method = 'gift-card' and payout.paid_at is not null) as "isByGiftCard"
    from taken join cashback_changes change using (entry_id, version)
    join cashback_entries entry on entry.id = taken.entry_id join retailers retailer on retailer.id = entry.retailer_id
    order by taken.created_at, taken.entry_id, taken.version`.execute(trx);
  return rows;
}

function itemOf(news: Change) {
  const { change, retailerName, cashbackPence, reasonCode } = news;
  const amounts = amountsOf(news);
  const reason = reasonCode !== null && isDeclineReason(reasonCode) ? DECLINE_REASONS[reasonCode] : null;
  const fallback = amounts && change !== "corrected" ? DECLINE_REASONS.amended : DECLINE_REASONS.not_given;
  return {
    change,
    retailerName,
    cashbackPence,
    amounts,
    reason: amounts || CASHBACK_CHANGE_WORDS[change].tellsWhy ? (reason ?? fallback) : null,
  };
}
