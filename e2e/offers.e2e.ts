import type { Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { knownOffer } from "./support/known-offer.ts";
import { readyForScript } from "./support/ready-for-script.ts";

const variantOf = (address: string | null) => new URL(address ?? "", "http://offer").searchParams.get("offer_variant");
const revealButton = (page: Page) => page.getByRole("button", { name: "Reveal code" });
const dealLink = (page: Page) => page.getByRole("link", { name: "Get deal" });

test("O1 an offer that is over answers 410, keeps its code and leads on to what its retailer has now", async ({
  page,
  brandUrl,
}) => {
  const { path } = await knownOffer("expired");
  const response = await page.goto(brandUrl("chalkside", path));
  expect(response?.status()).toBe(410);
  await expect(page.locator("body")).toHaveAttribute("data-controller", "offers");
  await expect(page.getByText(/^This offer ended on /)).toBeVisible();
  await expect(revealButton(page)).toHaveCount(0);
  await expect(dealLink(page)).toHaveCount(0);
  expect(await response?.text()).not.toContain("SUMMER20");
  await page.getByRole("link", { name: /^What .+ has on now$/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Quillmoor Books");
});

test("O1 an unknown offer answers 404 and leads on to one that exists", async ({ page, brandUrl }) => {
  const { slug } = await knownOffer("code");
  const response = await page.goto(brandUrl("chalkside", `/offers/${slug}?offer=ffffffffffffffff`));
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("We don’t have that offer");
  const following = page.waitForResponse(
    (answer) => answer.request().isNavigationRequest() && answer.url().includes("/offers/"),
  );
  await page.locator(".offer-card a").first().click();
  expect((await following).status()).toBe(200);
});

test("O1 a wrong slug is sent to the right one for good, with the variant and without a token", async ({
  page,
  brandUrl,
}) => {
  const { publicId, path } = await knownOffer("variants");
  await page.goto(brandUrl("chalkside", path));
  const variant = await page.getByRole("option", { name: "Three nights" }).getAttribute("value");
  const wrong = `/offers/another-name?offer=${publicId}&offer_variant=${variant}&reveal_code=stolen`;
  const response = await page.goto(brandUrl("chalkside", wrong));
  expect((await response?.request().redirectedFrom()?.response())?.status()).toBe(301);
  expect(response?.status()).toBe(200);
  expect(response?.url()).toBe(brandUrl("chalkside", `${path}&offer_variant=${variant}`));
  await expect(page.getByLabel("Choose", { exact: true })).toHaveValue(String(variant));
});

test("O2 the chosen variant is the one that the retailer is opened with, and the deal link follows the choice (O3)", async ({
  page,
  context,
  brandUrl,
  logIn,
}) => {
  const { publicId, path } = await knownOffer("variants");
  await logIn(page, "chalkside");
  await page.goto(brandUrl("chalkside", path));
  await readyForScript(revealButton(page));
  const choice = page.getByLabel("Choose", { exact: true });
  await choice.selectOption({ label: "Three nights" });
  const chosen = await choice.inputValue();

  const followed = context.waitForEvent("request", (request) => request.url().includes(`/go/offers/${publicId}`));
  await revealButton(page).click();
  expect(variantOf((await followed).url())).toBe(chosen);
  await expect(page.locator("#offer-code")).toHaveText("SALT15");
  await expect(choice).toHaveValue(chosen);
  expect(variantOf(await dealLink(page).getAttribute("href"))).toBe(chosen);

  await readyForScript(dealLink(page));
  await choice.selectOption({ label: "A week" });
  const changed = await choice.inputValue();
  expect(changed).not.toBe(chosen);
  await expect(dealLink(page)).toHaveAttribute("href", `/go/offers/${publicId}?offer_variant=${changed}`);
});

test("O6 a loading button is disabled with a spinner at the click, sends after 500 ms and not before, and is given back on return", async ({
  page,
  brandUrl,
}) => {
  const { path } = await knownOffer("code");
  const sent: string[] = [];
  await page.route("**/login?*", async (route) => {
    sent.push(route.request().url());
    await route.fulfill({ status: 204 }); // the browser stays on the page, as it does while the answer is on its way
  });
  await page.clock.install();
  await page.goto(brandUrl("chalkside", path));
  const button = revealButton(page);
  await readyForScript(button);
  await page.clock.pauseAt(Date.now() + 60_000);

  await button.click();
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await expect(button.locator(".spinner")).toBeVisible();
  await page.clock.runFor(499);
  await button.click({ force: true }); // in a hurry: the second click does nothing
  expect(sent).toEqual([]);
  const leaving = page.waitForRequest("**/login?*");
  await page.clock.runFor(1);
  await leaving;
  await page.clock.runFor(600);
  expect(sent).toHaveLength(1);
  await expect(button).toHaveAttribute("aria-disabled", "true");

  // What the browser tells a page that it brings back from its cache; the real Back button follows.
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  await expect(button).not.toHaveAttribute("aria-disabled");
  await expect(button.locator(".spinner")).toHaveCount(0);

  await page.unroute("**/login?*");
  await button.click();
  await page.clock.runFor(500);
  await page.waitForURL(/\/login/);
  await page.goBack();
  await expect(button).toBeVisible();
  await expect(button).not.toHaveAttribute("aria-disabled");
});

test.describe("without client script", () => {
  test.use({ noScript: true });

  test("P8 O2 the Update button takes the chosen variant into the page, and from there into the deal link", async ({
    page,
    brandUrl,
    logIn,
  }) => {
    const { publicId, path } = await knownOffer("variants");
    await logIn(page, "freshledge");
    await page.goto(brandUrl("freshledge", path));
    const choice = page.getByLabel("Choose", { exact: true });
    await choice.selectOption({ label: "A week" });
    const chosen = await choice.inputValue();
    await page.getByRole("button", { name: "Update" }).click();
    await page.waitForURL((url) => variantOf(url.href) === chosen);
    await expect(choice).toHaveValue(chosen);
    await revealButton(page).click();
    await expect(page.locator("#offer-code")).toHaveText("SALT15");
    await expect(dealLink(page)).toHaveAttribute("href", `/go/offers/${publicId}?offer_variant=${chosen}`);
  });
});
