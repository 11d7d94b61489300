import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newCard, startTestCards, type TestCards } from "../testing/start-test-cards.ts";

const root = join(import.meta.dirname, "..", "..");

let cards: TestCards;
beforeAll(async () => {
  cards = await startTestCards();
});
afterAll(() => cards.end());

interface Sample {
  name: string;
  type: string;
  answer: unknown;
}

/** Compiles each response as a constant of the SDK's type. Returns the compiler's errors by sample. */
async function complaints(samples: readonly Sample[]): Promise<Map<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "conformance-"));
  const lines = samples.map(({ type, answer }, index) => `const sample${index}: ${type} = ${JSON.stringify(answer)};`);
  writeFileSync(join(folder, "samples.ts"), `import type Stripe from "stripe";\n${lines.join("\n")}\nexport {};\n`);
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        module: "preserve",
        moduleResolution: "bundler",
        target: "es2024",
        types: [],
        paths: { stripe: [join(root, "node_modules/stripe/esm/stripe.esm.node.d.ts")] },
        typeRoots: [join(root, "node_modules/@types")],
      },
      files: ["samples.ts"],
    }),
  );
  const output = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [join(root, "node_modules/typescript/bin/tsc"), "-p", folder, "--pretty", "false"],
      { cwd: root },
      (_error, stdout) => resolve(stdout),
    );
  });
  rmSync(folder, { recursive: true, force: true });
  const found = new Map<string, string>();
  for (const [, line, message] of output.matchAll(/samples\.ts\((\d+),\d+\): error (.+)/g)) {
    const sample = samples[Number(line) - 2];
    found.set(sample?.name ?? `line ${line}`, String(message));
  }
  if (found.size === 0 && output.trim()) throw new Error(output);
  return found;
}

/** Returns every kind of response, as received. */
async function collect(): Promise<Sample[]> {
  const { stripe } = cards;
  const wire = async (path: string): Promise<unknown> =>
    (await fetch(`${cards.url}/v1/${path}`, { headers: { Authorization: "Bearer sk_test_tests" } })).json();
  const customer = await stripe.customers.create({ email: "ada@example.org", metadata: { a: "b" } });
  const fresh = await stripe.paymentIntents.create({ amount: 2500, currency: "gbp", customer: customer.id });
  const paid = await stripe.paymentIntents.create({
    amount: 2500,
    currency: "gbp",
    confirm: true,
    payment_method: "pm_card_visa",
    return_url: "https://a.example/",
  });
  const refund = await stripe.refunds.create({ payment_intent: paid.id });
  const disputed = await stripe.paymentIntents.create({
    ...{
      amount: 2500,
      currency: "gbp",
      confirm: true,
      payment_method: "pm_card_visa",
      return_url: "https://a.example/",
    },
  });
  const dispute = (await cards.test.json("POST", "/control/cards/disputes", { payment_intent: disputed.id })) as {
    id: string;
  };
  const charge = await stripe.charges.retrieve(String(disputed.latest_charge));
  const failed = await stripe.paymentIntents.create({ amount: 2500, currency: "gbp" });
  const path = (id: string): string => `payment_intents/${id}/confirm`;
  await cards.browser("POST", path(failed.id), {
    client_secret: String(failed.client_secret),
    ...newCard("4000000000009995"),
  });
  const challenged = await stripe.paymentIntents.create({ amount: 2500, currency: "gbp" });
  await cards.browser("POST", path(challenged.id), {
    client_secret: String(challenged.client_secret),
    ...newCard("4000000000003220"),
  });
  const banked = await stripe.paymentIntents.create({ amount: 2500, currency: "gbp" });
  await cards.browser("POST", path(banked.id), {
    client_secret: String(banked.client_secret),
    "payment_method_data[type]": "pay_by_bank",
    return_url: "https://a.example/",
  });
  const method = await stripe.paymentMethods.attach("pm_card_mastercard", { customer: customer.id });
  const session = await stripe.customerSessions.create({
    customer: customer.id,
    components: { payment_element: { enabled: true } },
  });
  const { lastResponse: _first, ...sessionBody } = session;
  const { lastResponse: _second, ...keyBody } = await stripe.ephemeralKeys.create(
    { customer: customer.id },
    { apiVersion: "2026-10-28.endive" },
  );
  const { associated_objects: _extra, ...knownKeyBody } = keyBody as typeof keyBody & { associated_objects: unknown };
  const charges = (await wire("charges")) as { data: { id: string }[] };
  const events = (await wire("events?limit=100")) as { data: { id: string }[] };
  return [
    { name: "customer", type: "Stripe.Customer", answer: await wire(`customers/${customer.id}`) },
    { name: "fresh intent", type: "Stripe.PaymentIntent", answer: await wire(`payment_intents/${fresh.id}`) },
    {
      name: "paid intent",
      type: "Stripe.PaymentIntent",
      answer: await wire(`payment_intents/${paid.id}?expand[]=latest_charge&expand[]=payment_method`),
    },
    { name: "failed intent", type: "Stripe.PaymentIntent", answer: await wire(`payment_intents/${failed.id}`) },
    { name: "challenged intent", type: "Stripe.PaymentIntent", answer: await wire(`payment_intents/${challenged.id}`) },
    { name: "banked intent", type: "Stripe.PaymentIntent", answer: await wire(`payment_intents/${banked.id}`) },
    { name: "payment method", type: "Stripe.PaymentMethod", answer: await wire(`payment_methods/${method.id}`) },
    { name: "refund", type: "Stripe.Refund", answer: await wire(`refunds/${refund.id}`) },
    { name: "customer session", type: "Stripe.CustomerSession", answer: sessionBody },
    { name: "ephemeral key", type: "Stripe.EphemeralKey", answer: knownKeyBody },
    { name: "dispute", type: "Stripe.Dispute", answer: await wire(`disputes/${dispute.id}`) },
    { name: "list of disputes", type: "Stripe.ApiList<Stripe.Dispute>", answer: await wire("disputes") },
    {
      name: "balance transaction",
      type: "Stripe.BalanceTransaction",
      answer: await wire(`balance_transactions/${String(charge.balance_transaction)}`),
    },
    { name: "balance", type: "Stripe.Balance", answer: await wire("balance") },
    { name: "list of intents", type: "Stripe.ApiList<Stripe.PaymentIntent>", answer: await wire("payment_intents") },
    ...charges.data.map((charge, index) => ({ name: `charge ${index}`, type: "Stripe.Charge", answer: charge })),
    ...events.data.map((event, index) => ({
      name: `event ${index}`,
      type: "Stripe.EventBase",
      answer: { ...event, data: { object: {} } },
    })),
  ];
}

describe("G3 every response matches the SDK's types", () => {
  test("G3 the responses compile as the SDK's types; altered ones do not", async () => {
    const samples = await collect();
    expect(samples.length).toBeGreaterThan(20);
    expect([...(await complaints(samples))]).toEqual([]);

    // The check itself must fail: for each missing required field, each value of another type, and an additional field.
    const spoilt: Sample[] = [];
    for (const sample of samples.filter(({ name }) =>
      ["fresh intent", "payment method", "refund", "customer", "dispute"].includes(name),
    )) {
      const answer = sample.answer as Record<string, unknown>;
      for (const field of ["id", "object", "created", "livemode"].filter((name) => name in answer)) {
        const { [field]: _gone, ...without } = answer;
        spoilt.push({ ...sample, name: `${sample.name} without ${field}`, answer: without });
        spoilt.push({
          ...sample,
          name: `${sample.name} with odd ${field}`,
          answer: { ...answer, [field]: { odd: true } },
        });
      }
      spoilt.push({ ...sample, name: `${sample.name} with more`, answer: { ...answer, invented: 1 } });
    }
    // A refund has no livemode.
    expect(spoilt.length).toBeGreaterThanOrEqual(34);
    const refused = await complaints(spoilt);
    expect(spoilt.map(({ name }) => name).filter((name) => !refused.has(name))).toEqual([]);
  });
});
