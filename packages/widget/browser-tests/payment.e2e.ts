import { entries, expect, intent, postFrom, redirect, settled, test } from "./partner-page.ts";

for (const entry of entries) {
  test(`W1 W8 ${entry}: a payment from the service's button to STRIPE_PAYMENT_COMPLETE`, async ({
    partnerPage,
    page,
  }) => {
    const frame = await partnerPage.mounted({ entry }, { redirect });
    const dialog = await partnerPage.askForPayment(frame);
    await expect(dialog.getByRole("button")).toHaveText("Pay £12.34");
    await expect(dialog.getByRole("button")).toHaveCSS("background-color", "rgb(11, 85, 99)");
    await partnerPage.typeCard("4242 4242 4242 4242");
    await partnerPage.payButton.click();
    await expect(dialog).toHaveCount(0);

    expect(await partnerPage.confirmations()).toEqual([
      {
        number: "4242424242424242",
        clientSecret: "pi_1234_secret_1",
        confirmParams: { return_url: "https://shop.example/thanks/ctx%201%2F%C3%A9?x=1" },
        redirect: "if_required",
      },
    ]);
    await expect.poll(() => frame.evaluate(() => window.heard.completed)).toEqual([{ token: "ctx 1/é", order: 7 }]);
    const raw = await frame.evaluate(() => window.heard.raw as string[]);
    expect(raw.filter((data) => data.includes("COMPLETE"))).toEqual([
      '{"type":"STRIPE_PAYMENT_COMPLETE","payload":{"context":{"token":"ctx 1/é","order":7}},"origin":"react"}',
    ]);
    expect(await page.evaluate(() => window.cardCalls.destroyed)).toBe(1);
  });
}

test("G3 the provider's script is loaded on the first intent only, and once", async ({ partnerPage, page }) => {
  const loads: string[] = [];
  page.on("request", (request) => new URL(request.url()).pathname === "/card.js" && loads.push(request.url()));
  const frame = await partnerPage.mounted();
  expect(loads).toHaveLength(0);
  await partnerPage.askForPayment(frame);
  await page.keyboard.press("Escape");
  await partnerPage.askForPayment(frame, { clientSecret: "pi_1234_secret_2" });
  expect(loads).toHaveLength(1);
});

test("W8 a refused payment leaves the modal open and only warns; it can be paid again", async ({ partnerPage }) => {
  const frame = await partnerPage.mounted();
  const dialog = await partnerPage.askForPayment(frame);
  await partnerPage.typeCard("4000 0000 0000 0002");
  await partnerPage.payButton.click();
  await expect
    .poll(() => partnerPage.events("PAYMENT_ERROR"))
    .toEqual([{ type: "PAYMENT_ERROR", payload: { message: "Your card was declined.", code: "card_declined" } }]);
  await expect(partnerPage.payButton).toBeEnabled();
  expect(partnerPage.consoleLines.filter((line) => line.includes("declined"))).toEqual([
    "warning: Your card was declined.",
  ]);
  await expect(dialog).not.toContainText("declined");
  await partnerPage.typeCard("4242 4242 4242 4242");
  await partnerPage.payButton.click();
  await expect(dialog).toHaveCount(0);
});

test("W8 showPaymentErrors also shows the refusal, as an alert, until the next try", async ({ partnerPage, page }) => {
  const frame = await partnerPage.mounted({}, { showPaymentErrors: true });
  const dialog = await partnerPage.askForPayment(frame);
  const alert = dialog.getByRole("alert");
  await expect(alert).toBeEmpty(); // present from the start, so that assistive technology watches it
  await partnerPage.typeCard("4000 0000 0000 9995");
  await partnerPage.payButton.click();
  await expect(alert).toHaveText("Your card has insufficient funds.");
  await page.evaluate(() => Object.assign(window, { cardDelay: 100_000 }));
  await partnerPage.payButton.click();
  await expect(alert).toBeEmpty();
});

test("W8 an answer lost on the way does not ask for the money again", async ({ partnerPage }) => {
  const frame = await partnerPage.mounted({ cardMode: "already-paid" });
  const dialog = await partnerPage.askForPayment(frame);
  await partnerPage.payButton.click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => frame.evaluate(() => window.heard.completed.length)).toBe(1);
});

test("W8 a provider that throws counts as a refusal", async ({ partnerPage }) => {
  const frame = await partnerPage.mounted({ cardMode: "throws" });
  await partnerPage.askForPayment(frame);
  await partnerPage.payButton.click();
  await expect.poll(() => partnerPage.events("PAYMENT_ERROR")).toHaveLength(1);
  await expect(partnerPage.payButton).toBeEnabled();
});

test("W7 a double click, and Enter on top, pay once", async ({ partnerPage, page }) => {
  const frame = await partnerPage.mounted();
  await partnerPage.askForPayment(frame);
  await page.evaluate(() => Object.assign(window, { cardDelay: 300 }));
  await partnerPage.payButton.evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
    button.form!.requestSubmit();
  });
  await expect(partnerPage.dialog).toHaveCount(0);
  expect(await partnerPage.confirmations()).toHaveLength(1);
});

test("W7 while processing, nothing closes or replaces the modal: background, Escape, a new intent, new properties", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted({}, { token: "first" });
  const dialog = await partnerPage.askForPayment(frame);
  await page.evaluate(() => Object.assign(window, { cardDelay: 1e6 }));
  await partnerPage.payButton.click();
  await expect(partnerPage.payButton).toBeDisabled();
  await page.mouse.click(5, 5);
  await page.keyboard.press("Escape");
  await dialog.frameLocator("iframe").getByLabel("Card number").press("Escape");
  await postFrom(frame, intent());
  await page.evaluate(() => window.harness.update({ token: "second", environment: "dev", path: "/" }));
  await settled(page);
  await expect(dialog).toBeVisible();
  await expect(partnerPage.payButton).toHaveText("Pay £12.34");
  await page.evaluate(() => window.answerCard?.());
  await partnerPage.frame("second"); // the new properties come into force once the payment is over
  await expect(dialog).toHaveCount(0);
});

test("W7 a new intent replaces an idle modal: one dialog, the new amount, the new secret charged, the old form gone", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  await partnerPage.askForPayment(frame);
  await postFrom(frame, intent({ clientSecret: "pi_500_secret_new" }));
  await expect(partnerPage.payButton).toHaveText("Pay £5.00");
  await expect(partnerPage.payButton).toBeEnabled();
  await expect(partnerPage.dialog).toHaveCount(1);
  await partnerPage.payButton.click();
  await expect(partnerPage.dialog).toHaveCount(0);
  expect((await partnerPage.confirmations()).map(({ clientSecret }) => clientSecret)).toEqual(["pi_500_secret_new"]);
  expect(await page.evaluate(() => window.cardCalls.destroyed)).toBe(2);
});

test("W7 the same intent again keeps the card the payer has begun to type", async ({ partnerPage, page }) => {
  const frame = await partnerPage.mounted();
  await partnerPage.askForPayment(frame);
  await partnerPage.typeCard("4242");
  for (let i = 0; i < 20; i++) await frame.evaluate(() => window.connection.requestPayment(window.payment));
  await settled(page);
  await expect(partnerPage.dialog).toHaveCount(1);
  await expect(partnerPage.dialog.frameLocator("iframe").getByLabel("Card number")).toHaveValue("4242");
});

for (const [name, payment] of Object.entries({
  "an amount other than shown": { clientSecret: "pi_1235_secret_1" },
  "another currency than pounds": { clientSecret: "pi_1234_eur_secret_1" },
  "an intent the provider does not know": { clientSecret: "pi_1234_unknown_secret_1" },
})) {
  test(`W7 ${name}: Pay never becomes usable, and the host hears why`, async ({ partnerPage, page }) => {
    const frame = await partnerPage.mounted();
    await frame.evaluate((changes) => Object.assign(window.payment, changes), payment);
    await frame.locator("#pay").click();
    await expect
      .poll(() => partnerPage.events("PAYMENT_ERROR"))
      .toMatchObject([{ payload: { code: "amount_not_confirmed" } }]);
    await expect(partnerPage.payButton).toBeDisabled();
    await expect(partnerPage.dialog.getByRole("alert")).toContainText("nothing was charged");
    await page.keyboard.press("Escape");
    await expect(partnerPage.dialog).toHaveCount(0);
  });
}

test("G3 a provider's script that fails is tried again on the next intent", async ({ partnerPage, page }) => {
  let blocked = true;
  await page.route("**/card.js*", (route) => (blocked ? route.abort() : route.continue()));
  const frame = await partnerPage.mounted();
  await frame.locator("#pay").click();
  await expect
    .poll(() => partnerPage.events("PAYMENT_ERROR"))
    .toMatchObject([{ payload: { code: "provider_not_loaded" } }]);
  expect(partnerPage.consoleLines.filter((line) => line.startsWith("warning:"))).toHaveLength(1);
  await expect(page.locator('script[src*="card.js"]')).toHaveCount(0);
  await page.keyboard.press("Escape");
  blocked = false;
  await partnerPage.askForPayment(frame);
});

test("G3 a form that breaks while loading is said so", async ({ partnerPage }) => {
  const frame = await partnerPage.mounted({ cardMode: "loaderror" });
  await frame.locator("#pay").click();
  await expect
    .poll(() => partnerPage.events("PAYMENT_ERROR"))
    .toEqual([{ type: "PAYMENT_ERROR", payload: { message: "The form broke", code: "provider_not_loaded" } }]);
});

test("G3 a form that never becomes ready is given up after 15 seconds", async ({ partnerPage, page }) => {
  await partnerPage.stopTime();
  const frame = await partnerPage.mounted({ cardMode: "never-ready" });
  await frame.locator("#pay").click();
  await expect(partnerPage.dialog.locator("iframe")).toBeAttached();
  await page.clock.runFor(14_999);
  expect(await partnerPage.events("PAYMENT_ERROR")).toEqual([]);
  await page.clock.runFor(1);
  await expect
    .poll(() => partnerPage.events("PAYMENT_ERROR"))
    .toMatchObject([{ payload: { code: "provider_not_loaded" } }]);
});

test("G3 a live key never meets another script than the provider's own", async ({ partnerPage }) => {
  const frame = await partnerPage.mounted({ key: "pk_live_1" });
  await frame.locator("#pay").click();
  await expect
    .poll(() => partnerPage.events("PAYMENT_ERROR"))
    .toMatchObject([{ payload: { code: "provider_not_loaded" } }]);
  expect(await partnerPage.page.evaluate(() => "Stripe" in window)).toBe(false);
});

test("W8 a challenge frame above the modal can be used: it is not inert, takes clicks and typing, and the payment completes", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  const dialog = await partnerPage.askForPayment(frame);
  await partnerPage.typeCard("4000 0000 0000 3220");
  await partnerPage.payButton.click();
  const bank = page.frameLocator('iframe[name="__privateStripeFrame3"]');
  await bank.getByLabel("One-time code").click();
  await page.keyboard.type("123456"); // real key presses: whoever steals the focus gets them
  await expect(bank.getByLabel("One-time code")).toHaveValue("123456");
  const top = await page.evaluate(() =>
    document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.getAttribute("name"),
  );
  expect(top).toBe("__privateStripeFrame3");
  await expect(dialog).not.toHaveAttribute("aria-modal", "true"); // else screen readers would not find the bank's frame
  await bank.getByRole("button", { name: "Complete" }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => frame.evaluate(() => window.heard.completed.length)).toBe(1);
});

test("W8 a failed challenge brings the payer back to the form", async ({ partnerPage, page }) => {
  const frame = await partnerPage.mounted();
  await partnerPage.askForPayment(frame);
  await partnerPage.typeCard("4000 0000 0000 3220");
  await partnerPage.payButton.click();
  await page.frameLocator('iframe[name="__privateStripeFrame3"]').getByRole("button", { name: "Fail" }).click();
  await expect(partnerPage.payButton).toBeEnabled();
  await expect(partnerPage.dialog).toHaveAttribute("aria-modal", "true");
  await expect
    .poll(() => partnerPage.events("PAYMENT_ERROR"))
    .toMatchObject([{ payload: { code: "payment_intent_authentication_failure" } }]);
});

test("W8 without a redirect configuration people come back to the page they left", async ({ partnerPage, page }) => {
  const frame = await partnerPage.mounted();
  await partnerPage.askForPayment(frame);
  await partnerPage.payButton.click();
  await expect(partnerPage.dialog).toHaveCount(0);
  expect((await partnerPage.confirmations())[0]!.confirmParams.return_url).toBe(page.url());
});

test("W8 back from the provider's own page, a page shown as it was left can be paid again", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  await partnerPage.askForPayment(frame);
  await page.evaluate(() => Object.assign(window, { cardDelay: 1e9 })); // the provider has left: no answer comes
  await partnerPage.payButton.click();
  await expect(partnerPage.payButton).toBeDisabled();
  const show = (persisted: boolean) =>
    page.evaluate(
      (given) => void window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: given })),
      persisted,
    );
  await show(false); // a slow page's own end of loading is something else
  await expect(partnerPage.payButton).toBeDisabled();
  await show(true);
  await expect(partnerPage.payButton).toBeEnabled();
  await page.keyboard.press("Escape");
  await expect(partnerPage.dialog).toHaveCount(0);
});

test("G3 the provider's form gets an empty place of its own, and is not seen before it can be used", async ({
  partnerPage,
}) => {
  const frame = await partnerPage.mounted({ cardMode: "never-ready" });
  await frame.locator("#pay").click();
  const form = partnerPage.dialog.locator(".__PrivateStripeElement");
  await expect(form).toBeAttached();
  expect(await form.evaluate((element) => element.parentElement!.children.length)).toBe(1);
  await expect(form.locator("..")).toHaveCSS("height", "0px");
  await expect(partnerPage.dialog.locator("form > i")).toBeVisible();
});
