import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { findMailChoices } from "../mail-choices/member-choices.server.ts";
import { signUnsubscription, type UnsubscribeKeys } from "../mail-choices/unsubscribe-token.ts";
import { queueMail } from "../mails/operations.server.ts";
import { isAppealed, lockClaim } from "./claim-row.server.ts";
import { appealableUntil } from "./rules.ts";
import { answerWords } from "./words.ts";

/**
 * Writes to members about changes of their claims: one mail for each claim, about where it stands now (C7). The transaction that queues the
 * mail also marks the changes as told, so each is told once. Returns the number of claims.
 */
export async function announceClaims(
  db: Db,
  { keys, now, max = 100 }: { keys: UnsubscribeKeys; now: Date; max?: number },
): Promise<number> {
  const { rows } = await sql<{ claim_id: string }>`
    select claim_id from claim_changes where is_to_tell group by claim_id order by min(changed_at) limit ${max}`.execute(
    db,
  );
  const errors: unknown[] = [];
  for (const { claim_id } of rows) {
    try {
      await db.transaction().execute((trx) => announceClaim(trx, { claimId: claim_id, keys, now }));
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0)
    throw new AggregateError(errors, `The mails about ${errors.length} claims could not be queued.`);
  return rows.length;
}

async function announceClaim(
  trx: Trx,
  { claimId, keys, now }: { claimId: string; keys: UnsubscribeKeys; now: Date },
): Promise<void> {
  const claim = await lockClaim(trx, claimId);
  const { numUpdatedRows } = await trx
    .updateTable("claim_changes")
    .set({ is_to_tell: false })
    .where("claim_id", "=", claimId)
    .where("is_to_tell", "=", true)
    .executeTakeFirst();
  if (!claim || numUpdatedRows === 0n) return;
  const member = await trx
    .selectFrom("members")
    .select(["brand_id", "email"])
    .where("id", "=", claim.member_id)
    .where("email_verified", "=", true)
    .where("suspended_at", "is", null)
    .where("closed_at", "is", null)
    .executeTakeFirst();
  if (!member) return;
  const choices = await findMailChoices(trx, { brandId: member.brand_id, memberId: claim.member_id });
  if (!choices.some(({ kind, isWanted }) => kind === "cashback-confirmed" && isWanted)) return;
  const { name, isAppeal } = await trx
    .selectFrom("claims as claim")
    .innerJoin("retailers as retailer", "retailer.id", "claim.retailer_id")
    .select(["retailer.name", isAppealed.as("isAppeal")])
    .where("claim.id", "=", claimId)
    .executeTakeFirstOrThrow();
  const until = appealableUntil({
    state: claim.state,
    decidedAt: claim.decided_at,
    filings: claim.filings,
    reason: claim.reason_code,
  });
  await queueMail(trx, {
    brandId: member.brand_id,
    memberId: claim.member_id,
    to: member.email,
    now,
    mail: {
      kind: "claim-news",
      token: signUnsubscription(
        { brandId: member.brand_id, memberId: claim.member_id, subject: "cashback-confirmed" },
        keys,
      ),
      publicId: claim.public_id,
      state: claim.state,
      retailerName: name,
      orderReference: claim.order_reference,
      isAppeal,
      opensAt: claim.opens_at.toISOString(),
      asked: claim.state === "incomplete" ? claim.asked : null,
      answer: answerWords(claim.reason_code, claim.answer),
      appealUntil: until?.toISOString() ?? null,
    },
  });
}
