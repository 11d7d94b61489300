import { signInAsOperator } from "./support/admin-pages.ts";
import { expect, test } from "./support/fixtures.ts";
import { newestMail } from "./support/mailbox.ts";

const PASSWORD = "Marigold-Kettle";

test("B5 a ninth brand is made in the admin, is live at once, and a person joins it", async ({
  page,
  mainUrl,
  brandUrl,
  sandboxUrl,
  axe,
}) => {
  const url = (path: string) => mainUrl("chalkside", path);
  const slug = `ninth-${Date.now().toString(36)}`;
  await signInAsOperator(page, { url, sandbox: sandboxUrl(""), role: "catalogue" });
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Brands" }).click();
  await page.getByRole("link", { name: "New brand" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Typed first");
  await page.getByRole("button", { name: "tillside" }).click();
  await expect(page.getByRole("button", { name: "tillside" })).toHaveAttribute("aria-current", "true");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Typed first");
  // Enter makes the brand, and starts from no other theme: what is missing stops it here.
  await page.getByLabel("Name", { exact: true }).press("Enter");
  await expect(page.getByLabel("Who it is for")).toBeFocused();
  await page.getByLabel("Name", { exact: true }).fill("Harbourside");
  await page.getByLabel("Strapline").fill("For those who keep boats afloat");
  await page.getByLabel("Who it is for").fill("boat builders");
  await page.getByLabel("Address for questions").fill("help@harbour.example");
  await page.getByLabel("Short name").fill(slug);
  await page.getByLabel("Hosts").fill(`${slug}.localhost`);
  await page.getByRole("checkbox", { name: "Police" }).check();

  // Checked while they are typed: what can't be read names the nearest colour that can, and offers it.
  const hero = page.getByRole("group", { name: "Hero" });
  await hero.getByLabel("Ground").fill("#7a2f8f");
  await hero.getByLabel("Text").fill("#b58fc0");
  await expect(hero.getByRole("status")).toContainText("it needs 4.5:1");
  await hero.getByRole("button", { name: /^Use #/ }).click();
  await expect(hero.getByRole("status")).toHaveText("Can be read in every state.");
  const preview = page.frameLocator("iframe[name=preview]");
  await expect(preview.getByText("For those who keep boats afloat").first()).toBeVisible();
  await expect
    .poll(() => preview.locator(".hero").evaluate((area) => getComputedStyle(area).backgroundColor))
    .toBe("rgb(122, 47, 143)");
  await axe(page);
  await page.getByRole("button", { name: "Make the brand" }).click();
  await expect(page.getByRole("status")).toContainText("Harbourside is live");

  await page.goto(brandUrl(slug, "/"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("For those who keep boats afloat");
  expect(await page.locator(".hero").evaluate((area) => getComputedStyle(area).backgroundColor)).toBe(
    "rgb(122, 47, 143)",
  );
  await axe(page);

  const email = `${slug}@example.org`;
  const field = (label: string) => page.getByLabel(label, { exact: true });
  await page.goto(brandUrl(slug, "/register"));
  await field("Member type").selectOption({ label: "Police" });
  await field("Member status").selectOption({ label: "Retired" });
  await field("Email").fill(email);
  await field("Confirm email").pressSequentially(email);
  await field("Password").fill(PASSWORD);
  await field("Confirm password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await field("Full name").fill("Nina Ninth");
  await field("Day").selectOption("29");
  await field("Month").selectOption({ label: "February" });
  await field("Year").selectOption("1988");
  await field("Where you live").selectOption({ label: "United Kingdom" });
  await page.getByRole("checkbox", { name: /^I agree to the terms/ }).check();
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Check your inbox" })).toBeVisible();
  const [link = ""] = (await newestMail(sandboxUrl(""), { to: email, subject: "Confirm your e-mail address" })).links;
  expect(link).toContain(`${slug}.localhost`);
  await page.goto(link);
  await page.getByRole("button", { name: "Confirm email" }).click();
  await page.waitForURL("**/verification");
});

test("B5 the preview that is due as a form is sent does not take its place", async ({ page, mainUrl, sandboxUrl }) => {
  const url = (path: string) => mainUrl("chalkside", path);
  await signInAsOperator(page, { url, sandbox: sandboxUrl(""), role: "catalogue" });
  await page.goto(url("/admin/brands/new"));
  await page.evaluate(() => {
    const due = new Map<unknown, () => void>();
    const browsers = { set: window.setTimeout, clear: window.clearTimeout };
    Object.assign(window, {
      setTimeout: (work: () => void, ms?: number) => {
        const id = browsers.set.call(window, () => due.delete(id) && work(), ms);
        due.set(id, work);
        return id;
      },
      clearTimeout: (id: number) => {
        due.delete(id);
        browsers.clear.call(window, id);
      },
    });
    const name = document.querySelector<HTMLInputElement>("input[name=name]");
    if (name) name.value = "Typed first";
    name?.dispatchEvent(new Event("input", { bubbles: true }));
    document.querySelector<HTMLElement>("button[value=tillside]")?.click();
    // In the moment of the click: the browser has not sent the form yet.
    for (const work of due.values()) work();
  });
  await expect(page.getByRole("button", { name: "tillside" })).toHaveAttribute("aria-current", "true");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Typed first");
});
