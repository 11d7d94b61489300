import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { setMain } from "./emails.server.ts";
import { requestPasswordReset } from "./password-reset.server.ts";
import { endSessionsOf } from "./sessions.server.ts";
import { tokenLifeMs } from "./token-rules.ts";
import { spendToken } from "./token.server.ts";

/**
 * "That was not me": gives a member's account back to the address the notice went to. That address is the main one again; what was added in the week before
 * and since (addresses, passkeys, a second factor) goes, every session ends, and a link to choose a new password is on its way. Null where the token is not good.
 */
export async function undoEmailChange(
  db: Db,
  { brandId, token, now }: { brandId: string; token: string; now: Date },
): Promise<{ email: string } | null> {
  return await db.transaction().execute(async (trx) => {
    const spent = await spendToken(trx, { brandId, purposes: ["undo-email-change"], token, now });
    if (!spent) return null;
    const { memberId, email } = spent;
    const suspectSince = new Date(now.getTime() - 2 * tokenLifeMs["undo-email-change"]);
    const own = await trx
      .insertInto("member_emails")
      .values({
        id: newId(),
        brand_id: brandId,
        member_id: memberId,
        email,
        verified_at: now,
        created_at: suspectSince,
      })
      .onConflict((conflict) =>
        conflict
          .constraint("member_emails_email")
          .doUpdateSet((existing) => ({ verified_at: existing.ref("member_emails.verified_at") }))
          .where("member_emails.member_id", "=", memberId),
      )
      .returning("id")
      .executeTakeFirst();
    if (!own) return null; // somebody else's since
    await setMain(trx, { brandId, memberId, email, now });
    await trx
      .deleteFrom("member_emails")
      .where("member_id", "=", memberId)
      .where("email", "!=", email)
      .where("created_at", ">", suspectSince)
      .execute();
    await trx
      .deleteFrom("member_passkeys")
      .where("member_id", "=", memberId)
      .where("created_at", ">", suspectSince)
      .execute();
    await trx
      .deleteFrom("member_second_factors")
      .where("member_id", "=", memberId)
      .where("created_at", ">", suspectSince)
      .execute();
    await trx
      .updateTable("member_tokens")
      .set({ used_at: now })
      .where("member_id", "=", memberId)
      .where("email", "!=", email)
      .where("used_at", "is", null)
      .execute();
    await endSessionsOf(trx, { brandId, memberId });
    await requestPasswordReset(trx, { brandId, email, now });
    return { email };
  });
}
