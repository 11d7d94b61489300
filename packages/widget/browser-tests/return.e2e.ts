import type { Page } from "@playwright/test";
import { clickInFrame } from "./click-in-frame.ts";
import { expect, redirect, settled, test } from "./partner-page.ts";

/** Sets the address that the card provider sends a payer back to, before the widget mounts. Returns the address without what the provider adds. */
async function comeBack(page: Page, clientSecret: string, mark = "&farthing_payment=ctx%201"): Promise<string> {
  return page.evaluate(
    ([secret, own]) => {
      const before = `${location.href}&basket=a+b%20c`;
      history.replaceState(
        { key: "the page's own" },
        "",
        `${before}${own}&payment_intent=pi_1&payment_intent_client_secret=${secret}&redirect_status=succeeded#top`,
      );
      return `${before}#top`;
    },
    [clientSecret, mark] as const,
  );
}

const complete = '{"type":"STRIPE_PAYMENT_COMPLETE","payload":{"context":{"token":"ctx 1"}},"origin":"react"}';

for (const entry of ["script", "react", "element"] as const)
  test(`W8 ${entry}: a payer who comes back paid: the provider is asked, the host and the frame hear of it once, and the secret leaves the address`, async ({
    partnerPage,
    page,
  }) => {
    await partnerPage.open({ entry });
    const own = await comeBack(page, "pi_1234_paid_secret_1");
    const frame = await partnerPage.mount();
    await expect
      .poll(() => partnerPage.events("PAYMENT_COMPLETE"))
      .toEqual([{ type: "PAYMENT_COMPLETE", payload: { context: { token: "ctx 1" } } }]);
    await expect.poll(() => frame.evaluate(() => window.heard.completed)).toEqual([{ token: "ctx 1" }]);
    expect(await frame.evaluate(() => window.heard.raw)).toContain(complete);
    expect(page.url()).toBe(own);
    expect(await page.evaluate(() => history.state as unknown)).toEqual({ key: "the page's own" });
    expect(await page.evaluate(() => window.cardCalls.retrieved)).toEqual(["pi_1234_paid_secret_1"]);

    // The next frame is for the next payment.
    await page.evaluate(() => window.harness.update({ token: "next", environment: "dev", path: "/" }));
    const next = await partnerPage.frame("next");
    await partnerPage.askForPayment(next, { clientSecret: "pi_1234_secret_2" });
    expect(await next.evaluate(() => window.heard.completed)).toEqual([]);
    expect(await partnerPage.events("PAYMENT_COMPLETE")).toHaveLength(1);
  });

test("W8 a payer who comes back without having paid: PAYMENT_ERROR has the provider's reason, and the payer can pay", async ({
  partnerPage,
  page,
}) => {
  await partnerPage.open();
  const own = await comeBack(page, "pi_1234_declined_secret_1");
  const frame = await partnerPage.mount();
  await expect
    .poll(() => partnerPage.events("PAYMENT_ERROR"))
    .toEqual([
      {
        type: "PAYMENT_ERROR",
        payload: { message: "The bank refused the payment.", code: "payment_intent_payment_attempt_failed" },
      },
    ]);
  expect(page.url()).toBe(own);
  await partnerPage.askForPayment(frame);
  expect(await frame.evaluate(() => window.heard.completed)).toEqual([]);
  expect(await partnerPage.events("PAYMENT_COMPLETE")).toEqual([]);
});

test("W8 a page without a token hears of the return all the same: its server mints none for a paid order", async ({
  partnerPage,
  page,
}) => {
  await partnerPage.open();
  await comeBack(page, "pi_1234_paid_secret_1");
  await page.evaluate(() => window.harness.mount({ token: "", environment: "dev" }));
  await expect.poll(() => partnerPage.events("PAYMENT_COMPLETE")).toHaveLength(1);
});

test("W8 a provider that does not answer after a return is asked again for the next frame", async ({
  partnerPage,
  page,
}) => {
  await partnerPage.open();
  await comeBack(page, "pi_1234_paid_secret_1");
  await page.route("**/card.js*", (route) => route.abort(), { times: 1 });
  await page.evaluate(() => window.harness.mount({ token: "", environment: "dev" }));
  await expect
    .poll(() => partnerPage.events("PAYMENT_ERROR"))
    .toMatchObject([{ payload: { code: "provider_not_loaded" } }]);
  await page.evaluate(() => window.harness.update({ token: "again", environment: "dev", path: "/" }));
  const frame = await partnerPage.frame("again");
  await expect.poll(() => frame.evaluate(() => window.heard.completed)).toEqual([{ token: "ctx 1" }]);
});

test("W8 a return that is the page's own, or to a page with a redirect of its own, stays in the address", async ({
  partnerPage,
  page,
}) => {
  await partnerPage.open();
  await comeBack(page, "pi_1234_paid_secret_1", "");
  const address = page.url();
  const frame = await partnerPage.mount({ redirect });
  await partnerPage.askForPayment(frame);
  expect(page.url()).toBe(address);
  expect(await partnerPage.events("PAYMENT_COMPLETE")).toEqual([]);
});

test("W8 a page whose path only begins as the portal's hears of the return", async ({ partnerPage, page }) => {
  await partnerPage.open();
  await comeBack(page, "pi_1234_paid_secret_1");
  const frame = await partnerPage.mount({ path: "/portals" });
  await expect.poll(() => frame.evaluate(() => window.heard.completed)).toEqual([{ token: "ctx 1" }]);
});

test("W8 code for payments that does not load is no PAYMENT_ERROR where nobody has come back, whatever the page's own parameters", async ({
  partnerPage,
  page,
}) => {
  await partnerPage.open();
  await comeBack(page, "pi_1234_paid_secret_1", "&farthing_promo=1");
  await page.route("**/farthing-widget-payment.js", (route) => route.abort());
  const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/farthing-widget-payment.js"));
  await partnerPage.mount();
  await expect.poll(() => partnerPage.events("READY")).toHaveLength(1);
  await failed;
  await settled(page);
  expect(await partnerPage.events("PAYMENT_ERROR")).toEqual([]);
});

test("W8 code for payments that does not load after a return: the host hears of it, and the next payment settles the return instead of taking another", async ({
  partnerPage,
  page,
}) => {
  await partnerPage.open();
  const own = await comeBack(page, "pi_1234_paid_secret_1");
  let offline = true;
  await page.route("**/farthing-widget-payment.js", (route) => (offline ? route.abort() : route.continue()));
  const frame = await partnerPage.mount();
  await expect.poll(() => partnerPage.events("READY")).toHaveLength(1);
  // At the mount, and again at READY.
  const failure = { type: "PAYMENT_ERROR", payload: { code: "provider_not_loaded" } };
  await expect.poll(() => partnerPage.events("PAYMENT_ERROR")).toMatchObject([failure, failure]);
  expect(await partnerPage.events("LOAD_ERROR")).toEqual([]);
  offline = false;
  await clickInFrame(frame.locator("#pay"));
  await expect.poll(() => frame.evaluate(() => window.heard.completed)).toEqual([{ token: "ctx 1" }]);
  expect(page.url()).toBe(own);
  expect(await partnerPage.events("PAYMENT_COMPLETE")).toHaveLength(1);
  expect(await partnerPage.events("MODAL_OPENED")).toEqual([]);
  // The payer may want a second payment all the same.
  await partnerPage.askForPayment(frame, { clientSecret: "pi_1234_secret_2" });
});

test("W8 code for payments that loads only after the frame is ready: the frame hears of the return, and the provider is asked once", async ({
  partnerPage,
  page,
}) => {
  await partnerPage.open();
  await comeBack(page, "pi_1234_paid_secret_1");
  const ready = Promise.withResolvers<void>();
  await page.route("**/farthing-widget-payment.js", async (route) => {
    await ready.promise;
    await route.continue();
  });
  const frame = await partnerPage.mount();
  await expect.poll(() => partnerPage.events("READY")).toHaveLength(1);
  ready.resolve();
  await expect.poll(() => frame.evaluate(() => window.heard.completed)).toEqual([{ token: "ctx 1" }]);
  expect(await partnerPage.events("PAYMENT_COMPLETE")).toHaveLength(1);
  expect(await page.evaluate(() => window.cardCalls.retrieved)).toEqual(["pi_1234_paid_secret_1"]);
});

test("W8 beside the gift-card portal, which is ready first, the payment's frame hears of the return", async ({
  partnerPage,
  page,
}) => {
  await partnerPage.open();
  await comeBack(page, "pi_1234_paid_secret_1");
  const portal = await partnerPage.mount({ path: "/portal" }, "first");
  await expect.poll(() => partnerPage.events("PAYMENT_COMPLETE")).toHaveLength(1);
  await expect.poll(() => partnerPage.events("READY")).toHaveLength(1);
  const frame = await partnerPage.mount({}, "second");
  await expect.poll(() => frame.evaluate(() => window.heard.completed)).toEqual([{ token: "ctx 1" }]);
  expect(await portal.evaluate(() => window.heard.completed)).toEqual([]);
});

test("W8 beside the gift-card portal of its own script, which settles the return, the payment's frame hears of it", async ({
  partnerPage,
  page,
}) => {
  await partnerPage.open({ giftCards: true });
  await comeBack(page, "pi_1234_paid_secret_1");
  const portal = await partnerPage.mount({ path: "/portal" }, "first");
  await expect.poll(() => partnerPage.events("PAYMENT_COMPLETE")).toHaveLength(1);
  await expect.poll(() => partnerPage.events("READY")).toHaveLength(1);
  // From now on the harness mounts the payment widget.
  await page.evaluate(() => history.replaceState(null, "", location.href.replace("gift-cards=", "")));
  await page.addScriptTag({ url: "/farthing-widget.js" });
  await page.addScriptTag({ url: "/script-page.js" });
  const frame = await partnerPage.mount({}, "second");
  await expect.poll(() => frame.evaluate(() => window.heard.completed)).toEqual([{ token: "ctx 1" }]);
  expect(await portal.evaluate(() => window.heard.completed)).toEqual([]);
  // The payment that the frame asks for next is another one.
  expect(await partnerPage.events("PAYMENT_COMPLETE")).toEqual([]);
  await partnerPage.askForPayment(frame, { clientSecret: "pi_1234_secret_2" });
});
