import type { Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { newMember } from "./support/new-member.ts";
import { buySomething, cashbackEntry, type Order, toPence } from "./support/shopping.ts";

const RETAILER = "Fernhollow Boots";
const offerTitle = /15% off walking boots/;

/** The offer's rate. */
const RATE_BP = 650;
const cashbackOn = (countedPence: number) => Math.floor((countedPence * RATE_BP) / 10_000);
const withoutVat = (pence: number) => Math.round(pence / 1.2);

const pounds = (pence: number) => `£${(pence / 100).toLocaleString("en-GB", { minimumFractionDigits: 2 })}`;

/** The row of an order on the network's screen, where the network decides. */
async function decideAtNetwork(
  page: Page,
  networkUrl: string,
  order: Order,
  button: "Approve" | "Decline",
): Promise<void> {
  await page.goto(networkUrl);
  await page.getByRole("row", { name: order.reference }).getByRole("button", { name: button }).click();
}

test("the main job: find an offer, reveal and copy the code, buy at the retailer, see the cashback tracked and confirmed (D2, O3, C1, C3)", async ({
  page,
  context,
  brandUrl,
  sandboxUrl,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: brandUrl("chalkside").slice(0, -1) });
  const profile = brandUrl("chalkside", "/profile");

  // A visitor finds the offer, by a name that is not quite right.
  await page.goto(brandUrl("chalkside"));
  await page.getByLabel("Search", { exact: true }).fill("fernholow boots");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByLabel("Search", { exact: true })).toHaveValue("fernholow boots");
  await page.getByRole("link", { name: offerTitle }).first().click();
  await expect(page.locator("body")).toHaveAttribute("data-controller", "offers");
  await expect(page.locator("body")).toHaveAttribute("data-action", "show");

  // Codes are for members: the visitor logs in and is back at the offer.
  await page.getByRole("button", { name: "Reveal code" }).click();
  await page.getByLabel("Email", { exact: true }).fill(await newMember("chalkside"));
  await page.getByLabel("Password", { exact: true }).fill("Farthing-2026");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("15% off");

  const exampleText = await page.getByText(/^For example, .*on the price without VAT and delivery/).innerText();
  const [, earned = "", price = ""] = /(£[\d.]+) on (£[\d.]+)/.exec(exampleText) ?? [];
  // The example is of the price that a member pays; 6.5 % of it without VAT.
  expect(toPence(earned)).toBe(cashbackOn(withoutVat(toPence(price))));

  // Revealing opens the retailer in a new tab and shows the code here, at a clean address.
  const opened = context.waitForEvent("page");
  await page.getByRole("button", { name: "Reveal code" }).click();
  const shop = await opened;
  await expect(page.locator("#offer-code")).toHaveText("FERN15");
  await expect(page).not.toHaveURL(/reveal_code/);
  await page.getByRole("button", { name: "Copy code" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("FERN15");

  // The code stays: a later visit shows it, without a reveal button or a new tab.
  await page.reload();
  await expect(page.locator("#offer-code")).toHaveText("FERN15");
  await expect(page.getByRole("button", { name: "Reveal code" })).toHaveCount(0);
  expect(context.pages()).toHaveLength(2);

  // The new tab went through our redirect and the network to the shop. Buy something there with the code.
  await shop.waitForLoadState();
  expect(shop.url()).toContain(sandboxUrl("/shops/fernhollow"));
  expect(await shop.evaluate(() => window.opener)).toBeNull();
  const order = await buySomething(shop, "FERN15");

  // Within seconds it appears on the member's timeline, at the rate of the click: 6.5 %.
  // The price without VAT and delivery counts, as the offer's page says.
  expect(order.countedPence).toBeLessThan(order.totalPence);
  const counted = pounds(order.countedPence);
  const entry = await cashbackEntry(page, profile, { retailer: RETAILER, counted, state: "Pending" });
  await expect(entry).toContainText(pounds(cashbackOn(order.countedPence)));

  // The network approves; the next poll of its report updates the entry.
  await decideAtNetwork(shop, sandboxUrl("/network"), order, "Approve");
  await cashbackEntry(page, profile, { retailer: RETAILER, counted, state: "Confirmed" });
});

test("C3 a declined purchase says so, with the reason in words", async ({
  page,
  context,
  brandUrl,
  sandboxUrl,
  logIn,
}) => {
  await logIn(page, "freshledge", await newMember("freshledge"));
  await page.goto(brandUrl("freshledge", "/retailers/fernhollow-boots"));
  await page.getByRole("link", { name: offerTitle }).first().click();
  const opened = context.waitForEvent("page");
  await page.getByRole("button", { name: "Reveal code" }).click();
  const shop = await opened;
  await shop.waitForLoadState();
  const order = await buySomething(shop);
  const expected = { retailer: RETAILER, counted: pounds(order.countedPence) };
  await cashbackEntry(page, brandUrl("freshledge", "/profile"), { ...expected, state: "Pending" });
  await decideAtNetwork(shop, sandboxUrl("/network"), order, "Decline");
  const entry = await cashbackEntry(page, brandUrl("freshledge", "/profile"), { ...expected, state: "Declined" });
  await entry.locator("summary").click();
  await expect(entry.locator(".cashback-reason")).toHaveText(/\w+.*\.$/);
});

test("B4 a session of one brand is not valid in another", async ({ page, context, brandUrl, logIn }) => {
  await logIn(page, "chalkside");
  const [session] = await context.cookies(brandUrl("chalkside"));
  if (!session) throw new Error("no session cookie");
  await context.addCookies([{ ...session, domain: new URL(brandUrl("wardlight")).hostname }]);
  await page.goto(brandUrl("wardlight", "/profile"));
  await expect(page).toHaveURL(/\/login/);
  await page.goto(brandUrl("chalkside", "/profile"));
  await expect(page.locator("body")).toHaveAttribute("data-controller", "profiles");
});

test.describe("without client script", () => {
  test.use({ noScript: true });

  test("P8 the main job works up to reveal and go (O1, O2, O3, C1)", async ({ page, brandUrl, sandboxUrl, logIn }) => {
    await logIn(page, "chalkside", await newMember("chalkside"));
    await page.goto(brandUrl("chalkside"));
    await page.getByLabel("Search", { exact: true }).fill("fernhollow");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("link", { name: offerTitle }).first().click();
    await page.getByRole("button", { name: "Reveal code" }).click();
    await expect(page.locator("#offer-code")).toHaveText("FERN15");

    // The specified address has both parameters; a reload shows the code that this member has seen, and reveals nothing.
    const { searchParams } = new URL(page.url());
    expect([searchParams.get("reveal_code"), searchParams.get("offer_variant")]).not.toContain(null);
    await page.reload();
    await expect(page.locator("#offer-code")).toHaveText("FERN15");
    await expect(page.getByRole("button", { name: "Reveal code" })).toHaveCount(0);

    const opened = page.context().waitForEvent("page");
    await page.getByRole("link", { name: "Get deal" }).click();
    const shop = await opened;
    await shop.waitForLoadState();
    expect(shop.url()).toContain(sandboxUrl("/shops/fernhollow"));
  });

  test("P8 D5 a form sorts a list, and the choice is in the address", async ({ page, brandUrl }) => {
    await page.goto(brandUrl("freshledge", "/categories/shoes-and-bags"));
    await page.getByLabel("Sort by").selectOption("newest");
    await page.getByRole("button", { name: "Go", exact: true }).click();
    await expect(page).toHaveURL(/sort=newest/);
    await expect(page.getByLabel("Sort by")).toHaveValue("newest");
  });
});
