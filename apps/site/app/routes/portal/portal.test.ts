import { randomBytes } from "node:crypto";
import { advanceLine } from "@farthing/core/gift-cards/advance-line.server.ts";
import { addToBasket, findBasket } from "@farthing/core/gift-cards/basket.server.ts";
import { HOUSE_PARTNER } from "@farthing/core/partners/house-partner.ts";
import { dueLines } from "@farthing/core/gift-cards/due-lines.server.ts";
import { memoryCards } from "@farthing/core/gift-cards/memory-cards.testing.ts";
import { IssuerUnavailableError } from "@farthing/core/gift-cards/issuer.ts";
import { memoryIssuer, product } from "@farthing/core/gift-cards/memory-issuer.testing.ts";
import { syncCatalogue } from "@farthing/core/gift-cards/sync-catalogue.server.ts";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { CardProviderRefusalError, CardProviderUnavailableError } from "@farthing/core/payments/provider.ts";
import { settlePayment } from "@farthing/core/payments/settle-payment.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { WidgetVisit } from "../../../server/visit.ts";
import { hiddenField, loadSite, openClub, tag, type TestClub, textOf } from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

const now = () => NOW;
const KEYS = ["a key of gift cards that only tests know"] as const;
const world = memoryIssuer(
  [
    product("fixed", { name: "Fern & Hollow", terms: "Spend it <once>." }),
    product("range", {
      name: "Otterby",
      amounts: { kind: "range", minPence: 500, maxPence: 20_000, stepPence: 100 },
      redeemableAt: ["in-store"],
      expiresAfterMonths: null,
    }),
  ],
  now,
);
const cards = memoryCards(now);
let club: TestClub;
let partnerId = "";

beforeAll(async () => {
  club = await openClub(db);
  club.services.giftCards = {
    ...club.services.giftCards,
    issuers: new Map([["memory", world.issuer]]),
    cards: cards.provider,
    keys: KEYS,
  };
  partnerId = (await makePartner(db)).id;
  await syncCatalogue(db, world.issuer, { now: now() });
});
beforeEach(() => {
  world.refusals.clear();
  club.errors.length = 0;
});

async function newVisitor(more: Partial<WidgetVisit> = {}): Promise<WidgetVisit> {
  const sessionId = newId();
  await db
    .insertInto("widget_sessions")
    .values({
      ...{ id: sessionId, partner_id: partnerId, origin: "https://shop.example", bearer_hash: randomBytes(32) },
      ...{ opened_at: NOW, expires_at: new Date(NOW.getTime() + 3_600_000) },
    })
    .execute();
  const partner = { name: "Shop", publicId: "shop" };
  return { sessionId, partner, origin: "https://shop.example", bearer: null, ...more };
}

const page = async (widget: WidgetVisit, path: string) => (await club.get(path, { widget })).text();

/** Places an order of one card as the page does, and returns its path. */
async function ordered(widget: WidgetVisit, slugs: readonly string[] = ["fern-hollow"]): Promise<string> {
  for (const slug of slugs) await addToBasket(db, { sessionId: widget.sessionId, slug, facePence: 2500 });
  const html = await page(widget, "/portal/basket");
  const answer = await club.post(
    "/portal/basket",
    {
      intent: "order",
      key: hiddenField(html, "key") ?? "",
      version: hiddenField(html, "version") ?? "",
      email: `${widget.sessionId}@example.org`,
    },
    { widget },
  );
  return answer.headers.get("location") ?? textOf(await answer.text());
}

async function pay(widget: WidgetVisit, path: string): Promise<void> {
  const answer = await club.post(`${path}/payment`, { pay: "yes" }, { widget });
  expect(answer.status).toBe(201);
  const { provider_payment_id: id } = await db
    .selectFrom("payments")
    .select("provider_payment_id")
    .where("session_id", "=", widget.sessionId)
    .executeTakeFirstOrThrow();
  const providerPaymentId = id ?? "";
  cards.pay(providerPaymentId);
  await settlePayment(db, cards.provider, { providerPaymentId, now: NOW });
}

/** Asks for the page of a bank, which brings the payer back to `returnUrl`. */
async function toBank(widget: WidgetVisit, path: string, returnUrl: string) {
  const answer = await club.post(`${path}/payment`, { return: returnUrl }, { widget });
  return { status: answer.status, ...((await answer.json()) as { bankUrl?: string; problem?: string }) };
}

async function work(): Promise<void> {
  const parts = {
    ...{ db, issuers: new Map([["memory", world.issuer]]), keys: KEYS, now },
    cards: { live: cards.provider, test: null },
  };
  for (let rounds = 0; rounds < 30; rounds += 1) {
    const due = await dueLines.claim(db, { now: NOW, leaseMs: 60_000, max: 20 });
    if (due.length === 0) return;
    for (const { id } of due) await advanceLine(parts, id);
  }
}

const PATHS = [
  ...["/portal", "/portal/search?q=fern", "/portal/categories/shoes", "/portal/cards/fern-hollow"],
  ...["/portal/basket", "/portal/orders", "/portal/orders/x", "/portal/orders/x/payment"],
];

describe("G2 the portal's pages", () => {
  test.each(PATHS)("W9 S1 %s answers 401 without a widget session, to members too", async (path) => {
    for (const member of [null, await club.newMember()]) {
      const answer = await club.get(path, { member });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("Cache-Control")).toContain("no-store");
    }
  });

  test("W9 G2 they are kept nowhere, have no header or footer of the site, and start the frame's script", async () => {
    const widget = await newVisitor();
    for (const path of ["/portal", "/portal/cards/fern-hollow", "/portal/basket", "/portal/orders"]) {
      const answer = await club.get(path, { widget });
      const html = await answer.text();
      expect(answer.headers.get("Cache-Control")).toContain("no-store");
      expect(html).not.toMatch(/<(header|footer)\b/);
      expect(tag(html, "html", "lang")).toContain('data-portal-host="https://shop.example"');
      expect(html).not.toContain("site-island");
      expect(tag(html, "meta", 'name="robots"')).toContain("noindex");
    }
    expect(club.errors).toEqual([]);
  });

  test("G2 B4 on another's page they wear the neutral look, on the club's own the brand's", async () => {
    const abroad = await page(await newVisitor(), "/portal");
    const home = await page(
      await newVisitor({ partner: { name: "Club", publicId: HOUSE_PARTNER.publicId } }),
      "/portal",
    );
    expect([abroad, home].map((html) => html.includes("portal is-home"))).toEqual([false, true]);
    expect(abroad).toMatch(/neutral-theme[^"]*\.css/);
    expect(home).not.toContain("neutral-theme");
    const sheets = (html: string) => html.replace(/<noscript>.*?<\/noscript>/g, "").match(/rel="stylesheet"/g)?.length;
    expect(sheets(home)).toBe(sheets(abroad));
  });

  test("G2 the front and the search list cards with their reward and values; an odd search is a page", async () => {
    const widget = await newVisitor();
    expect(textOf(await page(widget, "/portal"))).toContain("Fern & Hollow 4.75% off £10, £25 or £50");
    expect(textOf(await page(widget, "/portal/search?q=oterby"))).toContain("Otterby 4.75% off £5 to £200");
    const none = textOf(await page(widget, "/portal/search?q=%3Cb%3Eqqxz"));
    expect(none).toContain("We found none");
    expect(none).toContain("Fern & Hollow");
    expect((await club.get("/portal/cards/none", { widget })).status).toBe(404);
    expect((await club.get("/portal/categories/none", { widget })).status).toBe(404);
  });

  test("G2 a card's page says what it costs, where and how long it counts, and the retailer's terms as text", async () => {
    const html = await page(await newVisitor(), "/portal/cards/otterby");
    for (const words of ["4.75% off: a £25 card costs £23.82.", "In shops only", "Does not expire", "in steps of £1"])
      expect(textOf(html)).toContain(words);
    expect(await page(await newVisitor(), "/portal/cards/fern-hollow")).toContain("Spend it &lt;once&gt;.");
  });

  test("G2 a wrong value comes back with what to do, and with what was typed", async () => {
    const widget = await newVisitor();
    for (const value of ["2.50", "lots", "999", ""]) {
      const answer = await club.post("/portal/cards/otterby", { value }, { widget });
      const html = await answer.text();
      expect(answer.status).toBe(422);
      expect(textOf(html)).toContain("Enter a value from £5 to £200, in steps of £1, like 25.");
      expect(tag(html, "input", 'id="value"')).toContain(`value="${value}"`);
    }
    expect((await findBasket(db, widget)).lines).toEqual([]);
  });
});

describe("G2 the basket", () => {
  test("G2 forms put in, change and remove, each with a redirect and a note; totals add up", async () => {
    const widget = await newVisitor();
    const post = (form: Record<string, string>) => club.post("/portal/basket", form, { widget });
    const added = await club.post("/portal/cards/otterby", { value: "£40" }, { widget });
    expect([added.status, added.headers.get("location")]).toEqual([303, "/portal/basket?note=added"]);
    await club.post("/portal/cards/fern-hollow", { value: "10" }, { widget });
    const html = await page(widget, "/portal/basket?note=added");
    expect(textOf(html)).toContain("2 cards £50.00 You save −£2.37 You pay £47.63");
    expect(textOf(html)).toContain("It is in your basket.");
    const [line] = (await findBasket(db, widget)).lines;
    const own = { line: line?.publicId ?? "" };
    expect((await post({ intent: "amount", ...own, value: "50" })).headers.get("location")).toContain("changed");
    const wrong = await post({ intent: "amount", ...own, value: "50.50" });
    expect(wrong.status).toBe(422);
    expect(await wrong.text()).toContain('value="50.50"');
    expect((await post({ intent: "remove", ...own })).headers.get("location")).toContain("removed");
    expect((await post({ intent: "nothing" })).status).toBe(400);
    expect((await findBasket(db, widget)).lines.map(({ name }) => name)).toEqual(["Fern & Hollow"]);
  });

  test("G2 a card whose form is sent twice is in the basket once, and another value of the same form is another card", async () => {
    const widget = await newVisitor();
    const key = hiddenField(await page(widget, "/portal/cards/otterby"), "key") ?? "";
    const add = (value: string) => club.post("/portal/cards/otterby", { key, value }, { widget });
    for (const answer of await Promise.all([add("40"), add("40")]))
      expect(answer.headers.get("location")).toBe("/portal/basket?note=added");
    const { version } = await findBasket(db, widget);
    await add("40");
    expect(await findBasket(db, widget)).toMatchObject({ version, lines: [{ facePence: 4000 }] });
    await add("50");
    expect((await findBasket(db, widget)).lines.map(({ facePence }) => facePence)).toEqual([4000, 5000]);
  });

  test("G6 a present keeps what was typed until it is right", async () => {
    const widget = await newVisitor();
    await addToBasket(db, { sessionId: widget.sessionId, slug: "fern-hollow", facePence: 1000 });
    const [line] = (await findBasket(db, widget)).lines;
    const gift = {
      ...{ intent: "gift", line: line?.publicId ?? "", recipient_name: "Sam <Otter>", recipient_email: "sam@" },
      ...{ message: "Well done", design: "thanks", send_on: "" },
    };
    const refused = await club.post("/portal/basket", gift, { widget });
    const html = await refused.text();
    expect(refused.status).toBe(422);
    expect(textOf(html)).toContain(
      "One thing needs your attention Their e-mail address : Enter an e-mail address like name@example.org.",
    );
    expect(textOf(html)).toContain("Their e-mail address **");
    expect(html).toContain('value="Sam &lt;Otter&gt;"');
    const missing = await club.post(
      "/portal/basket",
      { ...gift, recipient_name: " ", recipient_email: "" },
      { widget },
    );
    const words = textOf(await missing.text());
    expect(words).toContain(
      "2 things need your attention Their name ** This is a required field Their e-mail address ** This is a required field",
    );
    const saved = await club.post("/portal/basket", { ...gift, recipient_email: "sam@example.org" }, { widget });
    expect(saved.headers.get("location")).toBe("/portal/basket?note=present");
    expect(textOf(await page(widget, "/portal/basket"))).toContain("A present for Sam &lt;Otter&gt;");
  });

  test("G2 every refusal of the checkout keeps the basket and the address, and says what to do", async () => {
    const widget = await newVisitor();
    await addToBasket(db, { sessionId: widget.sessionId, slug: "fern-hollow", facePence: 1000 });
    const before = await findBasket(db, widget);
    const order = async (form: Record<string, string>) => {
      const all = { intent: "order", key: newId(), version: "1", email: "kim@example.org", ...form };
      const answer = await club.post("/portal/basket", all, { widget });
      expect(answer.status).toBe(422);
      return answer.text();
    };
    expect(textOf(await order({ email: "kim" }))).toContain("Enter your e-mail address, like robin@example.org.");
    expect(textOf(await order({ email: "" }))).toContain("Your e-mail address ** This is a required field");
    expect(await order({ email: "kim" })).toContain('value="kim"');
    expect(textOf(await order({ version: "7" }))).toContain("has changed in another tab");
    expect(textOf(await order({ key: "" }))).toContain("Press the button again");
    world.refusals.set("fixed", "out-of-stock");
    const out = await order({});
    expect(textOf(out)).toContain("Fern & Hollow is out of stock.");
    expect(tag(out, "input", 'id="email"')).toContain('value="kim@example.org"');
    expect(await findBasket(db, widget)).toEqual(before);
    expect(club.errors).toEqual([]);
  });
});

describe("G2 an order's page", () => {
  test("G2 G6 from payment to code: the code is in no page before the press, and in one answer after it", async () => {
    const widget = await newVisitor();
    const path = await ordered(widget);
    expect(path).toMatch(/^\/portal\/orders\/[\w-]+$/);
    const waiting = await page(widget, path);
    expect(textOf(waiting)).toContain("Pay for your order");
    expect(tag(waiting, "article", "data-order")).toContain(`data-no-back="${path}"`);
    expect(waiting).not.toContain("http-equiv");
    await pay(widget, path);
    const making = await page(widget, path);
    expect(textOf(making)).toContain("Paid. We are getting your card ");
    expect(making).toMatch(/<noscript><meta http-equiv="refresh" content="15"/i);
    expect(making).not.toContain("data-pays");
    await work();
    const ready = await page(widget, path);
    expect(textOf(ready)).toContain("Your card is ready");
    const line = /value="([^"]+)"/.exec(tag(ready, "button", 'name="show"'))?.[1] ?? "";
    const code = world.cards.get(`gc-${line}`)?.code ?? "";
    expect(code).toMatch(/^CODE-/);
    expect(ready).not.toContain(code);
    const shown = await club.post(path, { show: line }, { widget });
    expect(shown.headers.get("Cache-Control")).toContain("no-store");
    expect(shown.headers.get("Referrer-Policy")).toBe("no-referrer");
    const html = await shown.text();
    // The issuer says Code 128: a till that reads that can't read a QR code.
    expect(html).toContain('aria-label="Barcode of the Fern &amp; Hollow card, for the till"');
    expect(html).not.toContain("QR code");
    expect(html).toContain(code);
    expect(html).toContain("1234");
    expect(await page(widget, path)).not.toContain(code);

    const stranger = await newVisitor();
    expect((await club.get(path, { widget: stranger })).status).toBe(404);
    expect((await club.get(`${path}/payment`, { widget: stranger })).status).toBe(404);
    for (const target of [path, await ordered(stranger)]) {
      const stolen = await club.post(target, { show: line }, { widget: stranger });
      expect(stolen.status).toBe(404);
      expect(await stolen.text()).not.toContain(code);
    }
    expect(await page(stranger, "/portal/orders")).not.toContain(path);
  });

  test("G2 an order that is done is ordered again with one press, sent once or twice; before that there is no such button", async () => {
    const widget = await newVisitor();
    const path = await ordered(widget);
    expect(await page(widget, path)).not.toContain("Order again");
    await pay(widget, path);
    await work();
    const html = await page(widget, path);
    expect(tag(html, "input", 'value="again"')).toContain('name="intent"');
    const twice = { intent: "again", key: hiddenField(html, "key") ?? "" };
    for (const answer of await Promise.all([1, 2].map(() => club.post(path, twice, { widget }))))
      expect([answer.status, answer.headers.get("location")]).toEqual([303, "/portal/basket?note=again"]);
    const again = () => club.post(path, { intent: "again" }, { widget });
    const basket = textOf(await page(widget, "/portal/basket?note=again"));
    expect(basket).toContain("The same cards are in your basket.");
    expect(basket).toContain("1 card");
    for (let card = 1; card < 10; card += 1) expect((await again()).status).toBe(303);
    const full = await again();
    expect(full.status).toBe(409);
    expect(textOf(await full.text())).toContain("None of these cards is in your basket");

    const stranger = await newVisitor();
    expect((await club.post(path, { intent: "again" }, { widget: stranger })).status).toBe(404);
  });

  test("G2 a refund says why and how much, beside the card that came", async () => {
    const widget = await newVisitor();
    const path = await ordered(widget, ["fern-hollow", "otterby"]);
    world.refusals.set("range", "out-of-stock");
    await pay(widget, path);
    await work();
    const text = textOf(await page(widget, path));
    expect(text).toContain("Some of your cards are ready");
    expect(text).toContain("The card was out of stock. We sent £23.82 back to the card or account you paid with.");
  });

  test("G2 a payment is begun by its own session only, and after half an hour by nobody, in a sentence", async () => {
    const widget = await newVisitor();
    const path = await ordered(widget);
    const ask = async (who: WidgetVisit) => {
      const answer = await club.post(`${path}/payment`, { pay: "yes" }, { widget: who });
      return { status: answer.status, ...((await answer.json()) as { problem?: string; payment?: object }) };
    };
    const begun = await ask(widget);
    expect(begun).toMatchObject({ status: 201, payment: { paymentAmount: 23.82 } });
    expect(await ask(widget)).toEqual(begun);
    expect(await ask(await newVisitor())).toMatchObject({ status: 404 });
    await db
      .updateTable("gift_card_orders")
      .set({ placed_at: new Date(NOW.getTime() - 31 * 60_000) })
      .where("session_id", "=", widget.sessionId)
      .execute();
    const late = await ask(widget);
    expect(late.status).toBe(409);
    expect(late.problem).toContain("If you have not paid, go to the basket and order again");
    // The notice of a payment may still be on its way.
    expect(textOf(await page(widget, path))).toMatch(/The time to pay is over.*If you have paid, load this page again/);
    expect(textOf(await page(widget, "/portal/basket"))).toContain("Fern & Hollow");
  });
});

describe("W8 paying at a bank", () => {
  test("W8 G2 the bank's page is given for a page of the partner's to return to, on any of its origins, each time it is asked for", async () => {
    const widget = await newVisitor();
    const path = await ordered(widget);
    const html = await page(widget, path);
    expect(html).toMatch(/<div class="portal-bank" hidden="">/);
    expect(tag(html, "form", "data-pays")).toContain(`data-order-id="${path.split("/").at(-1)}"`);
    await db.insertInto("partner_origins").values({ partner_id: partnerId, origin: "https://two.example" }).execute();
    for (const returnUrl of ["https://shop.example/cards?order=1", "https://two.example/", "https://two.example/"])
      expect(await toBank(widget, path, returnUrl)).toEqual({
        status: 201,
        bankUrl: expect.stringContaining(encodeURIComponent(returnUrl)),
      });
    // As every browser reads it: without the NUL, and with the half of a letter replaced.
    expect((await toBank(widget, path, "\u0000https://shop.example/\ud800")).bankUrl).toMatch(
      /return=https%3A%2F%2Fshop\.example%2F%25EF%25BF%25BD$/,
    );
  });

  test.each([
    "https://evil.example/",
    "https://shop.example.evil.example/",
    "https://shop.example@evil.example/",
    "http://shop.example/",
    "//shop.example/",
    "javascript:alert(1)//https://shop.example/",
    "data:text/html,x",
    "/cards",
    "",
    `https://shop.example/${"x".repeat(3_000)}`,
  ])("S1 W8 no bank brings a payer back to %s", async (returnUrl) => {
    const widget = await newVisitor();
    const path = await ordered(widget);
    expect(await toBank(widget, path, returnUrl)).toMatchObject({
      status: 409,
      problem: expect.stringContaining("Pay by card."),
    });
    expect(await db.selectFrom("payments").select("id").where("session_id", "=", widget.sessionId).execute()).toEqual(
      [],
    );
  });

  test("S1 G4 another's order has no bank's page, nor has one that is paid; a silent provider takes nothing", async () => {
    const widget = await newVisitor();
    const path = await ordered(widget);
    const returnUrl = "https://shop.example/cards";
    const another = await toBank(await newVisitor(), path, returnUrl);
    expect(another).toMatchObject({ status: 404, problem: expect.stringContaining("If you have not paid for it") });
    const { startAtBank } = cards.provider;
    cards.provider.startAtBank = () => Promise.reject(new CardProviderUnavailableError("silent"));
    expect(await toBank(widget, path, returnUrl)).toMatchObject({
      status: 503,
      problem: expect.stringContaining("this order can’t be charged twice"),
    });
    cards.provider.startAtBank = startAtBank;
    await pay(widget, path);
    expect(await toBank(widget, path, returnUrl)).toMatchObject({
      status: 409,
      problem: expect.stringContaining("reload the page if you have paid already"),
    });
  });
});

describe("S1 beginning a payment", () => {
  test("S1 an order's payment that is begun again and again is refused after a while, and says how long to wait", async () => {
    const widget = await newVisitor();
    const path = await ordered(widget);
    const begin = () => club.post(`${path}/payment`, { pay: "yes" }, { widget });
    for (let begun = 0; begun < 60; begun += 1) expect((await begin()).status).toBe(201);
    const refused = await begin();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused.json()).toEqual({ problem: expect.stringContaining("Wait a few minutes") });
  });
});

describe("P6 when an outside service is silent", () => {
  test("P6 G4 the checkout says that the maker of the cards can't be reached, and keeps basket and address", async () => {
    const widget = await newVisitor();
    const { checkStock } = world.issuer;
    world.issuer.checkStock = () => Promise.reject(new IssuerUnavailableError("silent"));
    const text = await ordered(widget);
    world.issuer.checkStock = checkStock;
    expect(text).toContain("We can’t reach the maker of the cards at the moment, and nothing was charged.");
    expect((await findBasket(db, { sessionId: widget.sessionId })).lines).toHaveLength(1);
    expect(club.errors).toEqual([]);
  });

  test("P6 G3 the order says that the card provider does not answer, and can be paid afterwards", async () => {
    const widget = await newVisitor();
    const path = await ordered(widget);
    const { createPayment } = cards.provider;
    cards.provider.createPayment = () => Promise.reject(new CardProviderUnavailableError("silent"));
    const answer = await club.post(`${path}/payment`, { pay: "yes" }, { widget });
    cards.provider.createPayment = createPayment;
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { problem: "The card provider does not answer. Try again in a moment: this order can’t be charged twice." },
    ]);
    expect(club.errors).toEqual([]);
    await pay(widget, path);
  });

  test("G3 G4 the order says that its payment can't be begun where the card provider refuses it, which operators read", async () => {
    const widget = await newVisitor();
    const path = await ordered(widget);
    const { createPayment } = cards.provider;
    const refusal = new CardProviderRefusalError("refused with sk_live_x", null);
    cards.provider.createPayment = () => Promise.reject(refusal);
    const answer = await club.post(`${path}/payment`, { pay: "yes" }, { widget });
    cards.provider.createPayment = createPayment;
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { problem: "This payment can’t be begun now, and nothing was taken. Try again later." },
    ]);
    expect(club.errors).toEqual([refusal]);
    await pay(widget, path);
  });
});
