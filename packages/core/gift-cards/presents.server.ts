import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { londonDate } from "../registration/rules.ts";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { hashSecretToken, isSameSecret } from "../secrets/secret-token.ts";
import { tellGiver } from "./announce-presents.server.ts";
import { openCard, type CardSecrets } from "./card-seal.ts";
import { type Gift, sendDayProblem } from "./gift.ts";
import { insertPresent } from "./gifts.server.ts";
import {
  changePresent,
  dropMail,
  endPresent,
  findPresent,
  lockCard,
  lockPresent,
  type PresentRow,
} from "./present-row.server.ts";
import { isCardGone, isOpenToChange, MAX_SENDS, sendAt } from "./presents-rules.ts";

/** A card of a member's wallet. */
interface OwnCard {
  memberId: string;
  /** The line's public id. */
  card: string;
  now: Date;
}

/** `unknown`: the member has no such card. `not-now`: it is a present, or is being taken back. `card-over`: on that day it has expired. */
export type GiveOutcome = "given" | "not-now" | "card-over" | "unknown";

/** Gives a card of a member's wallet to somebody. From here on the member can't see its code. */
export async function giveCard(db: Db, { gift, ...own }: OwnCard & { gift: Gift }): Promise<GiveOutcome> {
  return db.transaction().execute(async (trx) => {
    const card = await lockOwnCard(trx, own);
    if (!card) return "unknown";
    if (card.state !== "issued" || card.usedAt !== null) return "not-now";
    if (sendDayProblem(gift.sendOn, own.now, card.expiresOn) === "card-over") return "card-over";
    const { lineId, brandId, giverName, wasSeen } = card;
    const isNew = await insertPresent(trx, { lineId, brandId, giverName, wasSeen, gift, now: own.now });
    return isNew ? "given" : "not-now";
  });
}

/** `too-late`: it was opened or taken back. `too-often`: it was mailed five times. `card-over`: on that day its card has expired. */
export type ChangeOutcome = "changed" | "too-late" | "too-often" | "card-over" | "unknown";

/**
 * Changes a present that nobody has opened: the receiver, the words or the day. One that was sent is sent again, with a new
 * link; the old link opens nothing any more.
 */
export async function changeGift(db: Db, { gift, ...own }: OwnCard & { gift: Gift }): Promise<ChangeOutcome> {
  return db.transaction().execute(async (trx) => {
    const present = await lockOwnPresent(trx, own);
    if (present === "unknown") return "unknown";
    if (!present || !isOpenToChange(present.state)) return "too-late";
    if (present.sends >= MAX_SENDS) return "too-often";
    if (sendDayProblem(gift.sendOn, own.now, present.expiresOn) === "card-over") return "card-over";
    await changePresent(trx, present, {
      state: "planned",
      set: {
        ...{ recipient_name: gift.recipientName, recipient_email: gift.recipientEmail, message: gift.message },
        ...{ design: gift.design, send_on: gift.sendOn ?? londonDate(own.now) },
        ...{ token_hash: null, mail_id: null, sent_at: null },
      },
      nextStepAt: sendAt(gift.sendOn, own.now),
    });
    await dropMail(trx, present);
    return "changed";
  });
}

/** Sends a present again, as it is and at once, with a new link. */
export async function sendAgain(db: Db, own: OwnCard): Promise<ChangeOutcome> {
  const present = await findOwnPresent(db, own);
  if (present === "unknown") return "unknown";
  if (!present?.recipientName || !present.recipientEmail || present.message === null) return "too-late";
  const { recipientName, recipientEmail, message, design } = present;
  return changeGift(db, { ...own, gift: { recipientName, recipientEmail, message, design, sendOn: null } });
}

/** Takes a present back that nobody has opened. Its card is the member's again, and its link opens nothing. */
export async function takeBack(db: Db, own: OwnCard): Promise<"taken-back" | "too-late" | "unknown"> {
  return db.transaction().execute(async (trx) => {
    const present = await lockOwnPresent(trx, own);
    if (present === "unknown") return "unknown";
    if (!present || !isOpenToChange(present.state)) return "too-late";
    await endPresent(trx, present, own.now);
    return "taken-back";
  });
}

interface Opening {
  brandId: string;
  /** The token of the link in the mail. */
  token: string;
  /** The secret of this browser; null: it has none. */
  opener: string | null;
  keys: SecretKeys;
}

/** What the page of a present shows. */
export type PresentView =
  /** Nobody has opened it. */
  | { outcome: "closed"; present: PresentRow }
  /** This browser has opened it. */
  | { outcome: "shown"; present: PresentRow; card: CardSecrets }
  | { outcome: "opened-elsewhere"; openedAt: Date }
  | { outcome: "taken-back" }
  /** The card is refunded or charged back, or will be. */
  | { outcome: "card-gone" }
  /** The card is being taken back. */
  | { outcome: "not-now" }
  | { outcome: "unknown" };

/** Returns what a browser sees of a present. Reading opens nothing: mail scanners follow links. */
export async function viewPresent(db: Db, { brandId, token, opener, keys }: Opening): Promise<PresentView> {
  const present = await findPresent(db, { tokenHash: hashSecretToken(token), brandId });
  return lookInto(db, present, { opener, keys });
}

/** Opens a present in this browser, once. Further calls from it return the card again; from any other, when it was opened. */
export async function openPresent(
  db: Db,
  { brandId, token, opener, keys, now }: Opening & { opener: string; now: Date },
): Promise<PresentView> {
  const which = { tokenHash: hashSecretToken(token), brandId };
  return db.transaction().execute(async (trx) => {
    const present = await lockPresent(trx, which);
    const before = await lookInto(trx, present, { opener, keys });
    if (before.outcome !== "closed") return before;
    await changePresent(trx, before.present, {
      state: "opened",
      set: { opener_hash: hashSecretToken(opener), opened_at: now },
      nextStepAt: null,
    });
    await tellGiver(trx, before.present, { news: "opened", now });
    return lookInto(trx, await findPresent(trx, which), { opener, keys });
  });
}

async function lookInto(
  db: Db | Trx,
  present: PresentRow | null,
  { opener, keys }: { opener: string | null; keys: SecretKeys },
): Promise<PresentView> {
  if (!present) return { outcome: "unknown" };
  if (isCardGone(present.lineState)) return { outcome: "card-gone" };
  if (present.state === "taken_back") return { outcome: "taken-back" };
  if (present.lineState !== "issued") return { outcome: "not-now" };
  const { openerHash, openedAt } = present;
  if (openedAt === null || openerHash === null) return { outcome: "closed", present };
  if (opener === null || !isSameSecret(hashSecretToken(opener), openerHash))
    return { outcome: "opened-elsewhere", openedAt };
  const { sealed_card: sealed } = await db
    .selectFrom("gift_card_lines")
    .select("sealed_card")
    .where("id", "=", present.lineId)
    .executeTakeFirstOrThrow();
  return { outcome: "shown", present, card: openCard(sealed ?? "", present.lineId, keys) };
}

interface LockedCard {
  lineId: string;
  brandId: string;
  state: string;
  giverName: string;
  wasSeen: boolean;
  usedAt: Date | null;
  /** A day in London: YYYY-MM-DD. */
  expiresOn: string | null;
}

/** Locks a member's card and returns it; null: the member has no such card. */
export async function lockOwnCard(trx: Trx, { memberId, card }: Omit<OwnCard, "now">): Promise<LockedCard | null> {
  const read = () =>
    sql<LockedCard>`
      select line.id as "lineId", wallet.brand_id as "brandId", line.state, member.name as "giverName",
        line.first_shown_at is not null as "wasSeen", wallet.used_at as "usedAt",
        line.expires_on as "expiresOn"
      from wallet_cards wallet join gift_card_lines line on line.id = wallet.line_id
        join members member on member.id = wallet.member_id
      where line.public_id = ${card} and wallet.member_id = ${memberId}`.execute(trx);
  const seen = (await read()).rows[0];
  if (!seen) return null;
  await lockCard(trx, seen.lineId);
  return (await read()).rows[0] ?? null;
}

/** Returns the present that a member's card is; null: it is none, "unknown": the member has no such card. */
export async function findOwnPresent(
  db: Db | Trx,
  { memberId, card }: Omit<OwnCard, "now">,
): Promise<PresentRow | null | "unknown"> {
  const { rows } = await sql<{ lineId: string }>`
    select line.id as "lineId" from wallet_cards wallet join gift_card_lines line on line.id = wallet.line_id
    where line.public_id = ${card} and wallet.member_id = ${memberId}`.execute(db);
  return rows[0] ? findPresent(db, { lineId: rows[0].lineId }) : "unknown";
}

async function lockOwnPresent(trx: Trx, own: OwnCard): Promise<PresentRow | null | "unknown"> {
  const card = await lockOwnCard(trx, own);
  return card ? findPresent(trx, { lineId: card.lineId }) : "unknown";
}
