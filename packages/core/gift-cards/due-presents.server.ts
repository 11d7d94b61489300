import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { openDueWork, type Lease } from "../due-work/due-work.server.ts";
import { queueMail } from "../mails/operations.server.ts";
import { paths } from "../paths.ts";
import { hashSecretToken, newSecretToken } from "../secrets/secret-token.ts";
import { tellGiver } from "./announce-presents.server.ts";
import { changePresent, endPresent, lockPresent, type PresentRow } from "./present-row.server.ts";
import { isCardGone, nextPresentAttempt } from "./presents-rules.ts";
import { isExpired } from "./wallet-rules.ts";

const MINUTE_MS = 60_000;
/** How often a present looks whether its mail has left. */
const LOOK_MS = MINUTE_MS;
/** How often a present looks whether its card, which is being taken back, stays after all. */
const CARD_MS = 30 * MINUTE_MS;

/** Presents to send, and those whose mail is on its way. None is given up: each is somebody's card. */
export const duePresents = openDueWork<{ publicId: string }>()({
  table: "gift_card_presents",
  id: "id",
  dueAt: "next_step_at",
  attempts: "attempts",
  lastError: "last_error",
  isOpen: sql`work.next_step_at is not null`,
  columns: sql`work.public_id as "publicId"`,
  nextAttempt: nextPresentAttempt,
});

/**
 * Takes the next step of a present (G6): sends a planned one, and finds out whether the mail has left. One transaction: the
 * mail is queued if and only if the present says that it was. Its token is in the mail alone; the present has the hash.
 */
export async function stepPresent(db: Db, { lease, now }: { lease: Lease; now: Date }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const present = await lockPresent(trx, { id: lease.id });
    // Somebody was faster, or the lease has ended.
    if (present?.nextStepAt?.getTime() !== lease.until.getTime()) return;
    if (present.state === "planned") await send(trx, present, { lease, now });
    else if (present.state === "sent") await lookAtMail(trx, present, { lease, now });
    else await duePresents.settle(trx, lease, { next_step_at: null });
  });
}

async function send(trx: Trx, present: PresentRow, { lease, now }: { lease: Lease; now: Date }): Promise<void> {
  const { lineState, brandId, recipientEmail, recipientName } = present;
  if (isCardGone(lineState)) {
    await endPresent(trx, present, now);
    return;
  }
  if (lineState !== "issued") {
    await duePresents.release(trx, lease, { until: new Date(now.getTime() + CARD_MS) });
    return;
  }
  if (isExpired(present.expiresOn, now)) {
    await endPresent(trx, present, now);
    await tellGiver(trx, present, { news: "expired", now });
    return;
  }
  const token = newSecretToken();
  const mailId = newId();
  await queueMail(trx, {
    id: mailId,
    ...{ brandId, memberId: null, to: recipientEmail ?? "", now },
    mail: {
      kind: "present",
      path: paths.present(token),
      recipientName: recipientName ?? "",
      message: present.message ?? "",
      ...{ giverName: present.giverName, design: present.design, card: present.card, facePence: present.facePence },
    },
  });
  await changePresent(trx, present, {
    state: "sent",
    set: { token_hash: hashSecretToken(token), mail_id: mailId, sends: present.sends + 1, sent_at: null },
    nextStepAt: new Date(now.getTime() + LOOK_MS),
  });
}

/** A mail server that refuses a mail, or is silent for days, makes the present bounce. */
async function lookAtMail(trx: Trx, present: PresentRow, { lease, now }: { lease: Lease; now: Date }): Promise<void> {
  const mail = await trx
    .selectFrom("mails")
    .select(["state", "settled_at as settledAt"])
    .where("id", "=", present.mailId ?? "")
    .executeTakeFirst();
  if (mail?.state === "waiting") {
    await duePresents.release(trx, lease, { until: new Date(now.getTime() + LOOK_MS) });
    return;
  }
  const isBounced = mail?.state === "given-up";
  await changePresent(trx, present, {
    ...(isBounced ? { state: "bounced" as const } : { set: { sent_at: mail?.settledAt ?? now } }),
    nextStepAt: null,
  });
  await tellGiver(trx, present, { news: isBounced ? "bounced" : "sent", now });
}
