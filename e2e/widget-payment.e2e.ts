import type { FrameLocator, Locator, Page } from "@playwright/test";
import { clickInFrame } from "../packages/widget/browser-tests/click-in-frame.ts";
import { expect, test } from "./support/fixtures.ts";

// A partner's payment from start to end, without stubs: the demo partner's page, the widget, the page in its frame, the card
// provider's form, its webhook, and the result in the frame (W, G3).

/** The page of the service inside the widget's frame. */
const inFrame = (page: Page): FrameLocator => page.frameLocator('iframe[src*="/redirect"]');

/** Presses Pay in the frame: the shop's server has fixed the price, so there is nothing to type. */
async function askToPay(page: Page): Promise<{ reference: string; dialog: Locator; pay: Locator }> {
  const reference = await page.locator(".reference").innerText();
  await expect(inFrame(page).getByText("Friday hamper")).toBeVisible();
  await expect(inFrame(page).getByRole("textbox")).toHaveCount(0);
  await inFrame(page).getByRole("button", { name: "Pay £34.20" }).click();
  const dialog = page.getByRole("dialog", { name: "Payment" });
  return { reference, dialog, pay: dialog.getByRole("button", { name: "Pay £34.20" }) };
}

/** Enters a card, not key by key: the form is a frame in another process, which may not have the keyboard yet. */
async function enterCard(page: Page, number: string): Promise<void> {
  const form = page.frameLocator('iframe[title="Secure payment input frame"]');
  await form.getByLabel("Card number").fill(number);
  await form.getByLabel("Expiry date").fill("1240");
  await form.getByLabel("Security code").fill("123");
}

async function expectPaid(page: Page, reference: string): Promise<void> {
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(inFrame(page).getByText("Payment received")).toBeVisible();
  await expect(inFrame(page).getByText(`£34.20 for ${reference}, to Larder Lane.`)).toBeVisible();
}

for (const path of ["/", "/react", "/shadow"]) {
  test(`W1 W8 G3 from the partner's page at ${path}, a card is charged and the frame confirms the payment`, async ({
    page,
    partnerUrl,
  }) => {
    await page.goto(partnerUrl(path));
    const { reference, pay } = await askToPay(page);
    await enterCard(page, "4242424242424242");
    await pay.click();
    await expectPaid(page, reference);
  });
}

test("W8 a declined card leaves the form open, which says why; another card can be used", async ({
  page,
  partnerUrl,
}) => {
  const warnings: string[] = [];
  page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));
  await page.goto(partnerUrl());
  const { reference, dialog, pay } = await askToPay(page);
  await enterCard(page, "4000000000009995");
  await pay.click();
  await expect.poll(() => warnings).toContainEqual(expect.stringContaining("insufficient funds"));
  await expect(dialog.getByRole("alert").first()).toContainText("insufficient funds");
  await expect(inFrame(page).getByText("Payment received")).toHaveCount(0);
  await enterCard(page, "4242424242424242");
  await pay.click();
  await expectPaid(page, reference);
});

test("W8 G3 the bank's challenge opens above the partner's page and can be passed", async ({ page, partnerUrl }) => {
  await page.goto(partnerUrl());
  const { reference, pay } = await askToPay(page);
  await enterCard(page, "4000000000003220");
  await pay.click();
  const bank = page.frameLocator('iframe[title="Authentication by your bank"]');
  await bank.getByLabel("One-time code").fill("123456");
  await clickInFrame(bank.getByRole("button", { name: "Complete" }));
  await expectPaid(page, reference);
});

test("W8 G3 a challenge that fails leaves the form open, which says so; another card can be used", async ({
  page,
  partnerUrl,
}) => {
  await page.goto(partnerUrl());
  const { reference, dialog, pay } = await askToPay(page);
  await enterCard(page, "4000000000003220");
  await pay.click();
  await clickInFrame(
    page.frameLocator('iframe[title="Authentication by your bank"]').getByRole("button", { name: "Fail" }),
  );
  await expect(dialog.getByRole("alert").first()).toContainText("unable to authenticate your payment method");
  await expect(inFrame(page).getByText("The last attempt did not go through")).toBeVisible();
  await enterCard(page, "4242424242424242");
  await pay.click();
  await expectPaid(page, reference);
});

test("W8 the frame says that the payer has closed the card form", async ({ page, partnerUrl }) => {
  await page.goto(partnerUrl());
  const { reference, dialog, pay } = await askToPay(page);
  await expect(pay).toBeEnabled();
  await expect(inFrame(page).getByText("Enter your card in the window that opened")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(inFrame(page).getByText("The card form is closed")).toBeVisible();
  await clickInFrame(inFrame(page).getByRole("button", { name: "Pay £34.20" }));
  await enterCard(page, "4242424242424242");
  await pay.click();
  await expectPaid(page, reference);
});

test("W7 W8 where the partner's page covers the card form, the frame says that it is closed", async ({
  page,
  partnerUrl,
}) => {
  await page.goto(partnerUrl());
  await expect(inFrame(page).getByText("Friday hamper")).toBeVisible();
  await page.evaluate(() => {
    const cover = document.body.appendChild(document.createElement("div"));
    cover.style.cssText = "position:fixed;inset:calc(50% - 2px);z-index:2000";
  });
  await inFrame(page).getByRole("button", { name: "Pay £34.20" }).click();
  await expect(inFrame(page).getByText("If no card form opens, tell Larder Lane")).toBeVisible();
});

test("W6 a payment that leaves the page returns to the partner's thank-you page, which names the payment", async ({
  page,
  partnerUrl,
}) => {
  await page.goto(partnerUrl());
  const { pay } = await askToPay(page);
  await page.frameLocator('iframe[title="Secure payment input frame"]').getByLabel("Pay by bank").check();
  await pay.click();
  await page.getByRole("button", { name: "Authorise payment" }).click();
  await page.waitForURL((url) => url.pathname === "/thanks");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Thank you for your order");
  const { searchParams } = new URL(page.url());
  expect(searchParams.get("redirect_status")).toBe("succeeded");
  expect(searchParams.get("payment")).not.toBe("PAYMENT");
  await expect(page.locator(".reference")).toHaveText(searchParams.get("payment") ?? "");
});

test("W7 a double click on both Pay buttons charges once", async ({ page, partnerUrl, sandboxUrl }) => {
  await page.goto(partnerUrl());
  const created: string[] = [];
  page.on("response", (response) => {
    if (response.request().method() === "POST" && new URL(response.url()).pathname === "/api/payments")
      created.push(response.url());
  });
  const reference = await page.locator(".reference").innerText();
  await inFrame(page).getByRole("button", { name: "Pay £34.20" }).dblclick();
  await enterCard(page, "4242424242424242");
  await page.getByRole("dialog", { name: "Payment" }).getByRole("button", { name: "Pay £34.20" }).dblclick();
  await expectPaid(page, reference);
  expect(created).toHaveLength(1);

  const answer = await fetch(sandboxUrl("/v1/charges?limit=100"), {
    headers: { Authorization: "Bearer sk_test_sandbox" },
  });
  const charges = ((await answer.json()) as { data: object[] }).data;
  expect(charges.filter((charge) => JSON.stringify(charge).includes(reference))).toHaveLength(1);
});

test("W1 the playground applies a property with a new token and shows the frame's messages", async ({
  page,
  partnerUrl,
}) => {
  await page.goto(partnerUrl("/playground"));
  const log = page.getByRole("log", { name: "Messages and events" });
  await expect(log.getByText(/"path":"\/pay"/)).toBeVisible();
  await expect(inFrame(page).getByRole("button", { name: "Continue to payment" })).toBeVisible();
  await page.getByLabel("path").fill("//evil.example");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("status")).toContainText("TypeError");
  await page.getByLabel("path").fill("/pay");
  await page.getByLabel("className").selectOption("payment outlined");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("status")).toHaveText("Applied.");
  await expect(inFrame(page).getByRole("button", { name: "Continue to payment" })).toBeVisible();
});
