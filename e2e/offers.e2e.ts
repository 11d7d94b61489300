import { devices, type Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { knownOffer } from "./support/known-offer.ts";
import { newMember } from "./support/new-member.ts";
import { readyForScript } from "./support/ready-for-script.ts";

const variantOf = (address: string | null) => new URL(address ?? "", "http://offer").searchParams.get("offer_variant");
const revealButton = (page: Page) => page.getByRole("button", { name: "Reveal code" });
const dealLink = (page: Page) => page.getByRole("link", { name: "Get deal" });

test("O1 an expired offer returns 410, keeps its code and links to its retailer's current offers", async ({
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

test("O1 an unknown offer returns 404 and links to existing ones", async ({ page, brandUrl }) => {
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

test("O1 a wrong slug redirects permanently to the right one, with the variant and without a token", async ({
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

test("O2 the retailer opens with the chosen variant, and the deal link follows the choice (O3)", async ({
  page,
  context,
  brandUrl,
  logIn,
}) => {
  const { publicId, path } = await knownOffer("variants");
  await logIn(page, "chalkside", await newMember("chalkside"));
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
  const steps = page.getByRole("region", { name: "How it works" }).getByRole("listitem");
  await expect(steps.first()).toContainText("Your code is above");

  await readyForScript(dealLink(page));
  await choice.selectOption({ label: "A week" });
  const changed = await choice.inputValue();
  expect(changed).not.toBe(chosen);
  // The code was revealed for the other variant. This one has its own button; switching back shows the other's code again.
  await expect(page.locator("#offer-code")).toHaveCount(0);
  await expect(revealButton(page)).toBeVisible();
  await expect(steps).toHaveCount(3);
  await expect(steps.first()).toContainText("Press “Reveal code”");
  await choice.selectOption(chosen);
  await expect(steps.first()).toContainText("Your code is above");
  await expect(page.locator("#offer-code")).toHaveText("SALT15");
  await expect(dealLink(page)).toHaveAttribute("href", `/go/offers/${publicId}?offer_variant=${chosen}`);

  // The page of one variant can show and copy the code of another.
  await page.goto(brandUrl("chalkside", `${path}&offer_variant=${changed}`));
  await readyForScript(choice);
  await expect(page.locator("#did-it-work")).toBeHidden();
  await choice.selectOption(chosen);
  await expect(page.locator("#offer-code")).toHaveText("SALT15");
  await expect(page.getByRole("button", { name: "Copy code" })).toBeEnabled();
  await expect(page.locator("#did-it-work")).toBeVisible();
});

test("O5 U1 on a desktop the app-exclusive button opens a dialog with a QR code; Escape restores the focus; the retailer does not open", async ({
  page,
  context,
  brandUrl,
  axe,
  validHtml,
}) => {
  const { publicId, path } = await knownOffer("app");
  const asked: string[] = [];
  context.on("request", (request) => asked.push(request.url()));
  await page.goto(brandUrl("chalkside", path));
  const button = page.getByRole("link", { name: "Use it in the app" });
  await readyForScript(button);
  await button.click();
  const dialog = page.getByRole("dialog", { name: "Open it on your phone" });
  await expect(dialog.getByRole("img", { name: /^QR code/ })).toBeVisible();
  await expect(dialog.getByRole("link", { name: /^App Store/ })).toBeVisible();
  await axe(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(button).toBeFocused();
  expect(asked.filter((url) => url.includes(`/go/`))).toEqual([]);
  expect(await button.getAttribute("href")).toBe(`/go/app/${publicId}`);
  await validHtml(page, brandUrl("chalkside", path));
});

test.describe("on a phone", () => {
  test.use({ userAgent: devices["iPhone 15"].userAgent, viewport: { width: 375, height: 667 }, hasTouch: true });

  test("O5 the app-exclusive button opens the phone's own app store; the key facts are on the first screen (U2)", async ({
    page,
    brandUrl,
  }) => {
    const { path } = await knownOffer("app");
    await page.route("https://apps.example/**", (route) => route.fulfill({ body: "the store" }));
    await page.goto(brandUrl("chalkside", path));
    await expect(page.locator(".deal-facts li").first()).toBeInViewport(); // when the money arrives
    const button = page.getByRole("link", { name: "Use it in the app" });
    await expect(button).toBeInViewport({ ratio: 1 });
    await readyForScript(button);
    await button.click();
    await page.waitForURL("https://apps.example/ios/**");
  });
});

test("O7 an offer counts down on its last day, with seconds in the last hour, and then the page shows it as expired", async ({
  page,
  brandUrl,
}) => {
  const { path } = await knownOffer("inStore");
  await page.clock.install();
  const served = await (await page.goto(brandUrl("chalkside", path)))?.text();
  expect(served).toMatch(/\d+ (h \d+ )?min left|under a minute left/);
  const left = page.locator(".time-left");
  await readyForScript(page.locator(".favourite-button").first());
  // From here on, only runFor and fastForward advance the clock.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  const minutes = await left.evaluate((element) => {
    const [, hours = "0", rest = "0"] = /(?:(\d+) h )?(\d+) min/.exec(element.textContent ?? "") ?? [];
    return Number(hours) * 60 + Number(rest);
  });
  await page.clock.fastForward(Math.max(0, minutes - 10) * 60_000);
  await page.clock.runFor(60_000);
  await expect(left).toHaveText(/^\d+ min \d+ s left$/);
  const before = await left.textContent();
  await page.clock.runFor(1_000);
  await expect(left).not.toHaveText(before ?? "");
  await expect(left).toHaveAttribute("aria-hidden", "true");
  await page.clock.runFor(12 * 60_000);
  await expect(page.getByText(/^This offer ended on /)).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "This offer has just ended." })).toHaveCount(1);
  await expect(left).toHaveCount(0);
});

test("O3 U1 whoever logs in to reveal a code comes back to the button: in view, focused, and announced", async ({
  page,
  brandUrl,
  axe,
}) => {
  const { path } = await knownOffer("code");
  await page.setViewportSize({ width: 375, height: 640 });
  await page.goto(brandUrl("mustermark", path));
  await revealButton(page).click();
  await page.getByLabel("Email", { exact: true }).fill(await newMember("mustermark"));
  await page.getByLabel("Password", { exact: true }).fill("Farthing-2026");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(revealButton(page)).toBeFocused();
  await expect(revealButton(page)).toBeInViewport({ ratio: 1 });
  await expect(page.getByText("You’re logged in. Reveal your code.")).toBeInViewport({ ratio: 1 });
  await expect(revealButton(page)).toHaveAccessibleDescription(/^You’re logged in. Reveal your code./);
  await axe(page);
  await page.goto(brandUrl("mustermark", path));
  await expect(page.getByText("You’re logged in.")).toBeHidden();
  await page.goto(brandUrl("mustermark", `${path}#reveal-code`));
  await expect(revealButton(page)).toBeFocused();
  await readyForScript(revealButton(page));
  await page.keyboard.press("Enter");
  await expect(page.locator("#offer-code")).toHaveText("FERN15");
});

test("O4 D10 after a reveal the member votes in one tap; vote and heart are stored for the next visit", async ({
  page,
  brandUrl,
  logIn,
  axe,
  validHtml,
}) => {
  const { publicId, path } = await knownOffer("code");
  await logIn(page, "kindhold", await newMember("kindhold"));
  await page.goto(brandUrl("kindhold", path));
  await readyForScript(revealButton(page));
  await revealButton(page).click();
  await expect(page.locator("#offer-code")).toHaveText("FERN15");
  const worked = page.getByRole("button", { name: "It worked" });
  await readyForScript(worked);
  const isVote = (url: URL) => url.pathname.startsWith("/offers/");
  await page.route(isVote, (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
  await worked.click();
  await expect(page.getByText(/^That was not saved/)).toBeVisible();
  await expect(worked).toHaveAttribute("aria-pressed", "false");
  await page.unroute(isVote);
  const counted = page.waitForResponse((answer) => answer.request().method() === "POST");
  await worked.click();
  expect((await counted).status()).toBe(204);
  await expect(page.getByText("Thanks. You said today that it worked.")).toBeVisible();

  const heart = page.locator(`.offer-what .favourite-button`);
  const kept = page.waitForResponse((answer) => answer.url().endsWith("/favourites"));
  await heart.click();
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  expect((await kept).status()).toBe(204);
  await axe(page);

  await page.goto(brandUrl("kindhold", path));
  await expect(worked).toHaveAttribute("aria-pressed", "true");
  await validHtml(page, brandUrl("kindhold", "/favourites"));
  await expect(page.locator(`.offer-card a[href*="${publicId}"]`).first()).toBeVisible();
  await axe(page);
  await page.getByRole("button", { name: "Forget what I viewed" }).click();
  await expect(page.getByText("Offers that you look at while logged in show here.")).toBeVisible();
});

test("D10 a heart that can't be saved is reset, with a message", async ({ page, brandUrl, logIn }) => {
  const { path } = await knownOffer("code");
  await logIn(page, "wardlight");
  await page.goto(brandUrl("wardlight", path));
  const heart = page.locator(`.offer-what .favourite-button`);
  await readyForScript(heart);
  await page.route("**/favourites", (route) => route.abort());
  await heart.click();
  await expect(page.getByText(/^That was not saved/)).toBeVisible();
  await expect(heart).toHaveAttribute("aria-pressed", "false");
});

test("D10 all hearts of an offer follow each other, and where a request is refused, the form is sent instead", async ({
  page,
  brandUrl,
  logIn,
}) => {
  const { path } = await knownOffer("code");
  await logIn(page, "wardlight", await newMember("wardlight"));
  await page.goto(brandUrl("wardlight", path));
  const hearts = page.locator(`.offer-what .favourite-button`);
  await readyForScript(hearts);
  await hearts.evaluate((heart) => heart.after(heart.cloneNode(true)));
  await hearts.first().click();
  for (const heart of await hearts.all()) {
    await expect(heart).toHaveAttribute("aria-pressed", "true");
    await expect(heart).toHaveAttribute("name", "remove");
  }

  await page.route("**/favourites", (route) =>
    route.request().headers()["accept"] === "application/json" ? route.fulfill({ status: 409 }) : route.continue(),
  );
  await hearts.last().click();
  await expect(hearts).toHaveCount(1); // the page that the form led to
  await expect(hearts).toHaveAttribute("aria-pressed", "false");
});

test.describe("without client script", () => {
  test.use({ noScript: true });

  test("P8 O2 the Update button applies the chosen variant to the page and to the deal link", async ({
    page,
    brandUrl,
    logIn,
  }) => {
    const { publicId, path } = await knownOffer("variants");
    await logIn(page, "freshledge", await newMember("freshledge"));
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

  test("P8 O4 D10 a visitor's heart leads to login and is set afterwards; votes and app links work too", async ({
    page,
    brandUrl,
  }) => {
    const { path } = await knownOffer("code");
    const heart = page.locator(".offer-what .favourite-button");
    await page.goto(brandUrl("mustermark", path));
    await heart.click();
    await page.getByLabel("Email", { exact: true }).fill(await newMember("mustermark"));
    await page.getByLabel("Password", { exact: true }).fill("Farthing-2026");
    await page.getByRole("button", { name: "Log in", exact: true }).click();
    await expect(heart).toHaveAttribute("aria-pressed", "true");
    await heart.click();
    await expect(heart).toHaveAttribute("aria-pressed", "false");

    await revealButton(page).click();
    await page.getByRole("button", { name: "It did not work" }).click();
    await expect(page.getByText(/^Thanks. You said today that it did not work/)).toBeVisible();

    const app = await knownOffer("app");
    await page.goto(brandUrl("chalkside", app.path));
    await page.getByRole("link", { name: "Use it in the app" }).click();
    await expect(page.getByRole("img", { name: /^QR code/ })).toBeVisible();
    await expect(page.getByRole("link", { name: /^Google Play/ }).first()).toBeVisible();
  });
});
