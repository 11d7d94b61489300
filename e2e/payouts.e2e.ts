import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { root } from "../docs/examples/fenced-blocks.ts";
import { expect, test } from "./support/fixtures.ts";
import { smallCard } from "./support/known-card.ts";
import { signInAsOperator } from "./support/admin-pages.ts";
import { newestMail } from "./support/mailbox.ts";
import { oneAtATime } from "./support/one-at-a-time.ts";
import { payableMember } from "./support/payable-member.ts";
import { readyForScript } from "./support/ready-for-script.ts";
import { sideways } from "./support/sideways.ts";
import { withStackDatabase } from "./support/stack-database.ts";

// A menu that slides after a change of the width would be checked half way.
test.use({ contextOptions: { reducedMotion: "reduce" } });

/** Runs an operator's command on the stack, with its files in a folder of its own. */
async function operator(folder: string, ...words: string[]): Promise<string> {
  const env = {
    ...process.env,
    FARTHING_ENV: "dev",
    DATABASE_URL: "",
    DATA_DIR: process.env["FARTHING_E2E_DATA_DIR"],
    PAYOUTS_DIR: folder,
  };
  return (await promisify(execFile)("npm", ["run", "--silent", "payouts", "--", ...words], { cwd: root, env })).stdout;
}

test("C6 a member gives bank details and withdraws with the keyboard alone; nothing leaves for 72 hours, then a batch takes it that another operator approves in the admin", async ({
  page,
  context,
  logIn,
  brandUrl,
  sandboxUrl,
  axe,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "farthing-payouts-"));
  const email = await payableMember("wardlight");
  await page.setViewportSize({ width: 375, height: 740 });
  await logIn(page, "wardlight", email);

  await page.goto(brandUrl("wardlight", "/money"));
  await page.getByRole("link", { name: "Withdraw £12.00" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Withdraw");
  await page.getByRole("link", { name: "Give your bank details" }).focus();
  await page.keyboard.press("Enter");

  // A wrong digit is found before anything is sent to a bank, and nothing that was typed is lost.
  const account = page.getByLabel("Account number");
  await readyForScript(account);
  await page.getByLabel("Name on the account").fill("Robin Marsh");
  await page.getByLabel("Sort code").focus();
  await page.keyboard.type("08-99-99");
  await page.keyboard.press("Tab");
  await page.keyboard.type("66374959");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").first()).toBeVisible();
  await expect(page.getByLabel("Sort code")).toHaveValue("08-99-99");
  await axe(page);
  await readyForScript(account);
  await account.fill("66374958");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Saved")).toBeVisible();
  await expect(page.getByText("Account ending in")).toBeVisible();
  expect(await page.content()).not.toContain("66374958");
  await axe(page);
  await newestMail(sandboxUrl(""), { to: email, subject: "The bank details of your account" });

  await page.getByRole("link", { name: "Go on to withdraw" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Your bank details are new")).toBeVisible();
  await page.getByRole("button", { name: "Withdraw £12.00" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Done. Your money is on its way.")).toBeVisible();
  await expect(page.getByText("Held, because your bank details are new")).toBeVisible();
  expect(await sideways(page)).toEqual([]);
  await axe(page);
  await newestMail(sandboxUrl(""), { to: email, subject: "We pay you £12.00" });

  const reference = /On your bank statement: (\S+)/.exec(await page.locator("main").innerText())?.[1] ?? "none";
  await oneAtATime("payout batches", () => operator(folder, "batch").catch(() => "")); // an empty batch is refused
  await page.reload();
  await expect(page.getByRole("button", { name: "Cancel the withdrawal" })).toBeVisible();

  const made = await oneAtATime("payout batches", async () => {
    await withStackDatabase((db) =>
      db
        .updateTable("bank_details")
        .set({ usable_from: new Date(Date.now() - 1000) })
        .where("member_id", "=", db.selectFrom("members").select("id").where("email", "=", email))
        .execute(),
    );
    return operator(folder, "batch");
  });
  const [, batch = ""] = /approve (\d+)/.exec(made) ?? [];
  expect(await readdir(folder), "nothing before it is approved").toEqual([]);
  await rm(folder, { recursive: true });
  const file = await approveInAdmin(await context.newPage(), {
    batch,
    url: (path) => brandUrl("wardlight", path),
    sandbox: sandboxUrl(""),
    axe,
  });
  expect(file).toContain(reference);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.reload();
  await expect(page.getByText("It is there now")).toBeVisible();
  await expect(page.getByText(reference)).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancel the withdrawal" })).toHaveCount(0);
  await axe(page);
});

test("C6 a withdrawal to details that were changed waits again: the page and the operator's list say so, and the owner is written to", async ({
  page,
  logIn,
  brandUrl,
  sandboxUrl,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "farthing-payouts-"));
  const email = await payableMember("wardlight");
  await logIn(page, "wardlight", email);
  const details = async (sortCode: string, accountNumber: string) => {
    await page.goto(brandUrl("wardlight", "/money/bank-details"));
    const account = page.getByLabel("Account number");
    await readyForScript(account);
    await page.getByLabel("Name on the account").fill("Robin Marsh");
    await page.getByLabel("Sort code").fill(sortCode);
    await account.fill(accountNumber);
    await page.getByRole("button", { name: "Save the bank details" }).click();
    await expect(page.getByText("Saved")).toBeVisible();
    await expect(page.getByText(accountNumber.slice(-4), { exact: true })).toBeVisible();
  };
  await details("08-99-99", "66374958");
  await withStackDatabase((db) =>
    db
      .updateTable("bank_details")
      .set({ changed_at: new Date(Date.now() - 4 * 86_400_000), usable_from: new Date(Date.now() - 86_400_000) })
      .where("member_id", "=", db.selectFrom("members").select("id").where("email", "=", email))
      .execute(),
  );
  await page.goto(brandUrl("wardlight", "/money/withdraw"));
  await expect(page.getByRole("button", { name: "Withdraw £12.00" })).toBeVisible();
  await expect(page.getByText("Your bank details are new")).toHaveCount(0);

  await details("10-79-99", "88837491");
  await newestMail(sandboxUrl(""), { to: email, subject: "The bank details of your account" });
  await page.getByRole("link", { name: "Go on to withdraw" }).click();
  await expect(page.getByText("Your bank details are new")).toBeVisible();
  await page.getByRole("button", { name: "Withdraw £12.00" }).click();
  await expect(page.getByText("Held, because your bank details are new")).toBeVisible();
  expect(await oneAtATime("payout batches", () => operator(folder, "batch"))).toMatch(
    /left out: .*The bank details were changed: held until/,
  );
  await page.reload();
  await expect(page.getByText("Held, because your bank details are new")).toBeVisible();
  await rm(folder, { recursive: true });
});

test("C6 G4 a member takes cashback as a gift card with the keyboard, proves who they are, and finds it in the wallet; without stock the money comes back", async ({
  page,
  logIn,
  brandUrl,
  sandboxUrl,
  axe,
}) => {
  const email = await payableMember("tinrattle");
  const url = (path: string) => brandUrl("tinrattle", path);
  const card = await smallCard();
  const value = `£${card.facePence / 100}`;
  await page.setViewportSize({ width: 375, height: 740 });
  await logIn(page, "tinrattle", email);
  await withStackDatabase((db) =>
    db
      .updateTable("member_sessions")
      .set({ authenticated_at: new Date(Date.now() - 3 * 3_600_000) })
      .where("member_id", "in", db.selectFrom("members").select("id").where("email", "=", email))
      .execute(),
  );

  await page.goto(url("/money/withdraw"));
  await page.getByRole("link", { name: "take a gift card" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Take a gift card");
  await expect(page.getByText("You have £12.00.")).toBeVisible();
  await axe(page);
  expect(await sideways(page)).toEqual([]);
  await page.getByRole("searchbox", { name: "Search gift cards" }).fill(card.name);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: card.name, exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${card.name} gift card`);
  await page.getByRole("radio", { name: value, exact: true }).check();
  await axe(page);
  await page.getByRole("button", { name: "Continue" }).press("Enter");
  const take = page.getByRole("button", { name: `Take the ${value} card` });
  await expect(take).toBeVisible();
  await axe(page);
  expect(await sideways(page)).toEqual([]);
  await take.press("Enter");

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Is it you?");
  await page.getByLabel("Password", { exact: true }).fill("Farthing-2026");
  await page.keyboard.press("Enter");
  // Sold out between the request and the card: nothing is lost.
  const sayOutOfStock = (outOfStock: string[]) =>
    fetch(sandboxUrl("/control/issuer/faults"), {
      ...{ method: "PUT", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ outOfStock }) },
    });
  await expect(take).toBeVisible();
  await sayOutOfStock([card.issuerId]);
  try {
    await take.press("Enter");
    await expect(page.getByText("Nothing was taken")).toBeVisible();
    await expect(page.getByText(`${card.name} is out of stock.`)).toBeVisible();
  } finally {
    await sayOutOfStock([]);
  }
  await take.press("Enter");
  await page.waitForURL(/note=card/);
  const isHere = page.getByText(`Your ${card.name} card is here`);
  await expect(async () => {
    await page.reload();
    await expect(isHere).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.getByText("Taken as a gift card")).toBeVisible();
  await axe(page);
  await newestMail(sandboxUrl(""), { to: email, subject: `Your ${card.name} gift card` });
  await newestMail(sandboxUrl(""), { to: email, subject: "Your gift card is ready" });
  await page.getByRole("link", { name: "Open the card", exact: true }).click();
  await page.getByRole("button", { name: "Show the code" }).click();
  await expect(page.locator(".gift-card-code code").first()).not.toBeEmpty();
});

/** Finance finds the batch on the home page, approves it with the keyboard, and downloads the file for the bank. */
async function approveInAdmin(
  page: Page,
  {
    batch,
    url,
    sandbox,
    axe,
  }: { batch: string; url: (path: string) => string; sandbox: string; axe: (page: Page) => Promise<void> },
): Promise<string> {
  await signInAsOperator(page, { url, sandbox, role: "finance" });
  await page.getByRole("link", { name: /payout batch(es)? to approve/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: `Batch ${batch}`, exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: `Batch ${batch}` })).toBeVisible();
  await axe(page);
  await page.getByRole("button", { name: "Approve" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Approved. Download the file")).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the Bacs file" }).focus();
  await page.keyboard.press("Enter");
  const text = await readFile(await (await download).path(), "utf8");
  await page.goto(url(`/admin/payouts/batches/${batch}`));
  await expect(page.getByText("Downloaded on")).toBeVisible();
  await expect(page.getByText("A file of this batch was downloaded before")).toBeVisible();
  await page.getByRole("button", { name: "Cancel the batch …" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: `Cancel batch ${batch}?` })).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "The file was not sent" })).not.toBeChecked();
  await axe(page);
  await page.close();
  return text;
}

test.describe("without script", () => {
  test.use({ noScript: true });

  test("C6 P8 a member gives bank details, withdraws and cancels, and has the money back", async ({
    page,
    logIn,
    brandUrl,
  }) => {
    const email = await payableMember("tillside");
    await page.setViewportSize({ width: 375, height: 740 });
    await logIn(page, "tillside", email);
    await page.goto(brandUrl("tillside", "/money/bank-details"));
    await page.getByLabel("Name on the account").fill("Robin Marsh");
    await page.getByLabel("Sort code").fill("08-99-99");
    await page.getByLabel("Account number").fill("66374958");
    await page.getByRole("button", { name: "Save the bank details" }).click();
    await page.getByRole("link", { name: "Go on to withdraw" }).click();
    await page.getByRole("button", { name: "Withdraw £12.00" }).click();
    await expect(page.getByText("Done. Your money is on its way.")).toBeVisible();
    await page.goto(brandUrl("tillside", "/money"));
    await expect(page.getByText("£12.00 is on its way to your bank account.")).toBeVisible();
    await page.getByRole("link", { name: "See when it arrives" }).click();
    await page.getByRole("button", { name: "Cancel the withdrawal" }).click();
    await expect(page.getByText("The money is back in your balance.", { exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "Withdraw £12.00" })).toBeVisible();
    expect(await sideways(page)).toEqual([]);
  });
});
