import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { dueMails } from "../mails/outbox.server.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertSignedInMember } from "../testing/insert-signed-in-member.testing.ts";
import { duePresents, stepPresent } from "./due-presents.server.ts";
import type { Gift } from "./gift.ts";
import { openShop } from "./shop.testing.ts";
import { dueNotices, stepNotice } from "./wallet-notices.server.ts";

export const WALLET_KEYS = ["a key of tests"] as const;
const MINUTE_MS = 60_000;

/** A gift for `recipientEmail`, to be sent at once. */
export const aGift = (more: Partial<Gift> = {}): Gift => ({
  recipientName: "Robin",
  recipientEmail: "robin@example.org",
  message: "Enjoy it.",
  design: "birthday",
  sendOn: null,
  ...more,
});

/** A club whose members buy gift cards, with a worker that sends presents and notices. */
export async function openWallets(
  db: Db,
  { brandId: known, keys = WALLET_KEYS }: { brandId?: string; keys?: readonly [string, ...string[]] } = {},
) {
  const shop = await openShop(db, keys);
  const brandId = known ?? (await insertBrand(db)).id;

  async function newMember() {
    const { id, sessionId } = await insertSignedInMember(db, { brandId });
    await db.updateTable("members").set({ email_verified: true }).where("id", "=", id).execute();
    return { memberId: id, sessionId };
  }

  /** Buys a card for a member. Returns the line's public id and the card's code. */
  async function buyCard(memberId: string, facePence = 2500): Promise<{ card: string; code: string }> {
    const bought = await shop.buy([["fixed", facePence]], { member: { id: memberId, brandId }, email: null });
    await bought.pay();
    await shop.work();
    const card = bought.lines[0] ?? "";
    return { card, code: shop.issuer.cards.get(`gc-${card}`)?.code ?? "" };
  }

  /** Takes the steps of presents and notices that are due, and lets the mails leave; refused ones are given up. */
  async function work({ refuses = [] as readonly string[], rounds = 10 } = {}): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      const now = shop.now();
      for (const lease of await duePresents.claim(db, { now, leaseMs: MINUTE_MS, max: 50 }))
        await stepPresent(db, { lease, now });
      for (const lease of await dueNotices.claim(db, { now, leaseMs: MINUTE_MS, max: 50 }))
        await stepNotice(db, { lease, keys: ["a key for links"], now });
      for (const lease of await dueMails.claim(db, { now, leaseMs: MINUTE_MS, max: 200 }))
        if (refuses.includes(lease.recipient))
          await dueMails.fail(db, lease, { now, error: "no such mailbox", isPermanent: true });
        else {
          delivered.push({ to: lease.recipient, kind: lease.kind, data: lease.data as Record<string, unknown> });
          await dueMails.settle(db, lease, { state: "sent", next_try_at: null, settled_at: now, data: "{}" });
        }
      shop.clock.at += MINUTE_MS;
    }
  }

  /** Mails that have left, in order. */
  const delivered: { to: string; kind: string; data: Record<string, unknown> }[] = [];

  /** Returns the token of the last present that was mailed to an address. */
  function tokenFor(to: string): string {
    const mail = delivered.findLast((one) => one.to === to && one.kind === "present");
    return String(mail?.data["path"]).replace("/gift/", "");
  }

  /** Adds a session, as another device of a member's. */
  async function newDevice(memberId: string): Promise<string> {
    const id = newId();
    await db
      .insertInto("member_sessions")
      .values({
        ...{ id, brand_id: brandId, member_id: memberId, token: id },
        expires_at: new Date(shop.clock.at + 86_400_000),
      })
      .execute();
    return id;
  }

  return { ...shop, workLines: shop.work, brandId, newMember, newDevice, buyCard, work, delivered, tokenFor };
}
