import type { Db } from "@farthing/db/client.ts";
import { keepPlan, unseenByPlanner } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import type { Pence } from "../money/money.ts";
import type { GiftDesign } from "./gift.ts";
import type { PresentState } from "./presents-rules.ts";
import type { LineState } from "./rules.ts";
import { troubleOfProduct } from "./sold-products.server.ts";
import { isExpired, leftOn } from "./wallet-rules.ts";

/** The present that a card is, for its giver. */
export interface GivenPresent {
  state: PresentState;
  recipientName: string | null;
  recipientEmail: string | null;
  message: string | null;
  design: GiftDesign;
  /** A day in London: YYYY-MM-DD. */
  sendOn: string;
  sends: number;
  wasSeen: boolean;
  sentAt: Date | null;
  openedAt: Date | null;
}

/** A card of a member's wallet. Never its code. */
export interface WalletCard {
  publicId: string;
  /** The product's name. */
  card: string;
  /** The product's address in the portal, and of its picture. */
  cardSlug: string;
  facePence: Pence;
  /** What the issuer said, without what the member has noted since. */
  leftPence: Pence;
  state: LineState;
  issuedAt: Date;
  /** The last day on which it can be used (YYYY-MM-DD); null: it does not expire, or the issuer does not say. */
  expiresOn: string | null;
  isExpired: boolean;
  usedAt: Date | null;
  present: GivenPresent | null;
  /** Why it is not sold, if its owner should know; `isInsolvent`: its retailer is in trouble, and it should be used soon. */
  stop: { because: string; isInsolvent: boolean } | null;
}

/** A card with what its own page shows. */
export interface WalletCardPage extends WalletCard {
  order: string;
  terms: string;
  redeemableAt: readonly ("online" | "in-store")[];
  firstShownAt: Date | null;
  /** Whether this session has shown the code. */
  isKnownDevice: boolean;
  read: { leftPence: Pence; readAt: Date } | null;
  spends: { id: string; amountPence: Pence; note: string | null; notedAt: Date }[];
}

interface Row extends Omit<WalletCardPage, "leftPence" | "isExpired" | "stop" | "read" | "spends" | "present"> {
  readPence: Pence | null;
  readAt: Date | null;
  stoppedBecause: string | null;
  /** Why its owner should use it soon; null: the retailer is well. */
  trouble: string | null;
  spends: { id: string; amountPence: Pence; note: string | null; notedAt: string }[];
  present: (Omit<GivenPresent, "sentAt" | "openedAt"> & { sentAt: string | null; openedAt: string | null }) | null;
}

const NOBODY = "00000000-0000-0000-0000-000000000000";

async function findRows(
  db: Db,
  { memberId, card, sessionId }: { memberId: string; card: string | null; sessionId: string | null },
): Promise<Row[]> {
  const { rows } = await sql<Row>`${keepPlan}
    select line.public_id as "publicId", product.name as card, product.slug as "cardSlug", line.face_pence as "facePence", line.state,
      line.issued_at as "issuedAt", line.expires_on as "expiresOn", wallet.used_at as "usedAt",
      line.first_shown_at as "firstShownAt", wallet.left_pence as "readPence", wallet.left_read_at as "readAt",
      product.stopped_because as "stoppedBecause", ${troubleOfProduct} as trouble, product.terms,
      product.redeemable_at as "redeemableAt", orders.public_id as order,
      exists (select from gift_card_devices device
        where device.line_id = line.id and device.session_id = ${sessionId ?? NOBODY}) as "isKnownDevice",
      (select coalesce(jsonb_agg(jsonb_build_object('id', spend.id, 'amountPence', spend.amount_pence, 'note', spend.note,
          'notedAt', spend.noted_at) order by spend.noted_at desc, spend.id), '[]')
        from gift_card_spends spend where spend.line_id = line.id and spend.member_id = wallet.member_id) as spends,
      (select jsonb_build_object('state', present.state, 'recipientName', present.recipient_name,
          'recipientEmail', present.recipient_email, 'message', present.message, 'design', present.design,
          'sendOn', present.send_on, 'sends', present.sends, 'wasSeen', present.was_seen, 'sentAt', present.sent_at,
          'openedAt', present.opened_at)
        from gift_card_presents present where present.line_id = line.id and present.state <> 'taken_back') as present
    from wallet_cards wallet
      join gift_card_lines line on line.id = wallet.line_id
      join gift_card_orders orders on orders.id = line.order_id
      join gift_card_products product on product.id = line.product_id
    where wallet.member_id = ${unseenByPlanner(memberId, "uuid")} and line.state in ('issued', 'reversing')
      and (${card}::text is null or line.public_id = ${card})
    order by wallet.used_at is not null, line.expires_on nulls last, line.issued_at desc, line.id`.execute(db);
  return rows;
}

function pageOf(row: Row, now: Date): WalletCardPage {
  const { readPence, readAt, stoppedBecause, trouble, spends: noted, present, ...card } = row;
  const spends = noted.map((spend) => ({ ...spend, notedAt: new Date(spend.notedAt) }));
  const read = readPence !== null && readAt !== null ? { leftPence: readPence, readAt } : null;
  return {
    ...card,
    read,
    spends,
    leftPence: leftOn({ facePence: card.facePence, spends, read }),
    isExpired: isExpired(card.expiresOn, now),
    stop: stopOf(trouble, stoppedBecause),
    present: present && {
      ...present,
      sentAt: present.sentAt === null ? null : new Date(present.sentAt),
      openedAt: present.openedAt === null ? null : new Date(present.openedAt),
    },
  };
}

function stopOf(trouble: string | null, stoppedBecause: string | null): WalletCard["stop"] {
  if (trouble !== null) return { because: trouble, isInsolvent: true };
  return stoppedBecause === null ? null : { because: stoppedBecause, isInsolvent: false };
}

/** A card that is paid for and not there yet. */
export interface CardInTheMaking {
  publicId: string;
  card: string;
  cardSlug: string;
  facePence: Pence;
  isHeld: boolean;
  paidAt: Date;
}

export interface Wallet {
  /** Those that expire first come first, used ones last. */
  cards: WalletCard[];
  making: CardInTheMaking[];
}

/** Returns a member's gift cards. */
export async function findWallet(db: Db, { memberId, now }: { memberId: string; now: Date }): Promise<Wallet> {
  const rows = await findRows(db, { memberId, card: null, sessionId: null });
  const { rows: making } = await sql<CardInTheMaking>`${keepPlan}
    select line.public_id as "publicId", product.name as card, product.slug as "cardSlug", line.face_pence as "facePence", line.state = 'held' as "isHeld",
      line.paid_at as "paidAt"
    from gift_card_orders orders join gift_card_lines line on line.order_id = orders.id
      join gift_card_products product on product.id = line.product_id
    where orders.member_id = ${unseenByPlanner(memberId, "uuid")} and line.state in ('held', 'issuing')
    order by line.paid_at desc, line.id`.execute(db);
  return { cards: rows.map((row) => pageOf(row, now)), making };
}

/** Returns a card of a member's; null: the member has no such card. */
export async function findWalletCard(
  db: Db,
  { memberId, card, sessionId, now }: { memberId: string; card: string; sessionId: string; now: Date },
): Promise<WalletCardPage | null> {
  const [row] = await findRows(db, { memberId, card, sessionId });
  return row ? pageOf(row, now) : null;
}

/** What the page of a member's money says of the wallet. */
export interface WalletPanel {
  /** Cards that are neither used, given away nor expired. */
  cards: number;
  leftPence: Pence;
  making: number;
}

/** Returns the sums of a member's wallet. */
export async function findWalletPanel(
  db: Db,
  { memberId, now }: { memberId: string; now: Date },
): Promise<WalletPanel> {
  const { cards, making } = await findWallet(db, { memberId, now });
  const usable = cards.filter(isUsable);
  return {
    cards: usable.length,
    leftPence: usable.reduce((total, { leftPence }) => total + leftPence, 0),
    making: making.length,
  };
}

/** Returns whether a card is its member's to use: nothing is left of one that is used, given away or expired. */
export function isUsable({ usedAt, present, isExpired: isOver, leftPence }: WalletCard): boolean {
  return usedAt === null && present === null && !isOver && leftPence > 0;
}
