import type { Db, Trx } from "@farthing/db/client.ts";
import { queueMail } from "../mails/operations.server.ts";
import { finishAddingEmail } from "./emails.server.ts";
import { safeNext } from "./next-path.ts";
import { tokenLifeMs, tokenPath } from "./token-rules.ts";
import { issueToken, spendToken } from "./token.server.ts";

/**
 * Sends the link that proves a new member's e-mail address (product.md M2), in the caller's transaction. The link leads to a page with a button, so that
 * a scanner of links spends nothing. After it the member is signed in and goes on to `next`.
 */
export async function startEmailConfirmation(
  trx: Db | Trx,
  {
    brandId,
    memberId,
    email,
    next,
    now,
  }: { brandId: string; memberId: string; email: string; next?: string; now: Date },
): Promise<void> {
  const purpose = "confirm-email";
  const goesOn = next === undefined ? {} : { next: safeNext(next) };
  const token = await issueToken(trx, { brandId, memberId, purpose, email, now, ...goesOn });
  const hours = tokenLifeMs[purpose] / (60 * 60 * 1000);
  const path = tokenPath("/confirm-email", token);
  await queueMail(trx, { brandId, memberId, to: email, mail: { kind: "confirm-email", path, hours }, now });
}

export type ConfirmedEmail =
  /** A new member's address: they are to be signed in, and go on. */
  | { kind: "new-member"; memberId: string; next: string | null }
  /** One more address of a member's. */
  | { kind: "added"; memberId: string; email: string };

/** Spends the token of a confirmation. Null where it is not good: unknown, used, over, another brand's, or the address has become somebody else's. */
export async function confirmEmail(
  db: Db,
  { brandId, token, now }: { brandId: string; token: string; now: Date },
): Promise<ConfirmedEmail | null> {
  return await db.transaction().execute(async (trx) => {
    const spent = await spendToken(trx, { brandId, purposes: ["confirm-email", "add-email"], token, now });
    if (!spent) return null;
    const { memberId, email } = spent;
    if (spent.purpose === "add-email")
      return (await finishAddingEmail(trx, { brandId, memberId, email, now }))
        ? { kind: "added", memberId, email }
        : null;
    const { numUpdatedRows } = await trx
      .updateTable("members")
      .set({ email_verified: true, updated_at: now })
      .where("id", "=", memberId)
      .where("email", "=", email)
      .where("suspended_at", "is", null)
      .executeTakeFirst();
    return numUpdatedRows > 0n ? { kind: "new-member", memberId, next: spent.next } : null;
  });
}
