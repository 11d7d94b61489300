import type { Db, Trx } from "@farthing/db/client.ts";
import type { Mail } from "../mails/mail.ts";
import { queueMail } from "../mails/operations.server.ts";

/** Queues a mail to an operator, in the look and with the links of the default brand, because operators have none. */
export async function queueOperatorMail(
  db: Db | Trx,
  { to, mail, now }: { to: string; mail: Mail; now: Date },
): Promise<void> {
  const { id } = await db.selectFrom("brands").select("id").where("is_default", "=", true).executeTakeFirstOrThrow();
  await queueMail(db, { brandId: id, memberId: null, to, mail, now });
}
