import { expect, test } from "./support/fixtures.ts";
import { htmlFaults } from "./support/html-faults.ts";
import { pathOf, sitePages } from "./support/pages.ts";

// The second brand has other features, another menu and other texts.
for (const brand of ["chalkside", "freshledge"]) {
  test(`U1 every page of ${brand} is valid HTML, for every role`, async ({ page, brandUrl, logIn }) => {
    const faults: string[] = [];
    for (const who of ["visitor", "newcomer", "member"] as const) {
      await page.context().clearCookies();
      await page.goto(brandUrl(brand, "/legal/terms"));
      if (who !== "visitor") await logIn(page, brand, `${who === "newcomer" ? "new" : "member"}@${brand}.example`);
      for (const sitePage of sitePages.filter(({ as }) => as.includes(who))) {
        const path = await pathOf(sitePage);
        const markup = await page.evaluate(async (address) => (await fetch(address)).text(), path);
        faults.push(...(await htmlFaults(markup)).map((fault) => `${path}, ${who}: ${fault}`));
      }
    }
    expect(faults).toEqual([]);
  });
}
