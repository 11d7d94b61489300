import type { Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { sideways } from "./support/sideways.ts";
import { withStackDatabase } from "./support/stack-database.ts";

// The site's own gift-card page, which embeds the portal as a partner's page does (G1). Where a test needs content in the
// frame, it opens another page that frames show.

const WIDTHS = [375, 1440];
const frameOf = (page: Page) => page.frameLocator("farthing-gift-cards iframe");
const problemOf = (page: Page) => page.getByRole("alert").filter({ hasText: "did not open" });

/** Makes the component of the pages that are opened from now on show `path`. */
async function showPath(page: Page, path: string): Promise<void> {
  await page.addInitScript((wanted) => {
    new MutationObserver((_, observer) => {
      const portal = document.querySelector("farthing-gift-cards");
      portal?.setAttribute("path", wanted);
      if (portal) observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  }, path);
}

/** Returns the member of the latest visit at a brand's own page, null for a visitor. */
const latestMember = (url: string) =>
  withStackDatabase(async (db) => {
    const visit = await db
      .selectFrom("widget_sessions as s")
      .innerJoin("partners as p", "p.id", "s.partner_id")
      .leftJoin("members as m", "m.id", "s.member_id")
      .select("m.email")
      .where("p.is_house", "=", true)
      .where("s.origin", "=", new URL(url).origin)
      .orderBy("s.opened_at", "desc")
      .limit(1)
      .executeTakeFirst();
    return visit?.email;
  });

for (const width of WIDTHS)
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test("G1 a visitor's portal is 600 px high from the start, and follows its content", async ({
      page,
      brandUrl,
      axe,
    }) => {
      await showPath(page, "/faq");
      await page.goto(brandUrl("chalkside", "/gift-cards"));
      const portal = page.locator("farthing-gift-cards");
      expect((await portal.boundingBox())!.height).toBeGreaterThanOrEqual(600);
      await expect(frameOf(page).getByRole("heading", { level: 1 })).toBeVisible();
      const content = () =>
        frameOf(page)
          .locator("html")
          .evaluate((root) => Math.ceil(root.getBoundingClientRect().height));
      await expect.poll(async () => (await portal.boundingBox())!.height).toBeGreaterThan(700);
      await expect.poll(async () => Math.abs((await portal.boundingBox())!.height - (await content()))).toBeLessThan(2);
      await expect(page.locator("body")).toHaveAttribute("data-controller", "gift-cards");
      expect(await sideways(page)).toEqual([]);
      expect(await latestMember(page.url())).toBeNull();
      await axe(page);
    });

    test("G1 the keyboard goes from the page into the portal and out of it", async ({ page, brandUrl }) => {
      await showPath(page, "/pay");
      await page.goto(brandUrl("wardlight", "/gift-cards"));
      const amount = frameOf(page).getByLabel("Amount");
      await amount.focus();
      await expect(amount).toBeFocused();
      for (let stops = 0; stops < 20; stops++) {
        await page.keyboard.press("Tab");
        if (await page.evaluate(() => document.activeElement?.closest("footer") !== null)) break;
      }
      await expect(page.locator("footer a:focus")).toHaveCount(1);
      await page.keyboard.press("Shift+Tab");
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("IFRAME");
    });

    for (const [what, address] of [
      ["the script", "**/widget/farthing-gift-cards.js"],
      ["the token", "**/api/portal/token"],
    ] as const)
      test(`G1 without ${what} there is an error on the console, and a way on`, async ({ page, brandUrl, axe }) => {
        const errors: string[] = [];
        page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
        await page.route(address, (route) => route.abort());
        await page.goto(brandUrl("tinrattle", "/gift-cards"));
        await expect(problemOf(page)).toBeVisible();
        expect(errors).toContainEqual(expect.stringContaining("The gift-card portal did not open:"));
        await expect(page.locator("farthing-gift-cards")).toBeHidden();
        await axe(page);
        await page.unroute(address);
        await problemOf(page).getByRole("link", { name: "Try again" }).click();
        await expect(page.locator("farthing-gift-cards iframe")).toHaveCount(1);
        await expect(problemOf(page)).toHaveCount(0);
      });
  });

test("G1 on a line so bad that no script arrives, the page says after a while that it still opens", async ({
  page,
  brandUrl,
}) => {
  await page.route(/\.js$/, () => {}); // no answer
  await page.goto(brandUrl("chalkside", "/gift-cards"), { waitUntil: "commit" });
  const slow = page.getByText("The gift cards are still opening");
  await expect(slow).toBeHidden();
  await slow.evaluate((words) => words.getAnimations().forEach((animation) => animation.finish())); // 20 s later
  await expect(slow).toBeVisible();
  await expect(page.getByRole("link", { name: "load this page again" })).toBeVisible();
});

test("G1 a portal whose script is so late that it seemed not to open is shown after all", async ({
  page,
  brandUrl,
}) => {
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(/\/assets\/start-portal-[^/]*\.js$/, async (route) => {
    await arrival;
    await route.continue();
  });
  await page.goto(brandUrl("chalkside", "/gift-cards"));
  const portal = page.locator("farthing-gift-cards");
  await expect(problemOf(page)).toBeVisible(); // after five seconds of silence
  await expect(portal).toBeHidden();
  arrive();
  await expect(portal).toBeVisible();
  await expect(problemOf(page)).toBeHidden();
  await expect(frameOf(page).getByRole("searchbox", { name: "Search gift cards" })).toBeVisible();
});

test("G1 an element whose name is taken is an error on the console, and a way on", async ({ page, brandUrl }) => {
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.addInitScript(() => customElements.define("farthing-gift-cards", class extends HTMLElement {}));
  await page.goto(brandUrl("chalkside", "/gift-cards"));
  await expect(problemOf(page)).toBeVisible();
  expect(errors).toContainEqual(expect.stringContaining("the page has another element of this name"));
});

test("G1 a member's portal knows the member, and the page leads to it from the menu", async ({
  page,
  brandUrl,
  logIn,
}) => {
  await showPath(page, "/retailers");
  await logIn(page, "kindhold");
  await page.goto(brandUrl("kindhold"));
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Gift cards" }).click();
  await expect(frameOf(page).getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Gift cards", level: 1 })).toBeVisible();
  expect(await latestMember(page.url())).toBe("member@kindhold.example");
  expect(await page.locator("farthing-gift-cards").getAttribute("token")).toBeNull();
  await expect(frameOf(page).getByText("Log out")).toHaveCount(0); // the frame's pages show no member
});

test("G1 W7 G3 the card form opens on the page under its own policy, and a payment goes through", async ({
  page,
  brandUrl,
}) => {
  await showPath(page, "/pay");
  await page.goto(brandUrl("chalkside", "/gift-cards"));
  await payFor(page, "club-1");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(frameOf(page).getByText("Payment received")).toBeVisible();
});

test("G1 W8 a payment that leaves for the bank returns to the gift-card page, which opens the order", async ({
  page,
  brandUrl,
}) => {
  await showPath(page, "/pay");
  await page.goto(brandUrl("chalkside", "/gift-cards"));
  await askToPay(page, "club-2");
  await page.frameLocator('iframe[title="Secure payment input frame"]').getByLabel("Pay by bank").check();
  await payButton(page).click();
  await page.getByRole("button", { name: "Authorise payment" }).click();
  await page.waitForURL((url) => url.pathname === "/gift-cards" && url.searchParams.has("order"));
  await expect(page.getByText("Welcome back from your bank")).toBeVisible();
});

test.describe("without script", () => {
  test.use({ noScript: true });

  test("P8 G1 there is no grey box, but the reason and a way on", async ({ page, brandUrl }) => {
    await page.goto(brandUrl("chalkside", "/gift-cards"));
    await expect(page.locator("farthing-gift-cards")).toBeHidden();
    const words = await page.locator("main noscript").innerHTML(); // locators by text look into no <noscript>
    expect(words).toContain("needs JavaScript");
    expect(words).toContain('href="/faq"');
  });
});

async function askToPay(page: Page, reference: string): Promise<void> {
  await frameOf(page).getByLabel("Amount").fill("12.34");
  await frameOf(page).getByLabel("Reference").fill(reference);
  await frameOf(page).getByRole("button", { name: "Continue to payment" }).click();
}

async function payFor(page: Page, reference: string): Promise<void> {
  await askToPay(page, reference);
  const form = page.frameLocator('iframe[title="Secure payment input frame"]');
  await form.getByLabel("Card number").fill("4242424242424242");
  await form.getByLabel("Expiry date").fill("1240");
  await form.getByLabel("Security code").fill("123");
  await payButton(page).click();
}

const payButton = (page: Page) =>
  page.getByRole("dialog", { name: "Payment" }).getByRole("button", { name: "Pay £12.34" });
