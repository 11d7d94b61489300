import { expect, test } from "./support/fixtures.ts";

// What a new partner does first: the partners' page, its demo, a test payment (W10).

test("W10 from the partners' page to a paid test payment: the demo shop, a test card, and the frame that confirms it", async ({
  page,
  brandUrl,
}) => {
  await page.goto(brandUrl("chalkside", "/partners"));
  await page.getByRole("link", { name: "Pay in the demo shop" }).click();
  await expect(page.getByRole("heading", { name: "Your Friday hamper" })).toBeVisible();
  const frame = page.frameLocator("farthing-widget iframe");
  await frame.getByLabel("Amount").fill("34.20");
  await frame.getByLabel("Reference").fill(await page.locator(".reference").innerText());
  await frame.getByRole("button", { name: "Continue to payment" }).click();
  const form = page.frameLocator('iframe[title="Secure payment input frame"]');
  await form.getByLabel("Card number").fill("4242424242424242");
  await form.getByLabel("Expiry date").fill("1240");
  await form.getByLabel("Security code").fill("123");
  await page.getByRole("dialog", { name: "Payment" }).getByRole("button", { name: "Pay £34.20" }).click();
  await expect(frame.getByText("Payment received")).toBeVisible();
});

for (const environment of ["dev", "staging", "production"])
  test(`W10 the playground shows the payment page in the environment ${environment}`, async ({ page, partnerUrl }) => {
    await page.goto(partnerUrl("/playground"));
    await page.getByLabel("environment").selectOption(environment);
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page.getByText("Applied.")).toBeVisible();
    await expect(
      page.frameLocator("#widget iframe").getByRole("button", { name: "Continue to payment" }),
    ).toBeVisible();
  });
