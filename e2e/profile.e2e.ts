import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { openArchive } from "@farthing/core/personal-data/archive.testing.ts";
import { expect, test } from "./support/fixtures.ts";
import { newestMail } from "./support/mailbox.ts";
import { readyForScript } from "./support/ready-for-script.ts";
import { buySomething } from "./support/shopping.ts";

/** Gives every question of the details that has no answer one. */
async function fillEmptyDetails(page: Page): Promise<void> {
  const empty = page.locator("form.own-details select:required");
  for (const select of await empty.all())
    if ((await select.inputValue()) === "") await select.selectOption({ index: 1 });
  for (const input of await page.locator("form.own-details input:required:visible").all())
    if ((await input.inputValue()) === "")
      await input.fill(
        (await input.getAttribute("type")) === "month" ? `${new Date().getFullYear() + 2}-07` : "Something",
      );
}

// Uses two demo members that no other test changes: Kindhold's and Tinrattle's.

test("M5 a member changes their details, exports all data, asks to leave, and cancels", async ({
  page,
  logIn,
  brandUrl,
  sandboxUrl,
  axe,
  validHtml,
}) => {
  await logIn(page, "kindhold");
  await validHtml(page, brandUrl("kindhold", "/profile/details"));
  await axe(page);
  await readyForScript(page.getByLabel("Full name"));
  await page.getByLabel("Full name").fill("");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("alert")).toContainText("This is a required field");
  await axe(page);
  await page.getByLabel(/^Full name/).fill("Robin Kitchen");
  await fillEmptyDetails(page);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Please show again that you belong")).toBeVisible();
  await axe(page);
  await page.goto(brandUrl("kindhold", "/profile"));
  await expect(page.getByText("Time to renew")).toBeVisible();
  await axe(page);

  await validHtml(page, brandUrl("kindhold", "/profile/privacy"));
  await axe(page);
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download my data" }).click();
  const archive = await saving;
  expect(archive.suggestedFilename()).toMatch(/^kindhold-my-data-.*\.zip$/);
  const files = openArchive(new Uint8Array(await readFile(await archive.path())));
  expect(files["index.html"]).toContain("Robin Kitchen");
  expect(files["csv/details-changed.csv"]).toContain("Robin Kitchen");
  const cashback = JSON.parse(files["json/cashback.json"] ?? "") as { retailer: string }[];
  expect(cashback.length).toBeGreaterThan(3);

  // Leave with the keyboard alone.
  await validHtml(page, brandUrl("kindhold", "/profile/privacy/close"));
  await axe(page);
  const payOut = page.getByLabel("Pay it to my bank account");
  await readyForScript(payOut);
  await payOut.focus();
  await page.keyboard.press("ArrowDown");
  await page.getByLabel("Wait for it").focus();
  await page.keyboard.press("ArrowDown");
  const saved = page.getByLabel("My account ending in 4958");
  await expect(saved, "nothing is paid, so nothing is asked").toHaveCount(0);
  await page.keyboard.press("ArrowUp");
  await payOut.focus();
  await page.keyboard.press("Space");
  await expect(page.getByLabel("Sort code"), "there is an account already").toHaveCount(0);
  await saved.focus();
  await page.keyboard.press("ArrowDown");
  await page.getByLabel("Sort code").fill("20-00-00");
  await page.getByLabel("Account number").fill("55779911");
  await page.getByLabel(/Close my account/).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "We are closing your account" })).toBeVisible();
  await expect(page.getByText("ending in 9911")).toBeVisible();
  await axe(page);
  const { links } = await newestMail(sandboxUrl(""), { to: "member@kindhold.example", subject: "We are closing" });
  expect(links).toContain(brandUrl("kindhold", "/profile/privacy/close"));
  await page.getByRole("button", { name: "Keep my account" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("You are staying")).toBeVisible();
});

test("M9 a member is e-mailed about cashback, and the e-mail's link stops such e-mails without signing in", async ({
  page,
  context,
  logIn,
  brandUrl,
  sandboxUrl,
  axe,
}) => {
  const to = "member@tinrattle.example";
  await logIn(page, "tinrattle");
  const shop = await context.newPage();
  await shop.goto(brandUrl("tinrattle", "/go/retailers/fernhollow-boots"));
  await buySomething(shop);
  await shop.close();
  await newestMail(sandboxUrl(""), { to, subject: "cashback tracked: Fernhollow Boots" });
  const answer = await fetch(`${sandboxUrl("")}/mailbox/messages?to=${encodeURIComponent(to)}`);
  const mails = (await answer.json()) as { subject: string; headers: [string, string][]; links: string[] }[];
  const mail = mails.find(({ subject }) => subject.includes("cashback tracked"));
  const header = (name: string) => mail?.headers.find(([known]) => known.toLowerCase() === name)?.[1] ?? "";
  expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  const link = mail?.links.find((one) => one.includes("/unsubscribe")) ?? "";
  expect(header("list-unsubscribe")).toContain(link);

  await context.clearCookies();
  await page.goto(link);
  await axe(page);
  await page.getByRole("button", { name: "Stop these e-mails" }).press("Enter");
  await expect(page.getByText("We don’t write to you about")).toBeVisible();
  await axe(page);
  // The request that a mail program posts (RFC 8058).
  const status = await page.evaluate(async (url) => {
    const body = new FormData();
    body.set("List-Unsubscribe", "One-Click");
    return (await fetch(url, { method: "POST", body })).status;
  }, link);
  expect(status).toBe(200);

  await logIn(page, "tinrattle");
  await page.goto(brandUrl("tinrattle", "/profile/notifications"));
  await expect(page.getByLabel("Cashback tracked")).not.toBeChecked();
  await axe(page);
});

test("D6 U1 on a phone the account's navigation fades where it is cut, and the link to the top leaves a field that is in use alone", async ({
  page,
  logIn,
  brandUrl,
}) => {
  await page.setViewportSize({ width: 375, height: 700 });
  await logIn(page, "wardlight");
  const navigation = page.getByRole("navigation", { name: "Your account" });
  const up = page.locator(".back-to-top");
  await page.goto(brandUrl("wardlight", "/profile"));
  await expect(navigation).toHaveAttribute("data-cut-end");
  await expect(navigation).not.toHaveAttribute("data-cut-start");
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(up).toBeVisible();

  await page.goto(brandUrl("wardlight", "/profile/details"));
  await expect(navigation).toHaveAttribute("data-cut-start");
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(up).toHaveAttribute("data-shown");
  await expect(up).toBeVisible();
  await page.locator("form.own-details :is(input, select):visible").last().focus();
  await expect(up).toBeHidden();
  await page.getByRole("button", { name: "Save changes" }).focus();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(up).toBeVisible();
});

test.describe("without script", () => {
  test.use({ noScript: true });

  test("P8 M5 a member chooses e-mails, closes the account, and cancels", async ({ page, logIn, brandUrl }) => {
    await logIn(page, "tinrattle");
    await page.goto(brandUrl("tinrattle", "/profile/notifications"));
    await page.getByLabel("Rate alerts").uncheck();
    await page.getByRole("button", { name: "Save choices" }).click();
    await expect(page.getByText("Saved.")).toBeVisible();
    await expect(page.getByLabel("Rate alerts")).not.toBeChecked();
    await page.goto(brandUrl("tinrattle", "/profile/privacy/close"));
    await expect(page.getByLabel("My account ending in 4958")).toBeChecked();
    await page.getByLabel("Another account").check();
    await page.getByLabel("Sort code").fill("20-00-0");
    await page.getByLabel(/^Close my account/).check();
    await page.getByRole("button", { name: "Close my account" }).click();
    await expect(page.getByRole("alert")).toContainText("A sort code has six digits");
    await expect(page.getByLabel("Another account")).toBeChecked();
    await expect(page.getByLabel("Sort code")).toHaveValue("20-00-0");
    await page.getByLabel("Leave without it").check();
    await page.getByLabel("Leave it with the club").check();
    await page.getByLabel(/^Close my account/).check();
    await page.getByRole("button", { name: "Close my account" }).click();
    await expect(page.getByRole("heading", { name: "We are closing your account" })).toBeVisible();
    await page.getByRole("button", { name: "Keep my account" }).click();
    await expect(page.getByText("You are staying")).toBeVisible();
  });
});

test("M5 C6 the last payout goes to the account that withdrawals go to, and another one is asked for only where it is chosen", async ({
  page,
  logIn,
  brandUrl,
  axe,
}) => {
  await logIn(page, "mustermark");
  await page.goto(brandUrl("mustermark", "/profile/privacy/close"));
  const other = page.getByLabel("Another account");
  await readyForScript(other);
  await expect(page.getByLabel("My account ending in 4958")).toBeChecked();
  await expect(page.getByLabel("Sort code")).toHaveCount(0);
  await other.check();
  await expect(page.getByLabel("Sort code")).toBeVisible();
  await axe(page);
  await page.getByLabel("Leave it with the club").check();
  await page.getByLabel("Leave without it").check();
  await expect(other, "nothing is paid, so no account is asked for").toHaveCount(0);
});

test("M5 what is typed into the details stays while there is no connection, and after the session has ended", async ({
  page,
  context,
  logIn,
  brandUrl,
}) => {
  await logIn(page, "beaconry");
  await page.goto(brandUrl("beaconry", "/profile/details"));
  const name = page.getByLabel(/^Full name/);
  await readyForScript(name);
  await fillEmptyDetails(page);
  await name.fill("Robin Halfway");
  const save = page.getByRole("button", { name: "Save changes" });

  await context.setOffline(true);
  await save.click();
  await expect(page.getByRole("alert")).toContainText("You are offline, so nothing was sent.");
  await expect(save).toBeEnabled();
  await expect(name).toHaveValue("Robin Halfway");
  await context.setOffline(false);
  await expect(page.getByText("You are offline")).toHaveCount(0);

  await context.clearCookies();
  await save.click();
  await expect(page.getByText("What you typed was not sent.")).toBeVisible();
  await page.getByLabel("Email", { exact: true }).fill("member@beaconry.example");
  await page.getByLabel("Password", { exact: true }).fill("Farthing-2026");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(page.getByLabel(/^Full name/)).toHaveValue("Robin Halfway");
});

test("M5 details that were typed and not saved are shown as such, and given up with one press", async ({
  page,
  logIn,
  brandUrl,
  axe,
}) => {
  await logIn(page, "beaconry");
  const details = brandUrl("beaconry", "/profile/details");
  await page.goto(details);
  const name = page.getByLabel(/^Full name/);
  const residence = page.getByLabel("Where you live");
  await readyForScript(name);
  const saved = await name.inputValue();
  await residence.selectOption({ index: 1 });
  await name.fill("Robin Try");
  await page.goto(brandUrl("beaconry", "/profile"));

  await page.goto(details);
  const held = page.getByRole("status").filter({ hasText: "This form holds what you typed and did not save" });
  await expect(held).toBeVisible();
  await expect(name).toHaveValue("Robin Try");
  await axe(page);
  await held.getByRole("button", { name: "Start from what is saved" }).click();
  await expect(held).toBeHidden();
  await expect(name).toHaveValue(saved);

  await page.reload();
  await readyForScript(name);
  await expect(held, "it is forgotten").toBeHidden();
  await expect(name).toHaveValue(saved);
});
