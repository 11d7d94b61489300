import { randomBytes } from "node:crypto";
import { advanceLine } from "@farthing/core/gift-cards/advance-line.server.ts";
import { dueLines } from "@farthing/core/gift-cards/due-lines.server.ts";
import { memoryCards } from "@farthing/core/gift-cards/memory-cards.testing.ts";
import { memoryIssuer, product } from "@farthing/core/gift-cards/memory-issuer.testing.ts";
import { payOrder, placeOrder } from "@farthing/core/gift-cards/place-order.server.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { settlePayment } from "@farthing/core/payments/settle-payment.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { expect, test } from "vitest";
import { example } from "../../../docs/examples/fenced-blocks.ts";
import { commandEntries } from "./command-entries.testing.ts";
import { GIFT_CARD_USAGE, GiftCardActionError, runGiftCardAction } from "./gift-card-actions.ts";

const { db } = await testDatabase();
const now = () => new Date("2026-11-20T10:00:00Z");
const world = memoryIssuer([product("lamp", { amounts: { kind: "fixed", amountsPence: [30_000] } })], now);
const issuers = new Map([["tillo", { ...world.issuer, slug: "tillo" }]]);
const cards = memoryCards(now);
let keys: readonly [string, ...string[]] = ["a key of tests"];
const reported: string[] = [];
const run = (...words: string[]) =>
  runGiftCardAction({ db, issuers, keys, report: (line) => reported.push(line), by: "op", now }, words);

async function heldLine(): Promise<string> {
  const { id, publicId } = await makePartner(db);
  const partner = { id, publicId, name: "Shop" };
  const session = { id: newId(), partner, reference: null, mode: "live" as const, price: null };
  await db
    .insertInto("widget_sessions")
    .values({
      ...{ id: session.id, partner_id: id, origin: "https://shop.example", bearer_hash: randomBytes(32) },
      ...{ opened_at: now(), expires_at: new Date("2026-11-20T11:00:00Z") },
    })
    .execute();
  const { public_id: productPublicId } = await db
    .selectFrom("gift_card_products")
    .select("public_id")
    .executeTakeFirstOrThrow();
  const placed = await placeOrder(db, issuers, {
    ...{ session, member: null, buyerMark: randomBytes(32), idempotencyKey: newId(), now: now() },
    cards: [{ productPublicId, facePence: 30_000 }],
  });
  if (placed.outcome !== "placed") throw new Error(placed.outcome);
  const started = await payOrder(db, cards.provider, { session, orderPublicId: placed.publicId, now: now() });
  const providerPaymentId = started.outcome === "started" ? `pi_${started.publicId}` : "";
  cards.pay(providerPaymentId);
  await settlePayment(db, cards.provider, { providerPaymentId, now: now() });
  await work();
  return placed.lines[0]?.publicId ?? "";
}

async function work(): Promise<void> {
  for (;;) {
    const due = await dueLines.claim(db, { now: now(), leaseMs: 60_000, max: 10 });
    if (due.length === 0) return;
    for (const lease of due) {
      const parts = {
        db,
        issuers,
        cards: { live: cards.provider, test: null },
        keys: ["a key of tests"] as const,
        now,
      };
      const step = await advanceLine(parts, lease.id);
      if (step.outcome === "waiting") await dueLines.fail(db, lease, { now: now(), error: step.why });
    }
  }
}

test("G4 the commands of docs/gift-cards.md list, show and release a held line, and keep the books of the float", async () => {
  const commands = example("docs/gift-cards.md", "npm run gift-cards").trim().split("\n");
  let line = "";
  const printed: string[] = [];
  for (const command of commands) {
    const words = command
      .replace("npm run gift-cards -- ", "")
      .replace("<line>", line)
      .replace("<product>", "lamp")
      .split(" ");
    printed.push((await run(...words)).join("\n"));
    if (words[0] === "sync") line = await heldLine();
  }
  const [sync, list, show, resolve, paid, float, reward, stop, insolvent, resume, rotate] = printed;
  expect(sync).toBe("tillo: 1 products, 1 new, 0 withdrawn");
  expect(list).toContain(`${line}  held (new-member)  lamp  £300.00`);
  expect(show).toContain("held, card none, new-member  by saga");
  expect(resolve).toContain(`Line ${line} is issuing`);
  expect(paid).toBe("£1,000.00 booked.");
  expect(float).toContain("In the books: £1,000.00");
  expect(reward).toContain("4 % as cashback");
  expect(stop).toContain("not sold any more");
  expect(insolvent).toContain("The owners of unused cards are written to, each once");
  expect(resume).toContain("sold again");
  expect(rotate).toContain("No card needs an old secret any more");
  const logged = (await commandEntries(db, "op")).map((entry) => entry.split(" ")[0]);
  expect(logged, "A1").toEqual([
    "gift-card.issue",
    "float.book",
    ...["reward", "stop", "insolvent", "resume"].map((verb) => `gift-card-product.${verb}`),
  ]);
  await work();
  expect((await run("show", line)).join("\n")).toMatch(
    /issuing, card none {2}by op[\s\S]*issued, card issued {2}by saga/,
  );
  expect((await run("show", line)).join("\n")).not.toContain("CODE-");
  expect(await run("list")).toEqual(["Every paid line is a card or a refund."]);
});

test("G6 a rotation says how far it is, and when the old secret can go", async () => {
  keys = ["a new key"];
  await expect(run("rotate")).rejects.toThrow(
    /1 cards can't be read[\s\S]*Drop no old secret[\s\S]*add its secret to FARTHING_OLD_SECRETS/,
  );
  expect(reported).toEqual([]);
  keys = ["a new key", "a key of tests"];
  expect((await run("rotate")).join("\n")).toMatch(
    /^1 cards are encrypted with the current key[\s\S]*needs an old secret/,
  );
  expect(reported).toEqual(["Encrypted again: 1 of 1."]);
  keys = ["a new key"];
  expect((await run("rotate"))[0]).toContain("1 cards are encrypted with the current key");
  expect(reported).toHaveLength(1);
});

test("G4 what is typed wrong changes nothing, and the message says what to do", async () => {
  expect(await run("float", "tillo", "1000", "BANK-REF-1")).toEqual([expect.stringContaining("booked before")]);
  const wrong: [string, RegExp][] = [
    ["", /npm run gift-cards/],
    ["dance", /npm run gift-cards/],
    ["float tillo 999 BANK-REF-1", /another amount/],
    ["float tillo lots REF", /in pounds/],
    ["float tillo 10", /reference/],
    ["float nobody 10 REF", /The issuers are: tillo/],
    ["sync nobody", /The issuers are: tillo/],
    ["show nothing", /There is no line/],
    ["resolve nothing refund", /There is no line/],
    ["resolve nothing dance", /issue, refund, refunded, retry/],
    ["stop nothing because", /There is no product/],
    ["reward lamp gold 4", /discount or cashback/],
    ["reward lamp discount 40", /discount is smaller/],
  ];
  for (const [words, says] of wrong) await expect(run(...words.split(" ")), words).rejects.toThrow(says);
  await expect(run("constructor")).rejects.toThrow(GiftCardActionError);
  for (const action of ["list", "show", "resolve", "float", "sync", "stop", "resume", "reward", "rotate"])
    expect(GIFT_CARD_USAGE).toContain(`\n  ${action}`);
});

test("A1 G4 a name that two issuers use changes the product of each, with an entry for each that changes", async () => {
  for (const issuer of ["one", "two"])
    await db
      .insertInto("gift_card_products")
      .values({
        ...{ id: newId(), issuer, issuer_product_id: "twin", name: `Twin of ${issuer}`, min_pence: 500 },
        ...{
          max_pence: 5_000,
          step_pence: 100,
          issuer_discount_bp: issuer === "one" ? 600 : 300,
          reward_kind: "discount",
          reward_bp: 0,
        },
        ...{ is_reversible: false, redeemable_at: ["online"], terms: "", synced_at: now() },
      })
      .execute();
  const rows = await db
    .selectFrom("gift_card_products")
    .select("public_id as id")
    .where("issuer_product_id", "=", "twin")
    .orderBy("issuer")
    .execute();
  const [one, two] = rows.map(({ id }) => id);
  await run("stop", "twin", "the issuers asked");
  await run("resume", "twin");
  await run("reward", "twin", "cashback", "4");
  await expect(run("reward", "twin", "cashback", "7")).rejects.toThrow("discount is smaller");
  const logged = (await commandEntries(db, "op")).filter((entry) => [one, two].includes(entry.split(" ")[1]));
  expect(logged.toSorted()).toEqual(
    [
      ...["stop", "resume", "reward"].map((verb) => `gift-card-product.${verb} ${one}`),
      ...["stop", "resume"].map((verb) => `gift-card-product.${verb} ${two}`),
    ].toSorted(),
  );
  const entries = await db
    .selectFrom("audit_entries")
    .select(["before", "after"])
    .where("subject_id", "in", [one ?? "", two ?? ""])
    .execute();
  for (const { before, after } of entries) expect(after).not.toEqual(before);
});
