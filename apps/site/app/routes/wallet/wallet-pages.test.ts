import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { stopProduct } from "@farthing/core/gift-cards/operations.server.ts";
import { openWallets } from "@farthing/core/gift-cards/wallet.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { SignedInMember } from "../../../server/visit.ts";
import {
  GIFT_CARD_KEYS,
  hiddenField,
  loadSite,
  openClub,
  textOf,
  type TestClub,
} from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();
let club: TestClub;
let wallets: Awaited<ReturnType<typeof openWallets>>;
beforeAll(async () => {
  club = await openClub(db, { now: () => wallets.now() });
  wallets = await openWallets(db, { brandId: club.brand.id, keys: GIFT_CARD_KEYS });
  wallets.clock.at = NOW.getTime();
  club.services.giftCards.issuers = new Map([["memory", wallets.issuer.issuer]]);
});

/** A member with a card. `isFresh`: they have just proved who they are. */
async function owner({ isFresh = true } = {}) {
  const known = await club.newMember();
  const member: SignedInMember = isFresh ? { ...known, authenticatedAt: wallets.now() } : known;
  const { card, code } = await wallets.buyCard(member.id);
  return { member, code, path: `/money/gift-cards/${card}` };
}
const read = async (path: string, member: SignedInMember) => textOf(await (await club.get(path, { member })).text());
const form = (more: Record<string, string> = {}) => ({
  ...{
    intent: "give",
    recipient_name: "Robin",
    recipient_email: "robin@example.org",
    message: "Enjoy",
    design: "thanks",
  },
  ...{ send_on: "", ...more },
});

describe("G6 the pages of the wallet", () => {
  test("G6 a newcomer reads what the wallet is for, and where cards are sold", async () => {
    const member = await club.newMember();
    const html = await (await club.get("/money/gift-cards", { member })).text();
    expect(textOf(html)).toContain("No gift cards yet");
    expect(html).toContain('href="/gift-cards"');
    expect(await read("/money", member)).toContain("Your gift cards");
  });

  test("G6 a card shows its code by a post alone, and asks a strange device for a proof first", async () => {
    const { member, code, path } = await owner({ isFresh: false });
    const html = await (await club.get(path, { member })).text();
    expect(html).not.toContain(code);
    const refused = await club.post(path, { intent: "show" }, { member });
    expect(refused.status).toBe(303);
    expect(refused.headers.get("location")).toBe(`/login/again?next=${encodeURIComponent(`${path}?note=ready`)}`);
    const fresh = { ...member, authenticatedAt: wallets.now() };
    expect(await read(`${path}?note=ready`, fresh)).toContain("Now press the button below");
    const shown = await club.post(path, { intent: "show" }, { member: fresh });
    expect(shown.headers.get("cache-control")).toBe("private, no-store");
    const page = await shown.text();
    expect(textOf(page)).toContain(code);
    expect(page).toContain('aria-label="Barcode for the till"');
    expect(textOf(page)).toContain("1234");
    expect((await club.post(path, { intent: "show" }, { member })).status, "a known device").toBe(200);
  });

  test("G6 spends are noted and removed, and a refused amount keeps what was typed", async () => {
    const { member, path } = await owner();
    const refused = await club.post(path, { intent: "spend", amount: "lots", note: "At the till" }, { member });
    expect(refused.status).toBe(400);
    const html = await refused.text();
    for (const value of ["lots", "At the till"]) expect(html).toContain(`value="${value}"`);
    const missing = await club.post(path, { intent: "spend", amount: "", note: "" }, { member });
    expect(textOf(await missing.text())).toContain("** This is a required field");
    const noted = await club.post(path, { intent: "spend", amount: "7.50", note: "Boots" }, { member });
    expect(noted.headers.get("location")).toBe(`${path}?note=spent`);
    expect(await read(path, member)).toContain("£17.50");
    const tooMuch = await club.post(path, { intent: "spend", amount: "17.51", note: "" }, { member });
    expect(textOf(await tooMuch.text())).toContain("more than is left");
    const id = /name="spend" value="([^"]+)"/.exec(await (await club.get(path, { member })).text())?.[1] ?? "";
    await club.post(path, { intent: "remove-spend", spend: id }, { member });
    expect(await read(path, member)).not.toContain("£17.50");
    await club.post(path, { intent: "used" }, { member });
    expect(await read("/money/gift-cards", member)).toContain("Used, as you marked on");
    await club.post(path, { intent: "balance" }, { member });
    expect(await read(path, member)).toContain("The issuer said £25.00");
  });

  test("G6 a spend whose form is sent twice is noted once, and another spend of the same form is another", async () => {
    const { member, path } = await owner();
    const html = await (await club.get(path, { member })).text();
    const key = hiddenField(html, "key") ?? "";
    const send = (amount: string, note: string) =>
      club
        .post(path, { intent: "spend", key, amount, note }, { member })
        .then(({ headers }) => headers.get("location"));
    const noted = `${path}?note=spent`;
    expect(await Promise.all([send("20", "Boots"), send("20", "Boots")])).toEqual([noted, noted]);
    expect(await read(path, member)).toContain("£5.00");
    expect(await send("2", "Socks")).toBe(noted);
    expect(await read(path, member)).toContain("£3.00");
    expect(hiddenField(await (await club.get(path, { member })).text(), "key")).not.toBe(key);
  });

  test("G6 an insolvent retailer's card says so, with the operator's words", async () => {
    const { member, path } = await owner();
    const stop = { issuerProductId: "fixed", now: wallets.now() };
    await stopProduct(db, { ...stop, because: "In administration since Monday", isInsolvent: true });
    expect(await read(path, member)).toContain("In administration since Monday.");
    expect(await read("/money/gift-cards", member)).toContain("Use it soon");
    await stopProduct(db, { ...stop, because: null });
  });

  test("G6 another member's card is nowhere, and an unknown intent is refused", async () => {
    const { member, path } = await owner();
    const other = { ...(await club.newMember()), authenticatedAt: wallets.now() };
    for (const page of [path, `${path}/gift`]) {
      expect((await club.get(page, { member: other })).status).toBe(404);
      expect((await club.post(page, form({ intent: "show" }), { member: other })).status).toBe(404);
    }
    expect((await club.post(path, { intent: "eat" }, { member })).status).toBe(400);
  });
});

describe("G6 giving a card", () => {
  test("G6 the form asks a strange device for a proof, and keeps what was typed", async () => {
    const strange = await owner({ isFresh: false });
    expect((await club.get(`${strange.path}/gift`, { member: strange.member })).headers.get("location")).toMatch(
      /^\/login\/again/,
    );
    const posted = await club.post(`${strange.path}/gift`, form(), { member: strange.member });
    expect(posted.headers.get("location")).toBe(
      `/login/again?next=${encodeURIComponent(`${strange.path}/gift?note=not-saved`)}`,
    );
    const { member, path } = await owner();
    const refused = await club.post(`${path}/gift`, form({ recipient_email: "robin", message: "A <b>&" }), { member });
    expect(refused.status).toBe(400);
    const html = await refused.text();
    expect(html).toContain('value="robin"');
    expect(html).toContain("A &lt;b&gt;&amp;");
    expect(textOf(html)).toContain("Enter an e-mail address");
  });

  test("G6 M5 the tab keeps what is typed until the card is given, and the page says what a lapsed proof has not saved", async () => {
    const { member, path } = await owner();
    const name = `give:${path.split("/").at(-1)}`;
    const asked = await (await club.get(`${path}/gift?note=not-saved`, { member })).text();
    expect(textOf(asked)).toContain("Nothing was saved. Please send it again.");
    expect(asked).toContain(`data-half-filled="${name}" data-form="give"`);
    expect(asked).toContain('<form id="give"');
    await club.post(`${path}/gift`, form(), { member });
    expect(await (await club.get(`${path}/gift?note=given`, { member })).text()).toContain(
      `data-form-arrived="${name}"`,
    );
  });

  test("G6 the form takes the days on which the card is valid, and an expired card has none", async () => {
    const { member, path } = await owner();
    const line = db.updateTable("gift_card_lines").where("public_id", "=", path.split("/").at(-1) ?? "");
    const day = (days: number) => new Date(wallets.clock.at + days * 86_400_000).toISOString().slice(0, 10);
    await line.set({ expires_on: day(20) }).execute();
    expect(await (await club.get(`${path}/gift`, { member })).text()).toContain(`max="${day(20)}"`);
    const refused = await club.post(`${path}/gift`, form({ send_on: day(21) }), { member });
    expect(refused.status).toBe(400);
    expect(textOf(await refused.text())).toContain("Choose a day before the card ends");
    await line.set({ expires_on: day(-1) }).execute();
    expect((await club.get(`${path}/gift`, { member })).headers.get("location")).toBe(path);
    await line.set({ expires_on: day(20) }).execute();
    await club.post(`${path}/gift`, form({ recipient_email: "before-it-ends@example.org" }), { member });
    await wallets.work();
    await line.set({ expires_on: day(-1) }).execute();
    const again = await club.post(`${path}/gift`, { intent: "again" }, { member });
    expect(again.headers.get("location")).toBe(`${path}/gift?note=card-over`);
    const page = await read(`${path}/gift?note=card-over`, member);
    expect(page).toContain("The card has expired by then");
    expect(page).not.toContain("Send the mail again");
  });

  test("G6 a card that was seen says so when it is given, and its code is hidden from its giver", async () => {
    const { member, path, code } = await owner();
    await club.post(path, { intent: "show" }, { member });
    expect(await read(`${path}/gift`, member)).toContain("You have seen the code");
    const given = await club.post(`${path}/gift`, form(), { member });
    expect(given.headers.get("location")).toBe(`${path}/gift?note=given`);
    expect(await read(`${path}/gift`, member)).toContain("You had seen the code before");
    const shown = await club.post(path, { intent: "show" }, { member });
    expect(shown.headers.get("location")).toBe(path);
    expect(await read(path, member)).toContain("This card is a present");
    const back = await club.post(`${path}/gift`, { intent: "take-back" }, { member });
    expect(back.headers.get("location")).toBe(`${path}?note=taken-back`);
    expect(await (await club.post(path, { intent: "show" }, { member })).text()).toContain(code);
  });

  test("G6 the receiver opens the present with a button, once, without an account; scanners open nothing", async () => {
    const { member, path, code } = await owner();
    await club.post(`${path}/gift`, form({ recipient_email: "receiver@example.org" }), { member });
    await wallets.work();
    const link = `/gift/${wallets.tokenFor("receiver@example.org")}`;
    for (let scans = 0; scans < 3; scans += 1) {
      const page = await club.get(link);
      const html = await page.text();
      expect(textOf(html)).toContain("Open the present");
      expect(html).not.toContain(code);
      expect(page.headers.get("referrer-policy")).toBe("no-referrer");
      expect(page.headers.get("set-cookie")).toBeNull();
    }
    const opened = await club.post(link, {});
    expect(await opened.text()).toContain(code);
    const cookie = (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    expect(await (await club.get(link, { headers: { Cookie: cookie } })).text()).toContain(code);
    for (const answer of [await club.get(link), await club.post(link, {}), await club.get(link, { member })]) {
      const text = textOf(await answer.text());
      expect(text).toContain("This present is open already");
      expect(text).not.toContain(code);
      expect(answer.headers.get("set-cookie")).toBeNull();
    }
    expect(await read(`${path}/gift`, member)).toContain("Robin opened it");
    expect(textOf(await (await club.get("/gift/nothing")).text())).toContain("This link is not valid");
  });
});

test("G6 M5 closing an account with cards left says that their codes are lost, and asks for a confirmation", async () => {
  const { member, path } = await owner();
  const close = "/profile/privacy/close";
  const form = { intent: "close", pending: "wait", payable: "pay-out", sure: "on" };
  expect(await read(close, member)).toContain("£25.00 on gift cards");
  const refused = await club.post(close, form, { member });
  expect(refused.status).toBe(400);
  expect(await db.selectFrom("closures").select("id").where("member_id", "=", member.id).execute()).toEqual([]);
  await club.post(path, { intent: "used" }, { member });
  expect(await read(close, member)).not.toContain("on gift cards");
  expect((await club.post(close, form, { member })).status).toBe(303);
});
