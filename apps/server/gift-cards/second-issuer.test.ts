import { randomBytes } from "node:crypto";
import { IssuerUnavailableError, type CardIssuer } from "@farthing/core/gift-cards/issuer.ts";
import { memoryCards } from "@farthing/core/gift-cards/memory-cards.testing.ts";
import { memoryIssuer, product } from "@farthing/core/gift-cards/memory-issuer.testing.ts";
import { payOrder, placeOrder } from "@farthing/core/gift-cards/place-order.server.ts";
import { syncCatalogue } from "@farthing/core/gift-cards/sync-catalogue.server.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { settlePayment } from "@farthing/core/payments/settle-payment.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { header } from "@farthing/providers/environment-values.ts";
import { allIssuers } from "@farthing/providers/issuers/all-issuers.ts";
import { defineIssuer, type IssuerDefinition } from "@farthing/providers/issuers/issuer-definition.ts";
import { expect, test } from "vitest";
import { z } from "zod";
import { advanceLines } from "./gift-card-jobs.ts";
import { issuerProblems, issuerVariables, readIssuerSettings } from "./issuer-settings.ts";
import { openIssuers } from "./open-issuers.ts";

// An issuer unlike Tillo, added as docs/adding-an-issuer.md says. The rest of the server is used as it is.

const lanterns = memoryIssuer([product("lamp", { name: "Lamp card" })]);
let asked: { key: string; apiUrl: string } | null = null;

/** This issuer has no HTTP. All code of the server around it is real. */
function createLanternIssuer(settings: { key: string; apiUrl: string }): CardIssuer {
  asked = settings;
  return { ...lanterns.issuer, slug: "lantern" };
}

const lantern = defineIssuer({
  slug: "lantern",
  name: "Lantern",
  environment: z.object({ LANTERN_CARDS_KEY: header.optional().describe("The key of Lantern's card API.") }),
  required: { LANTERN_CARDS_KEY: "Set the key that Lantern shows under Cards." },
  readSettings: ({ LANTERN_CARDS_KEY }, { isDevelopment, standInUrl }) => ({
    key: LANTERN_CARDS_KEY ?? "development-key",
    apiUrl: isDevelopment ? `${standInUrl}/lantern-cards` : "https://cards.lantern.test",
  }),
  createIssuer: createLanternIssuer,
});
const definitions: readonly IssuerDefinition[] = [...allIssuers, lantern as unknown as IssuerDefinition];

const { db } = await testDatabase();
const logged: unknown[] = [];
const log = (about: object, message?: string) => void logged.push([JSON.stringify(about), message]);
const logger = { info: log, warn: log, error: log };

test("G5 an issuer is set up by any of its variables, needs all that it requires, and is elsewhere left alone", () => {
  expect(Object.keys(issuerVariables(definitions))).toContain("LANTERN_CARDS_KEY");
  expect(issuerProblems("production", {}, definitions)).toEqual([]);
  expect(issuerProblems("production", { TILLO_API_URL: "https://tillo.test" }, definitions)).toHaveLength(3);
  const production = { isDevelopment: false, standInUrl: "http://localhost:3001" };
  expect(readIssuerSettings({}, production, definitions)).toEqual({});
  expect(readIssuerSettings({ LANTERN_CARDS_KEY: "k" }, production, definitions)).toEqual({
    lantern: { key: "k", apiUrl: "https://cards.lantern.test" },
  });
});

test("S1 in development no issuer is opened with the address of the real one", () => {
  const settings = readIssuerSettings({}, { isDevelopment: true, standInUrl: "http://localhost:3001" }, definitions);
  expect(Object.keys(settings)).toEqual(["tillo", "lantern"]);
  for (const own of Object.values(settings))
    expect((own as { apiUrl: string }).apiUrl).toMatch(/^http:\/\/localhost:3001\//);
});

test("G5 a card of the new issuer is read, bought and issued by the server as it is, and its code is not logged", async () => {
  const issuers = openIssuers({ lantern: { key: "k", apiUrl: "https://cards.lantern.test" } }, { definitions });
  expect([...issuers.keys()]).toEqual(["lantern"]);
  expect(asked).toEqual({ key: "k", apiUrl: "https://cards.lantern.test" });
  const now = () => new Date();
  const issuer = issuers.get("lantern");
  if (!issuer) throw new Error("The issuer is not open.");
  expect(await syncCatalogue(db, issuer, { now: now() })).toEqual({ products: 1, added: 1, withdrawn: 0 });
  const { public_id: productPublicId } = await db
    .selectFrom("gift_card_products")
    .select("public_id")
    .executeTakeFirstOrThrow();
  const { id, publicId } = await makePartner(db);
  const partner = { id, publicId, name: "Shop" };
  const session = { id: newId(), partner, reference: null, mode: "live" as const, price: null };
  await db
    .insertInto("widget_sessions")
    .values({
      ...{ id: session.id, partner_id: id, origin: "https://shop.example", bearer_hash: randomBytes(32) },
      ...{ opened_at: now(), expires_at: new Date(Date.now() + 3_600_000) },
    })
    .execute();
  const placed = await placeOrder(db, issuers, {
    ...{ session, member: null, buyerMark: randomBytes(32), idempotencyKey: newId(), now: now() },
    cards: [{ productPublicId, facePence: 2500 }],
  });
  const cards = memoryCards(now);
  const orderPublicId = placed.outcome === "placed" ? placed.publicId : "";
  const started = await payOrder(db, cards.provider, { session, orderPublicId, now: now() });
  const providerPaymentId = started.outcome === "started" ? `pi_${started.publicId}` : "";
  cards.pay(providerPaymentId);
  await settlePayment(db, cards.provider, { providerPaymentId, now: now() });

  // The first look finds the issuer silent; the worker logs that, and goes on later.
  const silent = { ...issuer, checkStock: () => Promise.reject(new IssuerUnavailableError("Lantern did not answer.")) };
  const parts = {
    db,
    issuers,
    cards: { live: cards.provider, test: null },
    keys: ["a key of tests"] as const,
    unsubscribeKeys: ["a key of tests"] as const,
    logger,
    now,
  };
  const withSilence = { ...parts, issuers: new Map([["lantern", silent]]) };
  while ((await advanceLines(withSilence)) > 0);
  expect(logged).toHaveLength(1);
  const later = { ...parts, now: () => new Date(Date.now() + 3_600_000) };
  while ((await advanceLines(later)) > 0);
  const line = await db.selectFrom("gift_card_lines").selectAll().executeTakeFirstOrThrow();
  expect(line).toMatchObject({ state: "issued", card_state: "issued" });
  expect(lanterns.live()).toBe(1);
  const code = [...lanterns.cards.values()][0]?.code ?? "";
  expect(code).toMatch(/^CODE-/);
  expect(JSON.stringify([logged, line])).not.toContain(code);
});
