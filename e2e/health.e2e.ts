import { expect, test } from "./support/fixtures.ts";

test("Z1 the default brand answers at the plain address, and /readyz reports that everything is up", async ({
  request,
  brandUrl,
  sandboxUrl,
}) => {
  const plain = brandUrl("x").replace("x.localhost", "localhost");
  expect((await request.get(`${plain}readyz`)).status()).toBe(200);
  expect((await request.get(plain)).status()).toBe(200);
  expect((await request.get(sandboxUrl())).status()).toBe(200);
});

for (const brand of ["chalkside", "freshledge"]) {
  test(`B1 U1 ${brand} opens at its own host with its own theme, and axe finds nothing serious`, async ({
    page,
    brandUrl,
    axe,
  }) => {
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    await page.goto(brandUrl(brand));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("body")).toHaveAttribute("data-controller", "home");
    await axe(page);
    const themes = requested.filter((url) => url.endsWith(".css") && !/\/site-/.test(url));
    expect(themes.map((url) => new URL(url).pathname)).toEqual([expect.stringContaining(brand)]);
  });
}

test("U1 the server sends valid HTML for pages of every kind", async ({ page, brandUrl, validHtml }) => {
  for (const path of ["/", "/retailers", "/search?q=boots", "/search?q=qzx", "/login", "/nowhere"]) {
    await validHtml(page, brandUrl("chalkside", path));
  }
  for (const kind of ["retailers", "categories", "offers"]) {
    await page.goto(brandUrl("chalkside"));
    const link = page.locator(`main a[href^="/${kind}/"]`).first();
    await validHtml(page, brandUrl("chalkside", (await link.getAttribute("href")) ?? ""));
    await expect(page.locator("body")).toHaveAttribute("data-controller", kind);
  }
});

test("Z3 the demo member of a brand logs in through the form", async ({ page, brandUrl, logIn }) => {
  await logIn(page, "chalkside");
  await page.goto(brandUrl("chalkside", "/profile"));
  await expect(page.locator("body")).toHaveAttribute("data-controller", "profiles");
});

test.describe("without client script", () => {
  test.use({ noScript: true });

  test("P8 Z3 the demo member logs in without script", async ({ page, brandUrl, logIn }) => {
    await logIn(page, "freshledge");
    await page.goto(brandUrl("freshledge", "/profile"));
    await expect(page.locator("body")).toHaveAttribute("data-controller", "profiles");
  });
});
