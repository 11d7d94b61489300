import { cutOff, faultsOfTabbing, lostInForcedColours, openAdminPage } from "./support/admin-access.ts";
import { adminPages, signInAsOperator } from "./support/admin-pages.ts";
import { expect, test } from "./support/fixtures.ts";
import { staysWithFocusIn } from "./support/stays-with-focus-in.ts";
import { knownMoney } from "./support/known-money.ts";
import { knownNotice } from "./support/known-notice.ts";

const PARTS = 4;

for (let part = 0; part < PARTS; part++)
  test(`U1 every page of the admin at 200 % zoom, in forced colours and with the keyboard alone, part ${part + 1} of ${PARTS}`, async ({
    page,
    mainUrl,
    sandboxUrl,
  }) => {
    // Some thirty pages, each with every stop of Tab.
    test.slow();
    const url = (path: string) => mainUrl("chalkside", path);
    const colorScheme = part % 2 === 0 ? "light" : "dark";
    await page.emulateMedia({ forcedColors: "active", colorScheme, reducedMotion: "reduce" });
    await knownMoney();
    await knownNotice();
    await signInAsOperator(page, { url, sandbox: sandboxUrl("") });
    const problems: string[] = [];
    for (const [at, state] of Object.values(adminPages).entries()) {
      if (at % PARTS !== part) continue;
      // 200 % of a tablet on its side, then upright.
      await page.setViewportSize({ width: 720, height: 500 });
      await openAdminPage(page, state, url);
      const found = await cutOff(page);
      await page.setViewportSize({ width: 384, height: 512 });
      found.push(...(await cutOff(page)), ...(await lostInForcedColours(page)), ...(await faultsOfTabbing(page)));
      problems.push(...new Set(found.map((one) => `${new URL(page.url()).pathname}: ${one}`)));
    }
    expect(problems).toEqual([]);
  });

test("U1 the menu, the search for members and the account of the admin are reached with Tab, and a skip link leads past them", async ({
  page,
  mainUrl,
  sandboxUrl,
}) => {
  const url = (path: string) => mainUrl("chalkside", path);
  await page.setViewportSize({ width: 1440, height: 900 });
  await signInAsOperator(page, { url, sandbox: sandboxUrl("") });
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  const reached: string[] = [];
  const links = page.getByRole("navigation", { name: "Sections" }).getByRole("link");
  const names = await links.allInnerTexts();
  for (let press = 0; press < names.length + 8; press++) {
    await page.keyboard.press("Tab");
    reached.push(
      await page.evaluate(() => (document.activeElement as HTMLElement).innerText || document.activeElement!.id),
    );
  }
  expect(reached).toEqual(expect.arrayContaining(["bar-search", ...names]));
  await page.reload();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
});

test("U1 a list of the admin stays where it is while the bar above it and the buttons below it have the focus", async ({
  page,
  mainUrl,
  sandboxUrl,
}) => {
  const url = (path: string) => mainUrl("chalkside", path);
  await page.setViewportSize({ width: 1440, height: 700 });
  await signInAsOperator(page, { url, sandbox: sandboxUrl("") });
  await page.goto(url("/admin/offers"));
  await staysWithFocusIn(page, page.locator(".bar"));
  await staysWithFocusIn(page, page.locator("[data-bulk]"));
});
