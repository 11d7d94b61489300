import { readFileSync } from "node:fs";
import { join } from "node:path";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { startPayments } from "@farthing/server/payments/payments.testing.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { returnUrl } from "../../packages/widget/src/return-url.ts";
import { example, root } from "./fenced-blocks.ts";
import { runModule, temporaryFolder } from "./run-example.testing.ts";
import { servePartnersApi } from "./serve-partners-api.testing.ts";

// The example of docs/widget/coming-back.md, run as it is written against the API and the simulated card provider.

const DOCUMENT = "docs/widget/coming-back.md";
const { db } = await testDatabase();
const folder = temporaryFolder();
let stand: Awaited<ReturnType<typeof startPayments>>;
let served: Awaited<ReturnType<typeof servePartnersApi>>;
beforeAll(async () => {
  stand = await startPayments(db);
  served = await servePartnersApi(db, { live: stand.provider, test: stand.provider });
});
afterAll(async () => {
  await served.end();
  await stand.end();
});

/** Returns what the example says of an address and an order of £12.34. */
async function outcome(address: string, reference: string): Promise<string> {
  return await runModule(example(DOCUMENT, "export async function outcome"), {
    folder,
    before: `const baseUrl = ${JSON.stringify(served.url)};`,
    after: `process.stdout.write(await outcome(${JSON.stringify(address)}, { reference: "${reference}", amountPence: 1234 }));`,
    env: { PARTNER_API_KEY: stand.partner.key },
  });
}

/** Starts a payment, and returns the address to which its payer comes back. */
async function started(reference: string) {
  const payment = await (await stand.visitor()).start(1234, undefined, reference);
  const paymentSuccess = { templateUrl: "https://shop.example/thanks?payment=PAYMENT", idPlaceholder: "PAYMENT" };
  return { payment, address: returnUrl({ paymentSuccess }, payment.contextToken, "https://shop.example/basket") };
}

describe("docs/widget/coming-back.md", () => {
  test.each([
    ["paid", "4242424242424242"],
    ["failed", "4000000000009995"],
  ])(
    "W6 W10 the example says of a payment that is %s what the API says, whatever the address says",
    async (said, card) => {
      const { payment, address } = await started(`order-${said}`);
      expect(await outcome(`${address}&redirect_status=succeeded`, `order-${said}`)).toBe("waiting");
      await stand.pay(payment, card);
      await stand.settle();
      for (const status of ["succeeded", "failed"])
        expect(await outcome(`${address}&redirect_status=${status}`, `order-${said}`)).toBe(said);
      expect(await outcome(address, "order-of-another"), "somebody else's payment").toBe("unknown");
      expect(await outcome("https://shop.example/thanks?redirect_status=succeeded", "order-none")).toBe("unknown");
    },
  );

  test("W6 W10 the id in the address is context.token, the webhook's paymentId, and not the widget's token", async () => {
    const { payment, address } = await started("order-names");
    await stand.pay(payment);
    await stand.settle();
    const id = new URL(address).searchParams.get("payment") ?? "";
    expect([payment.contextToken, payment.paymentId]).toEqual([id, id]);
    expect((await stand.news(id)).map(({ type }) => type)).toEqual(["payment.paid"]);
  });

  test("W6 the document names every parameter that the card provider adds", () => {
    const added = readFileSync(join(root, "sandbox/cards/card-routes.ts"), "utf8").matchAll(
      /searchParams\.set\(\s*"(\w+)"/g,
    );
    const text = readFileSync(join(root, DOCUMENT), "utf8");
    const named = [...text.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set([...added].map(([, name]) => name)));
  });
});
