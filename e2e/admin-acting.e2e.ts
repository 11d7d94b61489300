import { signInAsOperator } from "./support/admin-pages.ts";
import { expect, test } from "./support/fixtures.ts";
import { staysWithFocusIn } from "./support/stays-with-focus-in.ts";
import { newestMail } from "./support/mailbox.ts";
import { newMember } from "./support/new-member.ts";

test.describe("A3 acting as a member", () => {
  test("A3 an operator asks, the member says yes and ends it, and the operator sees no more", async ({
    page,
    browser,
    brandUrl,
    mainUrl,
    sandboxUrl,
    logIn,
    axe,
  }) => {
    const email = await newMember("kindhold");
    const url = (path: string) => mainUrl("chalkside", path);
    await signInAsOperator(page, { url, sandbox: sandboxUrl(""), role: "support" });
    await page.goto(url(`/admin/members?q=${encodeURIComponent(email)}`));
    await page.locator("tbody").getByRole("link").first().click();
    await page.getByRole("link", { name: /^Act as this member/ }).click();
    await page.getByLabel("Why", { exact: true }).fill("You wrote that your claims look wrong.");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await expect(page.getByText("waits for the member")).toBeVisible();
    const asking = page.url();

    // The member's pages work without script; axe looks at them in accessibility.e2e.ts, because it needs script.
    const member = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await logIn(member, "kindhold", email);
    const { links } = await newestMail(sandboxUrl(""), { to: email, subject: "look at your" });
    await member.goto(links.find((link) => link.includes("/profile/access/")) ?? "");
    await member.getByRole("button", { name: "Yes, let them look" }).click();
    await expect(member.getByText("You said yes. You can take it back here")).toBeVisible();

    await page.goto(asking);
    await page.getByRole("button", { name: "Get the link to start" }).click();
    const link = await page.getByRole("link", { name: /^Open .* as / }).getAttribute("href");
    await page.goto(link ?? "");
    await page.getByRole("button", { name: "Start" }).click();
    const banner = page.getByRole("complementary", { name: "Acting as a member" });
    await expect(banner).toContainText("30 minutes left");
    await page.goto(brandUrl("kindhold", "/money"));
    await expect(banner).toBeVisible();
    await axe(page);
    await staysWithFocusIn(page, banner);
    await page.goto(brandUrl("kindhold", "/money/withdraw"));
    await expect(page.getByRole("heading", { level: 1, name: "Not while you act as a member" })).toBeVisible();
    await expect(banner).toBeVisible();

    await member.goto(brandUrl("kindhold", "/profile/access"));
    await expect(member.getByText("is in your account now")).toBeVisible();
    await member.getByRole("button", { name: "End it now" }).click();
    await expect(member.getByText(/looked at your account on/)).toBeVisible();
    await page.goto(brandUrl("kindhold", "/money"));
    await expect(page.getByRole("heading", { name: "Your access to this account has ended" })).toBeVisible();
    await member.context().close();
  });
});
