import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { duePresents, stepPresent } from "./due-presents.server.ts";
import { forgetOldPresents } from "./forget-presents.server.ts";
import { noteIssuedCard, planGift } from "./gifts.server.ts";
import { openCard } from "./open-card.server.ts";
import { changeGift, giveCard, openPresent, sendAgain, takeBack, viewPresent } from "./presents.server.ts";
import { PRESENT_TRANSITIONS, type PresentState } from "./presents-rules.ts";
import { resolveLine } from "./resolve-line.server.ts";
import { findWallet, findWalletCard } from "./wallet.server.ts";
import { aGift, openWallets, WALLET_KEYS } from "./wallet.testing.ts";

const { db } = await testDatabase();
const club = await openWallets(db);
const keys = WALLET_KEYS;
const DAY_MS = 86_400_000;
let ada: { memberId: string; sessionId: string };
beforeAll(async () => {
  ada = await club.newMember();
});

let receivers = 0;
/** A card of a new member's, given to a receiver of its own. */
async function given(more: Parameters<typeof aGift>[0] = {}) {
  const giver = await club.newMember();
  const { card, code } = await club.buyCard(giver.memberId);
  receivers += 1;
  const gift = aGift({ recipientEmail: `receiver-${receivers}@example.org`, ...more });
  const own = { memberId: giver.memberId, card };
  const outcome = await giveCard(db, { ...own, gift, now: club.now() });
  return { giver, own, card, code, gift, outcome };
}
const show = (own: { memberId: string; card: string }, sessionId: string) =>
  openCard(db, { ...own, sessionId, isFresh: true, keys, now: club.now() });
const open = (token: string, opener: string) =>
  openPresent(db, { brandId: club.brandId, token, opener, keys, now: club.now() });
const view = (token: string, opener: string | null) => viewPresent(db, { brandId: club.brandId, token, opener, keys });
const presentOf = async ({ memberId, card }: { memberId: string; card: string }) =>
  (await findWallet(db, { memberId, now: club.now() })).cards.find(({ publicId }) => publicId === card)?.present;

describe("G6 presents", () => {
  test("G6 a present is mailed without its code, opened once, and its giver told that it was sent and opened", async () => {
    const { own, code, gift, outcome, giver } = await given({ message: "Line one\nLine two" });
    expect(outcome).toBe("given");
    await club.work();
    const mail = club.delivered.findLast(({ to }) => to === gift.recipientEmail);
    expect(mail).toMatchObject({ kind: "present", data: { message: "Line one\nLine two", facePence: 2500 } });
    expect(JSON.stringify(club.delivered)).not.toContain(code);
    expect(await presentOf(own)).toMatchObject({ state: "sent", sentAt: expect.any(Date) as Date });
    const token = club.tokenFor(gift.recipientEmail);
    expect(await view(token, null)).toMatchObject({ outcome: "closed" });
    expect(await open(token, "browser one")).toMatchObject({ outcome: "shown", card: { code, pin: "1234" } });
    expect(await view(token, "browser one")).toMatchObject({ outcome: "shown", card: { code } });
    for (const opener of [null, "browser two"])
      expect(await view(token, opener)).toEqual({ outcome: "opened-elsewhere", openedAt: expect.any(Date) as Date });
    expect(await open(token, "browser two")).toMatchObject({ outcome: "opened-elsewhere" });
    await club.work();
    const { email } = await db
      .selectFrom("members")
      .select("email")
      .where("id", "=", giver.memberId)
      .executeTakeFirstOrThrow();
    const news = club.delivered.filter(({ to, kind }) => to === email && kind === "present-news");
    expect(news.map(({ data }) => data["news"])).toEqual(["sent", "opened"]);
  });

  test("G6 of 50 browsers that open a present at once, one has it", async () => {
    const { gift, code } = await given();
    await club.work();
    const token = club.tokenFor(gift.recipientEmail);
    const seen = await Promise.all(Array.from({ length: 50 }, (_, index) => open(token, `browser ${index}`)));
    expect(seen.filter(({ outcome }) => outcome === "shown")).toHaveLength(1);
    expect(seen.filter(({ outcome }) => outcome === "opened-elsewhere")).toHaveLength(49);
    expect(JSON.stringify(seen).split(code)).toHaveLength(2 + 1); // code and barcode of one answer
  });

  test("G6 the giver and the receiver never both get the card, whoever is first", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { own, gift, giver } = await given();
      await club.work();
      const token = club.tokenFor(gift.recipientEmail);
      const [back, opened] = await Promise.all([
        takeBack(db, { ...own, now: club.now() }),
        open(token, "browser"),
        changeGift(db, { ...own, gift, now: club.now() }),
      ]);
      const shown = await show(own, giver.sessionId);
      const receiverHasIt = opened.outcome === "shown";
      expect(shown.outcome === "opened" && receiverHasIt).toBe(false);
      if (receiverHasIt) expect(back).toBe("too-late");
      if (back === "taken-back") expect(shown.outcome).toBe("opened");
    }
  });

  test("G6 the giver can't see the code of a present, and can again once it is taken back", async () => {
    const { own, gift, giver, code } = await given();
    expect(await show(own, giver.sessionId)).toEqual({ outcome: "given" });
    await club.work();
    expect(await show(own, giver.sessionId)).toEqual({ outcome: "given" });
    expect(await takeBack(db, { ...own, now: club.now() })).toBe("taken-back");
    expect(await view(club.tokenFor(gift.recipientEmail), null)).toEqual({ outcome: "taken-back" });
    expect(await show(own, giver.sessionId)).toMatchObject({ outcome: "opened", card: { code } });
    expect(await giveCard(db, { ...own, gift, now: club.now() })).toBe("given");
    expect(await presentOf(own)).toMatchObject({ state: "planned", wasSeen: true });
  });

  test("G6 a present for a later day is sent at 8:00 in London of that day, and not before", async () => {
    const day = new Date(club.clock.at + 3 * DAY_MS).toISOString().slice(0, 10);
    const { gift } = await given({ sendOn: day });
    club.clock.at = Date.parse(`${day}T07:00:00Z`);
    await club.work();
    expect(club.delivered.some(({ to }) => to === gift.recipientEmail)).toBe(false);
    club.clock.at = Date.parse(`${day}T08:00:00Z`);
    await club.work();
    expect(club.delivered.filter(({ to }) => to === gift.recipientEmail)).toHaveLength(1);
  });

  test("G6 a mail that is refused makes the present bounce; with another address it is sent again by a new link", async () => {
    const { own, gift } = await given();
    await club.work({ refuses: [gift.recipientEmail] });
    expect(await presentOf(own)).toMatchObject({ state: "bounced" });
    expect(club.delivered.at(-1)).toMatchObject({ kind: "present-news", data: { news: "bounced" } });
    const right = `right-${receivers}@example.org`;
    expect(await changeGift(db, { ...own, gift: { ...gift, recipientEmail: right }, now: club.now() })).toBe("changed");
    await club.work();
    const first = club.tokenFor(right);
    expect(await sendAgain(db, { ...own, now: club.now() })).toBe("changed");
    await club.work();
    const second = club.tokenFor(right);
    expect(second).not.toBe(first);
    expect(await open(first, "browser")).toEqual({ outcome: "unknown" });
    expect(await open(second, "browser")).toMatchObject({ outcome: "shown" });
    expect(await changeGift(db, { ...own, gift, now: club.now() })).toBe("too-late");
    expect(await takeBack(db, { ...own, now: club.now() })).toBe("too-late");
  });

  test("G6 nobody is mailed more than five times with one present", async () => {
    const { own, gift } = await given();
    await club.work();
    for (let sends = 1; sends < 5; sends += 1) {
      expect(await sendAgain(db, { ...own, now: club.now() })).toBe("changed");
      await club.work();
    }
    expect(await sendAgain(db, { ...own, now: club.now() })).toBe("too-often");
    expect(club.delivered.filter(({ to }) => to === gift.recipientEmail)).toHaveLength(5);
  });

  test("G6 a card that is taken back for a refund is not opened, and its planned present ends", async () => {
    const { own, gift } = await given();
    await club.work();
    const token = club.tokenFor(gift.recipientEmail);
    await resolveLine(db, { publicId: own.card, decision: "refund", by: "op", now: club.now() });
    expect(await open(token, "browser")).toEqual({ outcome: "not-now" });
    const later = await given({ sendOn: new Date(club.clock.at + 2 * DAY_MS).toISOString().slice(0, 10) });
    await resolveLine(db, { publicId: later.card, decision: "refund", by: "op", now: club.now() });
    await club.workLines();
    club.clock.at += 3 * DAY_MS;
    await club.work();
    const row = await sql<{ state: string }>`
      select present.state from gift_card_presents present join gift_card_lines line on line.id = present.line_id
      where line.public_id = ${later.card}`.execute(db);
    expect(row.rows).toEqual([{ state: "taken_back" }]);
    expect(club.delivered.some(({ to }) => to === later.gift.recipientEmail)).toBe(false);
  });

  /** A card that a member bought and gives to a receiver of its own. */
  async function boughtAndGiven(more: Parameters<typeof aGift>[0] = {}) {
    const { memberId } = await club.newMember();
    const bought = await club.buy([["fixed", 2500]], { member: { id: memberId, brandId: club.brandId }, email: null });
    await bought.pay();
    await club.workLines();
    receivers += 1;
    const gift = aGift({ recipientEmail: `receiver-${receivers}@example.org`, ...more });
    const card = bought.lines[0] ?? "";
    expect(await giveCard(db, { memberId, card, gift, now: club.now() })).toBe("given");
    const takeCardBack = async () => {
      await resolveLine(db, { publicId: card, decision: "refund", by: "op", now: club.now() });
      await club.workLines();
    };
    const stored = async () =>
      (
        await sql<{ line: string; state: string; email: string | null }>`
          select line.state as line, present.state, present.recipient_email as email
          from gift_card_presents present join gift_card_lines line on line.id = present.line_id
          where line.public_id = ${card}`.execute(db)
      ).rows;
    return { bought, gift, takeCardBack, stored };
  }
  const day = (days: number) => new Date(club.clock.at + days * DAY_MS).toISOString().slice(0, 10);

  test("G6 a planned present whose card is charged back ends, and nobody is mailed", async () => {
    const { bought, gift, takeCardBack, stored } = await boughtAndGiven({ sendOn: day(2) });
    await bought.dispute("lost");
    await takeCardBack();
    expect(await stored()).toMatchObject([{ line: "charged_back", state: "taken_back" }]);
    club.clock.at += 3 * DAY_MS;
    await club.work();
    expect(club.delivered.some(({ to }) => to === gift.recipientEmail)).toBe(false);
  });

  test("G6 a present that was sent ends with its card's refund: its link says so, and its receiver is forgotten", async () => {
    const { gift, takeCardBack, stored } = await boughtAndGiven();
    await club.work();
    const token = club.tokenFor(gift.recipientEmail);
    await takeCardBack();
    expect(await stored()).toMatchObject([{ line: "refunded", state: "taken_back", email: gift.recipientEmail }]);
    expect(await view(token, null)).toEqual({ outcome: "card-gone" });
    expect(await open(token, "browser")).toEqual({ outcome: "card-gone" });
    await forgetOldPresents(db, { now: new Date(club.clock.at + 31 * DAY_MS) });
    expect(await stored()).toMatchObject([{ email: null }]);
  });

  test("G6 a present whose card is refunded before its mail leaves is not mailed, and its giver not told that it was sent", async () => {
    const { gift, takeCardBack, stored } = await boughtAndGiven();
    const [lease] = await duePresents.claim(db, { now: club.now(), leaseMs: 60_000, max: 50 });
    if (!lease) throw new Error("No present is due.");
    await stepPresent(db, { lease, now: club.now() });
    expect(await stored()).toMatchObject([{ state: "sent" }]);
    await takeCardBack();
    const before = club.delivered.length;
    await club.work();
    expect(await stored()).toMatchObject([{ state: "taken_back" }]);
    const since = club.delivered.slice(before);
    expect(since.filter(({ to, kind }) => to === gift.recipientEmail || kind === "present-news")).toEqual([]);
  });

  test("G6 what the buyer of a charged-back card said of a receiver is removed after 30 days", async () => {
    const bought = await club.buy([["fixed", 1000]], { email: "disputes@example.org" });
    const card = bought.lines[0] ?? "";
    const line = db.selectFrom("gift_card_lines").select(["state", "gift"]).where("public_id", "=", card);
    await db
      .updateTable("gift_card_lines")
      .set({ gift: JSON.stringify(aGift()) })
      .where("public_id", "=", card)
      .execute();
    await bought.pay();
    await bought.dispute("lost");
    await club.workLines();
    expect(await line.executeTakeFirst()).toMatchObject({ state: "charged_back", gift: { recipientName: "Robin" } });
    await forgetOldPresents(db, { now: new Date(club.clock.at + 31 * DAY_MS) });
    expect(await line.executeTakeFirst()).toMatchObject({ gift: null });
  });

  const lastDay = async (card: string, expiresOn: string) =>
    db.updateTable("gift_card_lines").set({ expires_on: expiresOn }).where("public_id", "=", card).execute();

  test("G6 a card is given for its last day, and for no later one", async () => {
    const { memberId } = await club.newMember();
    const { card } = await club.buyCard(memberId);
    await lastDay(card, day(20));
    const give = (sendOn: string | null) => giveCard(db, { memberId, card, gift: aGift({ sendOn }), now: club.now() });
    const change = (sendOn: string | null) =>
      changeGift(db, { memberId, card, gift: aGift({ sendOn }), now: club.now() });
    expect(await give(day(21))).toBe("card-over");
    expect(await give(day(20))).toBe("given");
    expect(await change(day(21))).toBe("card-over");
    expect(await change(day(19))).toBe("changed");
    await lastDay(card, day(-1));
    expect(await change(null)).toBe("card-over");
    expect(await sendAgain(db, { memberId, card, now: club.now() })).toBe("card-over");
    expect(await takeBack(db, { memberId, card, now: club.now() })).toBe("taken-back");
    expect(await give(null)).toBe("card-over");
  });

  test("G6 a planned present whose card has expired is not sent, and its giver told", async () => {
    const { own, gift, giver } = await given({ sendOn: day(2) });
    await lastDay(own.card, day(1));
    club.clock.at += 3 * DAY_MS;
    await club.work();
    expect(club.delivered.some(({ to }) => to === gift.recipientEmail)).toBe(false);
    expect(await presentOf(own)).toBeNull();
    const { email } = await db
      .selectFrom("members")
      .select("email")
      .where("id", "=", giver.memberId)
      .executeTakeFirstOrThrow();
    const news = club.delivered.filter(({ to, kind }) => to === email && kind === "present-news");
    expect(news.map(({ data }) => data["news"])).toEqual(["expired"]);
  });

  test("G6 another member can neither give, change, take back nor see a card, and a used card is not given", async () => {
    const { own, gift } = await given();
    const foreign = { memberId: ada.memberId, card: own.card, now: club.now() };
    expect(await giveCard(db, { ...foreign, gift })).toBe("unknown");
    expect(await changeGift(db, { ...foreign, gift })).toBe("unknown");
    expect(await sendAgain(db, foreign)).toBe("unknown");
    expect(await takeBack(db, foreign)).toBe("unknown");
    expect(await show(foreign, ada.sessionId)).toEqual({ outcome: "unknown" });
    expect(await findWalletCard(db, { ...foreign, sessionId: ada.sessionId })).toBeNull();
    expect(await giveCard(db, { ...own, gift, now: club.now() })).toBe("not-now");
  });

  test("G6 another brand's site does not know a present", async () => {
    const { gift } = await given();
    await club.work();
    const token = club.tokenFor(gift.recipientEmail);
    const elsewhere = { brandId: "00000000-0000-0000-0000-000000000001", token, opener: "browser", keys };
    expect(await openPresent(db, { ...elsewhere, now: club.now() })).toEqual({ outcome: "unknown" });
  });

  test("G6 a line that was bought as a present becomes one when its card is issued, and forgets what the buyer said", async () => {
    const buyer = await club.newMember();
    const bought = await club.buy([["fixed", 1000]], { member: { id: buyer.memberId, brandId: club.brandId } });
    const gift = aGift({ recipientEmail: "bought-as-one@example.org" });
    const card = bought.lines[0] ?? "";
    await db
      .updateTable("gift_card_lines")
      .set({ gift: JSON.stringify(gift) })
      .where("public_id", "=", card)
      .execute();
    await bought.pay();
    await club.workLines();
    await club.work();
    const token = club.tokenFor(gift.recipientEmail);
    expect(await open(token, "browser")).toMatchObject({ outcome: "shown" });
    expect(await show({ memberId: buyer.memberId, card }, buyer.sessionId)).toEqual({ outcome: "given" });
    const line = await db
      .selectFrom("gift_card_lines")
      .select(["id", "gift"])
      .where("public_id", "=", card)
      .executeTakeFirstOrThrow();
    expect(line.gift).toBeNull();
    // Issued again after a reversal that failed: still one present.
    await db.transaction().execute((trx) => noteIssuedCard(trx, { lineId: line.id, now: club.now() }));
    await db.transaction().execute((trx) => planGift(trx, { lineId: line.id, gift, now: club.now() }));
    const { rows } = await sql`select from gift_card_presents where line_id = ${line.id}`.execute(db);
    expect(rows).toHaveLength(1);
  });

  test("G6 a visitor's present comes from a friend, and the visitor is told at the address of the receipt", async () => {
    const bought = await club.buy([["fixed", 1000]], { email: "visitor-giver@example.org" });
    const gift = aGift({ recipientEmail: "of-a-visitor@example.org" });
    await db
      .updateTable("gift_card_lines")
      .set({ gift: JSON.stringify(gift) })
      .where("public_id", "=", bought.lines[0] ?? "")
      .execute();
    await bought.pay();
    await club.workLines();
    await club.work();
    const mail = club.delivered.findLast(({ to }) => to === gift.recipientEmail);
    expect(mail?.data["giverName"]).toBe("A friend");
    expect(club.delivered).toContainEqual(
      expect.objectContaining({ to: "visitor-giver@example.org", kind: "present-news" }),
    );
  });

  test("G6 a gift that can't be read leaves the card with its buyer", async () => {
    const buyer = await club.newMember();
    const bought = await club.buy([["fixed", 1000]], { member: { id: buyer.memberId, brandId: club.brandId } });
    const card = bought.lines[0] ?? "";
    await db
      .updateTable("gift_card_lines")
      .set({ gift: JSON.stringify({ recipientEmail: "two@example.org,three@example.org" }) })
      .where("public_id", "=", card)
      .execute();
    await bought.pay();
    await club.workLines();
    expect(await show({ memberId: buyer.memberId, card }, buyer.sessionId)).toMatchObject({ outcome: "opened" });
  });

  test("G6 the receiver's address is removed after 30 days, and the words after a year", async () => {
    const { own, gift, card } = await given();
    await club.work();
    await open(club.tokenFor(gift.recipientEmail), "browser");
    const at = (days: number) => new Date(club.clock.at + days * DAY_MS);
    await forgetOldPresents(db, { now: at(29) });
    expect(await presentOf(own)).toMatchObject({ recipientEmail: gift.recipientEmail });
    await forgetOldPresents(db, { now: at(31) });
    expect(await presentOf(own)).toMatchObject({ recipientEmail: null, recipientName: "Robin" });
    await forgetOldPresents(db, { now: at(366) });
    expect(await presentOf(own)).toMatchObject({ recipientName: null, message: null });
    expect(card).not.toBe("");
  });

  test("G6 SQL has the transitions of the rules, and no others", async () => {
    const { own } = await given();
    const states = Object.keys(PRESENT_TRANSITIONS) as PresentState[];
    const columns = sql`token_hash = decode(repeat('00', 32), 'hex')`;
    for (const from of states)
      for (const to of states.filter((one) => one !== from)) {
        const change = db.transaction().execute(async (trx) => {
          await sql`alter table gift_card_presents disable trigger gift_card_presents_lifecycle`.execute(trx);
          const put = (state: PresentState, more = sql``) => sql`
            update gift_card_presents present set state = ${state}, ${columns},
              opened_at = case when ${state} = 'opened' then now() end,
              opener_hash = case when ${state} = 'opened' then decode(repeat('00', 32), 'hex') end,
              taken_back_at = case when ${state} = 'taken_back' then now() end ${more}
            from gift_card_lines line where line.id = present.line_id and line.public_id = ${own.card}`;
          await put(from).execute(trx);
          await sql`alter table gift_card_presents enable trigger gift_card_presents_lifecycle`.execute(trx);
          await put(to, sql`, version = present.version + 1`).execute(trx);
          throw new Error("undone");
        });
        const isAllowed = (PRESENT_TRANSITIONS[from] as readonly string[]).includes(to);
        await expect(change, `${from} -> ${to}`).rejects.toThrow(isAllowed ? "undone" : /cannot go from/);
      }
  });
});
