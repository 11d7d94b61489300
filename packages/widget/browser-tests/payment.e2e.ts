import { clickInFrame } from "./click-in-frame.ts";
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

test("W8 a declined payment leaves the modal open and only logs a warning; the payer can try again", async ({
  partnerPage,
}) => {
  const frame = await partnerPage.mounted();
  const dialog = await partnerPage.askForPayment(frame);
  await partnerPage.typeCard("4000 0000 0000 0002");
  await partnerPage.payButton.click();
  await expect
    .poll(() => partnerPage.events("PAYMENT_ERROR"))
    .toEqual([
      {
        type: "PAYMENT_ERROR",
        payload: { message: "Your card was declined.", code: "card_declined", declineCode: "generic_decline" },
      },
    ]);
  await expect(partnerPage.payButton).toBeEnabled();
  expect(partnerPage.consoleLines.filter((line) => line.includes("declined"))).toEqual([
    "warning: Your card was declined.",
  ]);
  await expect(dialog).not.toContainText("declined");
  await partnerPage.typeCard("4242 4242 4242 4242");
  await partnerPage.payButton.click();
  await expect(dialog).toHaveCount(0);
});

test("W8 showPaymentErrors also shows the reason as an alert, until the next attempt", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted({}, { showPaymentErrors: true });
  const dialog = await partnerPage.askForPayment(frame);
  const alert = dialog.getByRole("alert");
  await expect(alert).toBeEmpty(); // present from the start, so that assistive technology watches it
  await partnerPage.typeCard("4000 0000 0000 9995");
  await partnerPage.payButton.click();
  await expect(alert).toHaveText("Your card has insufficient funds.");
  expect(await partnerPage.events("PAYMENT_ERROR")).toMatchObject([{ payload: { declineCode: "insufficient_funds" } }]);
  await page.evaluate(() => Object.assign(window, { cardDelay: 100_000 }));
  await partnerPage.payButton.click();
  await expect(alert).toBeEmpty();
});

test("W8 after a lost response the payer is not asked to pay again", async ({ partnerPage }) => {
  const frame = await partnerPage.mounted({ cardMode: "already-paid" });
  const dialog = await partnerPage.askForPayment(frame);
  await partnerPage.payButton.click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => frame.evaluate(() => window.heard.completed.length)).toBe(1);
});

test("W8 the answer to a confirmation is lost: the provider is asked at once, and the payment is complete", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  const dialog = await partnerPage.askForPayment(frame);
  await page.evaluate(() => Object.assign(window, { cardOffline: "confirmation" }));
  await partnerPage.payButton.click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => frame.evaluate(() => window.heard.completed.length)).toBe(1);
  expect(await partnerPage.events("PAYMENT_COMPLETE")).toHaveLength(1);
  expect(await partnerPage.events("PAYMENT_ERROR")).toEqual([]);
});

test("W8 all answers of the provider are lost: it is asked again when the payer closes the form, and the payment is complete", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  const dialog = await partnerPage.askForPayment(frame);
  await page.evaluate(() => Object.assign(window, { cardOffline: "all" }));
  await partnerPage.payButton.click();
  await expect
    .poll(() => partnerPage.events("PAYMENT_ERROR"))
    .toMatchObject([{ payload: { code: "provider_error", message: expect.stringContaining("connecting") } }]);
  await expect(partnerPage.payButton).toBeEnabled();
  await page.evaluate(() => Object.assign(window, { cardOffline: undefined }));
  await page.mouse.click(5, 5);
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => frame.evaluate(() => window.heard.completed)).toEqual([{ token: "ctx 1/é", order: 7 }]);
  expect(await partnerPage.events("PAYMENT_COMPLETE")).toHaveLength(1);
  expect(await partnerPage.confirmations()).toHaveLength(1);
});

test("W8 a form that closes while the provider can't be reached completes nothing; asked for again, the payment is complete", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  const dialog = await partnerPage.askForPayment(frame);
  await page.evaluate(() => Object.assign(window, { cardOffline: "all" }));
  await partnerPage.payButton.click();
  await expect.poll(() => partnerPage.events("PAYMENT_ERROR")).toHaveLength(1);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await settled(page);
  expect(await partnerPage.events("PAYMENT_COMPLETE")).toEqual([]);
  await page.evaluate(() => Object.assign(window, { cardOffline: undefined }));
  await clickInFrame(frame.locator("#pay"));
  await expect.poll(() => partnerPage.events("PAYMENT_COMPLETE")).toHaveLength(1);
  await expect(dialog).toHaveCount(0);
  expect(await partnerPage.confirmations()).toHaveLength(1);
});

test("W7 W8 a form that does not load after a lost answer says nothing of what was charged; another attempt finds the payment", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  const dialog = await partnerPage.askForPayment(frame);
  await page.evaluate(() => Object.assign(window, { cardOffline: "all" }));
  await partnerPage.payButton.click();
  await expect.poll(() => partnerPage.events("PAYMENT_ERROR")).toHaveLength(1);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await clickInFrame(frame.locator("#pay"));
  await expect(dialog.getByRole("alert")).toHaveText("The payment form did not load.");
  await page.evaluate(() => Object.assign(window, { cardOffline: undefined }));
  await dialog.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => partnerPage.events("PAYMENT_COMPLETE")).toHaveLength(1);
  expect(await partnerPage.confirmations()).toHaveLength(1);
});

test("W8 after a decline, closing the form asks the provider nothing", async ({ partnerPage, page }) => {
  const frame = await partnerPage.mounted();
  await partnerPage.askForPayment(frame);
  await partnerPage.typeCard("4000 0000 0000 0002");
  await partnerPage.payButton.click();
  await expect.poll(() => partnerPage.events("PAYMENT_ERROR")).toHaveLength(1);
  await page.keyboard.press("Escape");
  await expect(partnerPage.dialog).toHaveCount(0);
  expect(await page.evaluate(() => window.cardCalls.retrieved)).toHaveLength(1); // the amount, before the form
});

test("W8 an exception of the provider counts as a declined payment", async ({ partnerPage }) => {
  const frame = await partnerPage.mounted({ cardMode: "throws" });
  await partnerPage.askForPayment(frame);
  await partnerPage.payButton.click();
  await expect.poll(() => partnerPage.events("PAYMENT_ERROR")).toHaveLength(1);
  await expect(partnerPage.payButton).toBeEnabled();
});

test("W7 a double click followed by Enter pays once", async ({ partnerPage, page }) => {
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
  await expect(dialog).toHaveCount(0);
});

test("W8 a new token during a bank's challenge: the frame that asked gets the result and stays; the next token loads a frame", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted({}, { token: "first" });
  const dialog = await partnerPage.askForPayment(frame);
  await partnerPage.typeCard("4000 0000 0000 3220");
  await partnerPage.payButton.click();
  const bank = page.frameLocator('iframe[name="__privateStripeFrame3"]');
  await expect(bank.getByRole("button", { name: "Complete" })).toBeVisible();
  await page.evaluate(() => window.harness.update({ token: "second", environment: "dev", path: "/" }));
  await settled(page);
  await clickInFrame(bank.getByRole("button", { name: "Complete" }));
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => frame.evaluate(() => window.heard.completed.length)).toBe(1);
  await page.evaluate(() => window.harness.update({ token: "second", environment: "dev", path: "/" })); // a page that renders again
  await settled(page);
  expect(await page.locator("iframe[src*='/redirect']").getAttribute("src")).toContain("token=first");
  expect(await partnerPage.events("PAYMENT_COMPLETE")).toHaveLength(1);
  await page.evaluate(() => window.harness.update({ token: "third", environment: "dev", path: "/" }));
  await partnerPage.frame("third");
});

test("W8 a new token while the form is open keeps what the payer has typed; it loads once the form closes", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted({}, { token: "first" });
  const dialog = await partnerPage.askForPayment(frame);
  await partnerPage.typeCard("4242");
  await page.evaluate(() => window.harness.update({ token: "second", environment: "dev", path: "/" }));
  await settled(page);
  await expect(dialog.frameLocator("iframe").getByLabel("Card number")).toHaveValue("4242");
  await partnerPage.payButton.press("Escape"); // in the field, a real press would wait for a frame that is gone
  await partnerPage.frame("second");
  await expect(dialog).toHaveCount(0);
});

test("W8 a new token waits while the provider is asked after a lost answer, and the frame that asked gets the result", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted({}, { token: "first" });
  await partnerPage.askForPayment(frame);
  await page.evaluate(() => Object.assign(window, { cardOffline: "all" }));
  await partnerPage.payButton.click();
  await expect.poll(() => partnerPage.events("PAYMENT_ERROR")).toHaveLength(1);
  await page.evaluate(() => {
    Object.assign(window, { cardOffline: undefined });
    window.harness.update({ token: "second", environment: "dev", path: "/" });
  });
  await page.keyboard.press("Escape");
  await expect.poll(() => frame.evaluate(() => window.heard.completed.length)).toBe(1);
  expect(await page.locator("iframe[src*='/redirect']").getAttribute("src")).toContain("token=first");
});

test("W7 a new intent replaces an idle modal: one dialog, the new amount, a charge of the new secret, the old form removed", async ({
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

test("W7 a repeated intent keeps the card number that the payer has typed", async ({ partnerPage, page }) => {
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
  test(`W7 ${name}: there is no Pay button but one to close, and the host page gets the reason`, async ({
    partnerPage,
  }) => {
    const frame = await partnerPage.mounted();
    await frame.evaluate((changes) => Object.assign(window.payment, changes), payment);
    await clickInFrame(frame.locator("#pay"));
    await expect
      .poll(() => partnerPage.events("PAYMENT_ERROR"))
      .toMatchObject([{ payload: { code: "amount_not_confirmed" } }]);
    await expect(partnerPage.dialog.getByRole("alert")).toHaveText("The payment form did not load.");
    await expect(partnerPage.payButton).toHaveText("Close"); // the dialog's only button
    await partnerPage.payButton.click();
    await expect(partnerPage.dialog).toHaveCount(0);
    expect(await partnerPage.confirmations()).toEqual([]);
  });
}

for (const [name, secret, message] of [
  ["is busy", "pi_1234_busy_secret_1", "Too many requests hit the API too quickly."],
  ["locks the payment", "pi_1234_locked_secret_1", "This object cannot be accessed right now."],
  ["has a fault of its own", "pi_1234_faulty_secret_1", "An error occurred while processing your request."],
] as const) {
  test(`G3 W7 a provider that ${name}: the host gets its words, and the payer can try again`, async ({
    partnerPage,
    page,
  }) => {
    const frame = await partnerPage.mounted();
    await frame.evaluate((clientSecret) => Object.assign(window.payment, { clientSecret }), secret);
    await clickInFrame(frame.locator("#pay"));
    const again = partnerPage.dialog.getByRole("button", { name: "Try again" });
    await expect(again).toBeEnabled();
    const payload = { message, code: "provider_not_loaded" };
    expect(await partnerPage.events("PAYMENT_ERROR")).toEqual([{ type: "PAYMENT_ERROR", payload }]);
    expect(await partnerPage.events("LOAD_ERROR")).toMatchObject([{ payload: { reason: "card_form", message } }]);
    await page.evaluate(() => Object.assign(window, { cardMended: true }));
    await again.click();
    await expect(partnerPage.dialog.getByRole("button", { name: "Pay £12.34" })).toBeEnabled();
  });
}

test("G3 the next intent loads the provider's script again after a failure", async ({ partnerPage, page }) => {
  let blocked = true;
  await page.route("**/card.js*", (route) => (blocked ? route.abort() : route.continue()));
  const frame = await partnerPage.mounted();
  await clickInFrame(frame.locator("#pay"));
  await expect
    .poll(() => partnerPage.events("PAYMENT_ERROR"))
    .toMatchObject([{ payload: { code: "provider_not_loaded" } }]);
  expect(partnerPage.consoleLines.filter((line) => line.startsWith("warning:"))).toHaveLength(1);
  await expect(page.locator('script[src*="card.js"]')).toHaveCount(0);
  await page.keyboard.press("Escape");
  blocked = false;
  await partnerPage.askForPayment(frame);
});

test("G3 an error while the form loads is reported", async ({ partnerPage }) => {
  const frame = await partnerPage.mounted({ cardMode: "loaderror" });
  await clickInFrame(frame.locator("#pay"));
  await expect
    .poll(() => partnerPage.events("PAYMENT_ERROR"))
    .toEqual([{ type: "PAYMENT_ERROR", payload: { message: "The form broke", code: "provider_not_loaded" } }]);
});

test("G3 a form that never becomes ready fails after 15 seconds", async ({ partnerPage, page }) => {
  await partnerPage.stopTime();
  const frame = await partnerPage.mounted({ cardMode: "never-ready" });
  await clickInFrame(frame.locator("#pay"));
  await expect(partnerPage.dialog.locator("iframe")).toBeAttached();
  await page.clock.runFor(14_999);
  expect(await partnerPage.events("PAYMENT_ERROR")).toEqual([]);
  await page.clock.runFor(1);
  await expect
    .poll(() => partnerPage.events("PAYMENT_ERROR"))
    .toMatchObject([{ payload: { code: "provider_not_loaded" } }]);
});

test("G3 a live key is used with the provider's own script only", async ({ partnerPage }) => {
  const frame = await partnerPage.mounted({ key: "pk_live_1" });
  await clickInFrame(frame.locator("#pay"));
  await expect
    .poll(() => partnerPage.events("PAYMENT_ERROR"))
    .toMatchObject([{ payload: { code: "provider_not_loaded" } }]);
  expect(await partnerPage.page.evaluate(() => "Stripe" in window)).toBe(false);
});

test("W8 a challenge frame above the modal is usable: it is not inert, accepts clicks and typing, and the payment completes", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  const dialog = await partnerPage.askForPayment(frame);
  await partnerPage.typeCard("4000 0000 0000 3220");
  await partnerPage.payButton.click();
  const bank = page.frameLocator('iframe[name="__privateStripeFrame3"]');
  await clickInFrame(bank.getByLabel("One-time code"));
  await page.keyboard.type("123456"); // real key presses go to the element that has the focus
  await expect(bank.getByLabel("One-time code")).toHaveValue("123456");
  const top = await page.evaluate(() =>
    document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.getAttribute("name"),
  );
  expect(top).toBe("__privateStripeFrame3");
  await expect(dialog).not.toHaveAttribute("aria-modal", "true"); // otherwise screen readers would not find the bank's frame
  await clickInFrame(bank.getByRole("button", { name: "Complete" }));
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => frame.evaluate(() => window.heard.completed.length)).toBe(1);
});

test("W8 U1 a failed challenge returns the payer to the form, and the focus to its button", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  await partnerPage.askForPayment(frame);
  await partnerPage.typeCard("4000 0000 0000 3220");
  await partnerPage.payButton.click();
  const bank = page.frameLocator('iframe[name="__privateStripeFrame3"]');
  await clickInFrame(bank.getByRole("button", { name: "Fail" }));
  await expect(partnerPage.payButton).toBeEnabled();
  await expect(partnerPage.payButton).toBeFocused();
  await expect(partnerPage.dialog).toHaveAttribute("aria-modal", "true");
  await expect
    .poll(() => partnerPage.events("PAYMENT_ERROR"))
    .toMatchObject([{ payload: { code: "payment_intent_authentication_failure" } }]);
});

test("W8 without a redirect configuration the payer returns to the page they left", async ({ partnerPage, page }) => {
  const frame = await partnerPage.mounted();
  await partnerPage.askForPayment(frame);
  await partnerPage.payButton.click();
  await expect(partnerPage.dialog).toHaveCount(0);
  expect((await partnerPage.confirmations())[0]!.confirmParams.return_url).toBe(
    `${page.url()}&farthing_payment=ctx%201%2F%C3%A9`,
  );
});

test("W8 a page restored from the back/forward cache after the provider's page can be paid again", async ({
  partnerPage,
  page,
}) => {
  const frame = await partnerPage.mounted();
  await partnerPage.askForPayment(frame);
  await page.evaluate(() => Object.assign(window, { cardDelay: 1e9 })); // the provider has left the page: no response
  await partnerPage.payButton.click();
  await expect(partnerPage.payButton).toBeDisabled();
  const show = (persisted: boolean) =>
    page.evaluate(
      (given) => void window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: given })),
      persisted,
    );
  await show(false); // an ordinary load, not a return from the cache
  await expect(partnerPage.payButton).toBeDisabled();
  await show(true);
  await expect(partnerPage.payButton).toBeEnabled();
  await page.keyboard.press("Escape");
  await expect(partnerPage.dialog).toHaveCount(0);
});

test("G3 the provider's form gets an empty element, and is hidden until it is usable", async ({ partnerPage }) => {
  const frame = await partnerPage.mounted({ cardMode: "never-ready" });
  await clickInFrame(frame.locator("#pay"));
  const form = partnerPage.dialog.locator(".__PrivateStripeElement");
  await expect(form).toBeAttached();
  expect(await form.evaluate((element) => element.parentElement!.children.length)).toBe(1);
  await expect(form.locator("..")).toHaveCSS("height", "0px");
  await expect(partnerPage.dialog.locator("form > i")).toBeVisible();
});
