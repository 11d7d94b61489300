import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { mintAnswerSchema } from "@farthing/core/partners/schema.ts";
import { failureCodes } from "@farthing/core/payments/failure-codes.ts";
import { deliveryAnswerSchema } from "@farthing/core/partners/webhooks-schema.ts";
import { listedRefundSchema, paymentAnswerSchema } from "@farthing/core/payments/partner-schema.ts";
import { signWebhook } from "@farthing/core/partners/webhook-rules.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { startPayments } from "@farthing/server/payments/payments.testing.ts";
import { htmlPage } from "@farthing/server/app.testing.ts";
import { partnerApiDocument } from "@farthing/server/partners/partner-api-document.ts";
import { frameServer } from "@farthing/server/partners/frames.testing.ts";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { example } from "./fenced-blocks.ts";
import { runModule, runShell, temporaryFolder } from "./run-example.testing.ts";
import { servePartnersApi } from "./serve-partners-api.testing.ts";

// The examples of docs/partners-api.md, run as they are written but for the club's address.

const DOCUMENT = "docs/partners-api.md";
const CLUB = "https://club.example";
const OPEN_CHECKOUT = 'await openCheckout({ id: "basket-1042", totalPence: 3420 });';

const { db, url: databaseUrl } = await testDatabase();
const folder = temporaryFolder();
const club = frameServer(db, async (_, visit) => htmlPage("the page", visit));
const partner = await makePartner(db, { origins: ["https://shop.example"] });

const listener = getRequestListener(
  async (request) =>
    club.post(new URL(request.url).pathname, await request.text(), {
      ...Object.fromEntries(request.headers),
      host: "one.test",
    }),
  { overrideGlobalObjects: false },
);
const server = createServer((request, response) => void listener(request, response));
let clubUrl = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  clubUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** Returns the status of the frame that a token opens. */
const statusOfFrame = async (token: string) => (await club.get(club.address("/pay", token))).status;

describe("docs/partners-api.md", () => {
  test("W10 the curl command mints a token that opens a frame", async () => {
    const command = example(DOCUMENT, "curl https://club.example/api/partner/sessions").replaceAll(CLUB, clubUrl);
    const printed = await runShell(command.replace("curl", "curl --silent --show-error --fail"), {
      cwd: folder,
      env: { PARTNER_API_KEY: partner.key },
    });
    const { token } = mintAnswerSchema.parse(JSON.parse(printed));
    expect(await statusOfFrame(token)).toBe(200);
  });

  test("W10 the Node snippet mints a token that opens a frame", async () => {
    const token = await runModule(example(DOCUMENT, "async function openCheckout"), {
      folder,
      before: `const baseUrl = ${JSON.stringify(clubUrl)}; const showWidget = (token) => process.stdout.write(token);`,
      after: OPEN_CHECKOUT,
      env: { PARTNER_API_KEY: partner.key },
    });
    expect(await statusOfFrame(token)).toBe(200);
  });

  test("W10 the Node snippet shows the receipt of an order that is paid, and mints nothing", async () => {
    const { db: shopDb } = await testDatabase();
    const stand = await startPayments(shopDb);
    const served = await servePartnersApi(shopDb, { live: stand.provider, test: stand.provider });
    try {
      const price = { amountPence: 3420, reference: "basket-1042", description: null, email: null, isOnce: true };
      const visitor = await stand.visitor({ price });
      const payment = await visitor.start(3420, crypto.randomUUID(), "basket-1042");
      await stand.pay(payment);
      await stand.settle();
      const shown = await runModule(example(DOCUMENT, "async function openCheckout"), {
        folder,
        before: `const baseUrl = ${JSON.stringify(served.url)}; const shown = [];
          const showReceipt = (...about) => shown.push(about); const showWidget = (token) => shown.push(["widget", token]);`,
        after: `${OPEN_CHECKOUT} process.stdout.write(JSON.stringify(shown));`,
        env: { PARTNER_API_KEY: stand.partner.key },
      });
      expect(JSON.parse(shown)).toEqual([[payment.paymentId, "paid"]]);
    } finally {
      await served.end();
      await stand.end();
    }
  });

  test("W10 the curl commands cancel a payment and end its session", async () => {
    const { db: shopDb } = await testDatabase();
    const stand = await startPayments(shopDb);
    const served = await servePartnersApi(shopDb, { live: stand.provider, test: stand.provider });
    try {
      const visitor = await stand.visitor({ reference: "basket-1042" });
      const { paymentId } = await visitor.start(1234);
      const commands = example(DOCUMENT, "/cancel -H").replaceAll(CLUB, served.url);
      const printed = await runShell(commands.replace(/^curl/gm, "curl --silent --show-error --fail -w '\\n'"), {
        cwd: folder,
        env: { PARTNER_API_KEY: stand.partner.key, PAYMENT: paymentId, SESSION: visitor.sessionId },
      });
      const [cancelled, expired] = printed
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown);
      expect(cancelled).toMatchObject({ id: paymentId, state: "cancelled" });
      expect(expired).toMatchObject({ sessionId: visitor.sessionId, state: "expired", payments: [{ id: paymentId }] });
    } finally {
      await served.end();
      await stand.end();
    }
  });

  test("W10 the Node snippet throws the refusal's detail", async () => {
    const refused = runModule(example(DOCUMENT, "async function openCheckout"), {
      folder,
      before: `const baseUrl = ${JSON.stringify(clubUrl)};`,
      after: OPEN_CHECKOUT,
      env: { PARTNER_API_KEY: "fpk_unknown" },
    });
    await expect(refused).rejects.toThrow(/Error: .*API key/);
  });

  test.each([
    ["payment.paid", "4242424242424242"],
    ["payment.failed", "4000000000009995"],
  ])("W10 the body of %s has the fields that are sent", async (type, card) => {
    const { db: payments } = await testDatabase();
    const stand = await startPayments(payments);
    try {
      const visitor = await stand.visitor({ reference: "basket-1042" });
      const payment = await visitor.start(1234);
      await stand.pay(payment, card);
      await stand.settle();
      const [sent] = await stand.news(payment.paymentId);
      const documented = JSON.parse(example(DOCUMENT, `"${type}"`)) as Record<string, unknown>;
      const typesOf = (value: unknown): unknown =>
        typeof value === "object" && value !== null
          ? Object.fromEntries(Object.entries(value).map(([key, field]) => [key, typesOf(field)]))
          : typeof value;
      expect(typesOf(documented)).toEqual(typesOf(sent));
      expect(documented["type"]).toBe(type);
    } finally {
      await stand.end();
    }
  });

  test("W10 the document lists every failureCode, and no other", () => {
    const text = readFileSync(join(import.meta.dirname, "../..", DOCUMENT), "utf8");
    const rows = text.slice(text.indexOf("| `failureCode`"), text.indexOf("The list can grow"));
    expect([...rows.matchAll(/^\| `(\w+)` /gm)].map(([, code]) => code).slice(1)).toEqual([...failureCodes]);
  });

  /** Returns the first column of the table whose heading begins so, without the heading. */
  const firstColumn = (heading: string) => {
    const text = readFileSync(join(import.meta.dirname, "../..", DOCUMENT), "utf8");
    const [table = ""] = text.slice(text.indexOf(`| ${heading}`)).split("\n\n");
    const [, , ...rows] = table.trim().split("\n");
    return rows.map((row) => row.split("|")[1]!.trim().replaceAll("`", ""));
  };

  test.each([
    ["Payment's `state`", paymentAnswerSchema.shape.state.options],
    ["Refund's `state`", listedRefundSchema.shape.state.options],
    ["Delivery's `state`", deliveryAnswerSchema.shape.state.options],
  ])("W10 the document lists every %s, and no other", (heading, states) => {
    expect(firstColumn(heading)).toEqual([...states]);
  });

  test("W10 the document lists every refusal of a token, and says that other calls are counted too", () => {
    const { responses } = partnerApiDocument().paths["/api/partner/sessions"].post;
    expect(firstColumn("Status")).toEqual(Object.keys(responses).filter((status) => Number(status) >= 400));
    const text = readFileSync(join(import.meta.dirname, "../..", DOCUMENT), "utf8");
    expect(text).toMatch(/^\| 400 .*Idempotency-Key/m);
    expect(text).toMatch(/^Every other call counts as well: .* answer 429 /m);
  });

  test("W10 the signature check accepts what is signed now, and nothing altered, old or malformed", async () => {
    const secret = "whsec_example";
    const body = '{"type":"payment.paid","note":"£5"}';
    const now = new Date();
    const signed = signWebhook(secret, body, now);
    const cases = {
      fresh: [secret, signed, body],
      altered: [secret, signed, body.replace("5", "6")],
      otherSecret: ["whsec_other", signed, body],
      old: [secret, signWebhook(secret, body, new Date(now.getTime() - 301_000)), body],
      withoutSignature: [secret, signed.replace(/,v1=.*/, ""), body],
      withoutTime: [secret, signed.replace(/t=\d+/, "t="), body],
      empty: [secret, "", body],
      missing: [secret, null, body],
      noise: [secret, ",,=,v1,t", body],
      rotated: [secret, signWebhook(["whsec_new", secret], body, now), body],
      rotatedToAnother: [secret, signWebhook(["whsec_new", "whsec_old"], body, now), body],
    };
    const printed = await runModule(example(DOCUMENT, "isFromFarthing"), {
      folder,
      after: `const cases = ${JSON.stringify(cases)};
        console.log(JSON.stringify(Object.fromEntries(Object.entries(cases).map(([name, given]) => [name, isFromFarthing(...given)]))));`,
    });
    expect(JSON.parse(printed)).toEqual({
      fresh: true,
      altered: false,
      otherSecret: false,
      old: false,
      withoutSignature: false,
      withoutTime: false,
      empty: false,
      missing: false,
      noise: false,
      rotated: true,
      rotatedToAnother: false,
    });
  });

  test("W10 the curl commands list and refund a payment, and list and replay a delivery", async () => {
    const { db: shopDb } = await testDatabase();
    const stand = await startPayments(shopDb);
    const served = await servePartnersApi(shopDb, { live: stand.provider, test: stand.provider });
    try {
      const visitor = await stand.visitor({ reference: "basket-1042" });
      const payment = await visitor.start(1234);
      await stand.pay(payment);
      await stand.settle();
      await shopDb.updateTable("partner_webhook_deliveries").set({ next_try_at: null }).execute();
      const delivery = await shopDb.selectFrom("partner_webhook_deliveries").select("id").executeTakeFirstOrThrow();
      const webhook = await shopDb.selectFrom("partner_webhooks").select("id").executeTakeFirstOrThrow();
      const ids = { PAYMENT: payment.paymentId, DELIVERY: delivery.id, WEBHOOK: webhook.id };
      const env = { PARTNER_API_KEY: stand.partner.key, ...ids };
      const run = async (command: string) =>
        (
          await runShell(
            command.replaceAll(CLUB, served.url).replace(/^curl/gm, "curl --silent --show-error --fail -w '\\n'"),
            {
              cwd: folder,
              env,
            },
          )
        )
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as Record<string, unknown>);
      const [list] = await run(example(DOCUMENT, "reference=basket-1042"));
      expect(list).toMatchObject({ payments: [{ id: payment.paymentId, state: "paid" }], nextCursor: null });
      const refund = example(DOCUMENT, "refund-of-basket-1042");
      const [first] = await run(refund);
      expect(first).toMatchObject({ amountPence: 500, payment: { state: "partly_refunded", refundedPence: 500 } });
      expect(await run(refund)).toEqual([first]);
      const [refunds] = await run(example(DOCUMENT, "payments/$PAYMENT/refunds -H"));
      expect(refunds).toMatchObject({ refunds: [{ amountPence: 500, state: "succeeded", madeBy: "partner" }] });
      const [log, replayed] = await run(example(DOCUMENT, "webhook-deliveries?state=given-up"));
      expect(log).toMatchObject({ deliveries: [{ id: delivery.id, state: "given-up" }] });
      expect(replayed).toMatchObject({ id: delivery.id, state: "waiting" });
      const [sent] = await run(example(DOCUMENT, "webhooks/$WEBHOOK/test"));
      expect(sent).toMatchObject({ type: "payment.refunded", state: "waiting" });
    } finally {
      await served.end();
      await stand.end();
    }
  });

  test("W10 the operators' commands add a partner, whose key is shown once, and its webhook", async () => {
    const [add = "", ...rest] = example(DOCUMENT, "npm run partners").trim().split("\n");
    const env = { DATABASE_URL: databaseUrl, DATA_DIR: folder };
    expect(await runShell(add, { cwd: folder, env })).toMatch(/fpk_[\w-]{8}_[\w-]{43}/);
    const { public_id: id } = await db
      .selectFrom("partners")
      .select("public_id")
      .where("name", "=", "Shop")
      .executeTakeFirstOrThrow();
    const printed = await runShell(rest.join("\n").replaceAll("<partner>", id), { cwd: folder, env });
    expect(printed).toMatch(/whsec_/);
    expect(printed).toContain("https://shop.example/webhooks/farthing");
    expect(printed.match(/fpk_\w+_[\w-]{43}/g)).toEqual([expect.stringMatching(/^fpk_test_/)]);
    expect(printed).toContain("No delivery yet.");
  });
});
