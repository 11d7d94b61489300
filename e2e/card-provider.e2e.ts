import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { FrameLocator, Locator, Page } from "@playwright/test";
import { clickInFrame } from "../packages/widget/browser-tests/click-in-frame.ts";
import { stripeWrapper } from "../sandbox/testing/stripe-wrapper.ts";
import { expect, test } from "./support/fixtures.ts";

// Tests the sandbox's card provider in a real browser, on a partner's page at another origin, through the provider's own wrapper
// (@stripe/stripe-js), as the payment widget uses it, but without the widget.

const wrapper = stripeWrapper();

/** The partner's site. A real server, because in Chromium a page from `page.route` can't reach this machine's addresses. */
let partner = "";
let partnerSite: Server;

const hostPage = (
  sandbox: string,
): string => `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>Partner</title></head>
<body><main><h1>Partner</h1><div id="form"></div><button id="pay">Pay</button><output id="result"></output></main>
<script src="${sandbox}/cards/v3/"></script>
<script type="module" src="/page.mjs"></script></body></html>`;

const HOST_SCRIPT = `
import { loadStripe } from "/pure.mjs";
const given = new URLSearchParams(location.search);
const stripe = await loadStripe("pk_test_sandbox");
const elements = stripe.elements({ clientSecret: given.get("secret"), ...(given.get("session") ? { customerSessionClientSecret: given.get("session") } : {}) });
const form = elements.create("payment");
window.heard = [];
for (const name of ["loaderstart", "ready", "change", "loaderror"]) form.on(name, () => window.heard.push(name));
form.mount("#form");
document.querySelector("#pay").addEventListener("click", async () => {
  const { paymentIntent, error } = await stripe.confirmPayment({ elements, redirect: "if_required", confirmParams: { return_url: location.origin + "/back" } });
  document.querySelector("#result").textContent = error ? error.code + ": " + error.message : paymentIntent.status;
});`;

interface Intent {
  id: string;
  client_secret: string;
  status: string;
}

/** Calls the provider's API as a merchant's server does. */
async function server<T>(
  sandbox: string,
  method: string,
  path: string,
  fields: Record<string, string> = {},
): Promise<T> {
  const body = method === "POST" ? { body: new URLSearchParams(fields) } : {};
  const response = await fetch(`${sandbox}/v1/${path}`, {
    method,
    headers: { Authorization: "Bearer sk_test_sandbox" },
    ...body,
  });
  return (await response.json()) as T;
}

/** Opens the partner's page for a new payment of £12.34. */
async function openPayment(
  page: Page,
  sandbox: string,
  more: { customer?: string; session?: string } = {},
): Promise<{ intent: Intent; form: FrameLocator }> {
  const intent = await server<Intent>(sandbox, "POST", "payment_intents", {
    amount: "1234",
    currency: "gbp",
    ...(more.customer ? { customer: more.customer } : {}),
  });
  await page.goto(
    `${partner}/?${new URLSearchParams({ secret: intent.client_secret, ...(more.session ? { session: more.session } : {}) })}`,
  );
  return { intent, form: page.frameLocator('iframe[title="Secure payment input frame"]') };
}

/**
 * Fills in a card. Not key by key: the frame is another process, and keys go to the page around it until the browser has
 * moved the keyboard there, which the frame cannot see.
 */
async function fillCard(form: FrameLocator, number: string): Promise<void> {
  await form.getByLabel("Card number").fill(number);
  await form.getByLabel("Expiry date").fill("1240");
  await form.getByLabel("Security code").fill("123");
}

const heightOf = (frame: Locator): Promise<number> => frame.evaluate((element) => element.clientHeight);

test.describe("G3 the sandbox's card provider in a browser", () => {
  test.beforeAll(async ({ sandboxUrl }) => {
    partnerSite = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://partner.test");
      const [type, body] = pathname.endsWith(".mjs")
        ? ["text/javascript", pathname === "/pure.mjs" ? wrapper : HOST_SCRIPT]
        : ["text/html", pathname === "/back" ? "<title>Back</title><h1>Back</h1>" : hostPage(sandboxUrl(""))];
      response.writeHead(200, { "Content-Type": `${type}; charset=utf-8` }).end(body);
    });
    await new Promise<void>((resolve) => partnerSite.listen(0, "127.0.0.1", resolve));
    partner = `http://localhost:${(partnerSite.address() as AddressInfo).port}`;
  });
  test.afterAll(() => {
    partnerSite.close();
    partnerSite.closeAllConnections();
  });

  test("G3 a valid card pays on the page, and the card number never reaches the page", async ({ page, sandboxUrl }) => {
    const { intent, form } = await openPayment(page, sandboxUrl(""));
    await fillCard(form, "4242424242424242");
    await page.getByRole("button", { name: "Pay" }).click();
    await expect(page.locator("#result")).toHaveText("succeeded");
    expect((await server<Intent>(sandboxUrl(""), "GET", `payment_intents/${intent.id}`)).status).toBe("succeeded");
    expect(await page.evaluate(() => (window as unknown as { heard: string[] }).heard)).toEqual(
      expect.arrayContaining(["loaderstart", "ready", "change"]),
    );
    await expect(page.locator("body")).not.toContainText("4242");
  });

  test("G3 an incomplete card shows an error, and a declined one can be replaced", async ({ page, sandboxUrl }) => {
    const { form } = await openPayment(page, sandboxUrl(""));
    await form.getByLabel("Card number").waitFor();
    await page.getByRole("button", { name: "Pay" }).click();
    await expect(page.locator("#result")).toHaveText("incomplete_number: Your card number is incomplete.");
    await fillCard(form, "4000000000009995");
    await page.getByRole("button", { name: "Pay" }).click();
    await expect(page.locator("#result")).toHaveText("card_declined: Your card has insufficient funds.");
    await expect(form.getByRole("alert").filter({ hasText: "insufficient funds" })).toBeVisible();
    // The error goes as the number is corrected, not when Pay is pressed: the button would move from under the pointer.
    const frame = page.locator('iframe[title="Secure payment input frame"]');
    const heightWithError = await heightOf(frame);
    await form.getByLabel("Card number").fill("4242424242424242");
    await expect(form.getByRole("alert").filter({ hasText: "insufficient funds" })).toHaveCount(0);
    await expect.poll(() => heightOf(frame)).toBeLessThan(heightWithError);
    await page.getByRole("button", { name: "Pay" }).click();
    await expect(page.locator("#result")).toHaveText("succeeded");
  });

  for (const [button, outcome] of [
    ["Complete", "succeeded"],
    ["Fail", /^payment_intent_authentication_failure: /],
  ] as const) {
    test(`G3 a challenge opens over the page; "${button}" ends it`, async ({ page, sandboxUrl }) => {
      const { form } = await openPayment(page, sandboxUrl(""));
      await fillCard(form, "4000000000003220");
      await page.getByRole("button", { name: "Pay" }).click();
      const bank = page.frameLocator('iframe[title="Authentication by your bank"]');
      await bank.getByLabel("One-time code").fill("123456");
      await clickInFrame(bank.getByRole("button", { name: button }));
      await expect(page.locator("#result")).toHaveText(outcome);
      await expect(page.locator('iframe[title="Authentication by your bank"]')).toHaveCount(0);
    });
  }

  test("G3 paying by bank leaves the page and returns with the outcome", async ({ page, sandboxUrl }) => {
    const { intent, form } = await openPayment(page, sandboxUrl(""));
    await form.getByLabel("Pay by bank").check();
    await page.getByRole("button", { name: "Pay" }).click();
    await page.getByRole("button", { name: "Authorise payment" }).click();
    await page.waitForURL((url) => url.pathname === "/back");
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({
      payment_intent: intent.id,
      payment_intent_client_secret: intent.client_secret,
      redirect_status: "succeeded",
    });
  });

  test("G3 a card saved with one payment is offered for the next", async ({ page, sandboxUrl }) => {
    const sandbox = sandboxUrl("");
    const { id: customer } = await server<{ id: string }>(sandbox, "POST", "customers");
    const { client_secret: session } = await server<{ client_secret: string }>(sandbox, "POST", "customer_sessions", {
      customer,
      "components[payment_element][enabled]": "true",
      "components[payment_element][features][payment_method_redisplay]": "enabled",
      "components[payment_element][features][payment_method_save]": "enabled",
    });
    const first = await openPayment(page, sandbox, { customer, session });
    await fillCard(first.form, "4242424242424242");
    await first.form.getByLabel("Save card for later").check();
    await page.getByRole("button", { name: "Pay" }).click();
    await expect(page.locator("#result")).toHaveText("succeeded");
    const second = await openPayment(page, sandbox, { customer, session });
    await expect(second.form.getByLabel(/Visa ending in 4242/)).toBeChecked();
    await page.getByRole("button", { name: "Pay" }).click();
    await expect(page.locator("#result")).toHaveText("succeeded");
  });
});
