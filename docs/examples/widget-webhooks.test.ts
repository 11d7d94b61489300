import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { signWebhook } from "@farthing/core/partners/webhook-rules.ts";
import { describe, expect, test } from "vitest";
import { example, root } from "./fenced-blocks.ts";
import { runModule, temporaryFolder } from "./run-example.testing.ts";

// The examples of docs/widget/webhooks.md, run as they are written with deliveries that the service's own sender signs.

const DOCUMENT = "docs/widget/webhooks.md";
const SECRET = "whsec_one";
const folder = temporaryFolder();
const body = JSON.stringify({ id: "e1", type: "payment.paid", data: { reference: "basket-1042", paymentId: "p1" } });

/** Runs an example with the package from the checkout. Returns the JSON that `after` prints. */
async function run(
  words: string,
  after: string,
  signature = signWebhook(SECRET, body, new Date()),
  stored: [reference: string, paymentId: string][] = [],
  sent = body,
): Promise<unknown> {
  const server = pathToFileURL(join(root, "packages/widget/src/server.ts")).href;
  const printed = await runModule(example(DOCUMENT, words).replace("@farthing/widget/server", server), {
    folder,
    before: `const marked = []; const orders = new Map(${JSON.stringify(stored)});
      const markAsPaid = async (reference, paymentId) => {
        if (!orders.has(reference)) orders.set(reference, paymentId);
        marked.push([reference, paymentId]);
        return orders.get(reference);
      };
      const refundSecondPayment = async (paymentId) => marked.push(["refunded", paymentId]);`,
    after: `const body = ${JSON.stringify(sent)}; const signature = ${JSON.stringify(signature)};\n${after}`,
    env: { FARTHING_WEBHOOK_SECRET: SECRET },
  });
  return JSON.parse(printed) as unknown;
}

describe("docs/widget/webhooks.md", () => {
  const post = (headers: string) => `
    const answer = await receive(new Request("https://shop.example/hook", { method: "POST", body, headers: ${headers} }));
    console.log(JSON.stringify([answer.status, await answer.text(), marked]));`;

  test("W10 the handler marks a payment as paid, once the signature is right", async () => {
    const said = await run("markAsPaid", post(`{ "Farthing-Signature": signature }`));
    expect(said).toEqual([204, "", [["basket-1042", "p1"]]]);
  });

  test("W10 the handler accepts an event that tests the endpoint, and marks nothing as paid", async () => {
    const tested = JSON.stringify({ ...JSON.parse(body), isTest: true });
    const signature = signWebhook(SECRET, tested, new Date());
    const said = await run("markAsPaid", post(`{ "Farthing-Signature": signature }`), signature, [], tested);
    expect(said).toEqual([204, "", []]);
  });

  test("W10 the handler refunds a second payment of an order, and not the first one that arrives again", async () => {
    const receive = async (paidBy: string) =>
      run("markAsPaid", post(`{ "Farthing-Signature": signature }`), undefined, [["basket-1042", paidBy]]);
    const marked = ["basket-1042", "p1"];
    expect(await receive("p0")).toEqual([204, "", [marked, ["refunded", "p1"]]]);
    expect(await receive("p1")).toEqual([204, "", [marked]]);
  });

  test("W10 the handler refuses a delivery without a header or with another signature, and does not throw", async () => {
    expect(await run("markAsPaid", post("{}"))).toEqual([400, "missing_signature", []]);
    const foreign = signWebhook("whsec_other", body, new Date());
    const said = await run("markAsPaid", post(`{ "Farthing-Signature": signature }`), foreign);
    expect(said).toEqual([400, "wrong_signature", []]);
  });

  test("W10 the handler for a raw body takes Node's headers", async () => {
    const call = (headers: string) =>
      `console.log(JSON.stringify((await receive(Buffer.from(body), ${headers})).ok), "");`;
    expect(await run("rawBody", call(`{ "farthing-signature": signature }`))).toBe(true);
    expect(await run("rawBody", call("{}"))).toBe(false);
  });
});
