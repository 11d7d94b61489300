import type { Db, Trx } from "@farthing/db/client.ts";
import { queueMail } from "../mails/operations.server.ts";
import { safeNext } from "./next-path.ts";
import { tokenLifeMs, tokenPath } from "./token-rules.ts";
import { issueToken } from "./token.server.ts";

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
