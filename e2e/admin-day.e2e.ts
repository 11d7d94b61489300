import { readFile } from "node:fs/promises";
import { newId } from "@farthing/db/uuid.ts";
import type { Page } from "@playwright/test";
import { fileFieldIsReady } from "./support/file-field-is-ready.ts";
import { signInAsOperator } from "./support/admin-pages.ts";
import { claimForPerson } from "./support/claim-for-person.ts";
import { expect, test } from "./support/fixtures.ts";
import { heldCards } from "./support/known-card.ts";
import { oneAtATime } from "./support/one-at-a-time.ts";
import { payableMember } from "./support/payable-member.ts";
import { readyForScript } from "./support/ready-for-script.ts";
import { withStackDatabase } from "./support/stack-database.ts";

const BRAND = "kindhold";

/** Gives a member a name that no other has, so that their row is found in each list. */
async function rename(email: string, name: string): Promise<void> {
  await withStackDatabase((db) => db.updateTable("members").set({ name }).where("email", "=", email).execute());
}

/** The text of an e-mail that could not be sent, to an address that nobody else has. */
function mailGivenUp(recipient: string): Promise<string> {
  return withStackDatabase(async (db) => {
    const id = newId();
    const now = new Date(Date.now() - 86_400_000);
    const { id: brandId } = await db
      .selectFrom("brands")
      .select("id")
      .where("slug", "=", BRAND)
      .executeTakeFirstOrThrow();
    await db
      .insertInto("mails")
      .values({
        ...{ id, brand_id: brandId, recipient, kind: "verification-accepted", state: "given-up", attempts: 9 },
        ...{ last_error: "550 no such mailbox", created_at: now, settled_at: now },
      })
      .execute();
    return id;
  });
}

/** The member sends proof of membership and gives bank details; both wait from here on. */
async function memberDay(page: Page, url: (path: string) => string): Promise<void> {
  await page.goto(url("/verification"));
  await fileFieldIsReady(page);
  const buffer = await page.screenshot({ type: "jpeg" });
  await page.locator("#attachment").setInputFiles({ name: "payslip.jpg", mimeType: "image/jpeg", buffer });
  await page.getByRole("button", { name: "Send for checking" }).click();
  await page.waitForURL(/sent=document/);
  await page.goto(url("/money/bank-details"));
  const account = page.getByLabel("Account number");
  await readyForScript(account);
  await page.getByLabel("Name on the account").fill("Robin Marsh");
  await page.getByLabel("Sort code").fill("08-99-99");
  await account.fill("66374958");
  await page.getByRole("button", { name: "Save the bank details" }).click();
  await expect(page.getByText("Saved")).toBeVisible();
}

test("A1 A3 C6 an owner's whole day: proof, claim, gift cards, lost work and a payout, from the full home page to empty queues and a paid batch", async ({
  page,
  browser,
  logIn,
  brandUrl,
  mainUrl,
  sandboxUrl,
}) => {
  // A whole day of two people, in one browser.
  test.slow();
  const mark = newId().slice(-8);
  const name = `Robin Day-${mark}`;
  const email = await payableMember(BRAND);
  await rename(email, name);
  const membersUrl = (path: string) => brandUrl(BRAND, path);
  const theirs = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await logIn(theirs, BRAND, email);
  await memberDay(theirs, membersUrl);
  const claim = await claimForPerson(`DAY-${mark}`, "given up");
  const cards = await heldCards(email);
  const mail = await mailGivenUp(`day-${mark}@nowhere.example`);

  const url = (path: string) => mainUrl("chalkside", path);
  const home = () => page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Home" }).click();
  const open = async (need: string | RegExp) => {
    await home();
    await page.getByRole("link", { name: need }).click();
  };
  const find = async (text: string) => {
    await page.getByLabel("Find", { exact: true }).fill(text);
    await page.getByRole("button", { name: "Filter" }).click();
  };
  await signInAsOperator(page, { url, sandbox: sandboxUrl("") });

  await open(/proofs? of membership to decide/);
  const row = page.getByRole("row", { name: new RegExp(name) });
  await row.getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1, name: `Proof of ${name}` })).toBeVisible();
  await expect(page.getByRole("img", { name: /What the member sent/ })).toHaveJSProperty("complete", true);
  await page.getByRole("button", { name: "Accept" }).click();
  await expect(page.getByRole("status")).toContainText(new RegExp(`${name}, .* was accepted`));

  await open(/claims? that needs? somebody/);
  await find(claim);
  await page.getByRole("link", { name: claim }).click();
  await page.getByText("Decline: the retailer does not agree").click();
  await page.getByLabel("Reason").selectOption("not_found");
  await page.getByRole("button", { name: "Decline …" }).click();
  await page.getByLabel("Why").fill("no such order, says the retailer");
  await page.getByRole("button", { name: "Decline", exact: true }).click();
  await expect(page.getByRole("status")).toContainText("Declined.");

  for (const card of cards) {
    await open(/gift cards? held or failed/);
    await find(card);
    await page.getByRole("link", { name: card }).first().click();
    await page.getByRole("button", { name: "Release" }).click();
    await expect(page.getByRole("status")).toContainText("Released");
  }

  await open(/pieces? of work given up/);
  await page.getByRole("link", { name: "E-mails" }).first().click();
  const lost = page.getByRole("row").filter({ hasText: mail });
  await lost.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Drop …" }).click();
  await page.getByLabel("Why").fill("the address does not exist");
  await page.getByRole("button", { name: "Drop 1" }).click();
  await expect(page.getByRole("status")).toContainText("1 dropped.");
  await expect(lost).toHaveCount(0);

  const reference = await oneAtATime("payout batches", async () => {
    await withStackDatabase((db) =>
      db
        .updateTable("bank_details")
        .set({ usable_from: new Date(Date.now() - 1_000) })
        .where("member_id", "=", db.selectFrom("members").select("id").where("email", "=", email))
        .execute(),
    );
    await theirs.goto(membersUrl("/money/withdraw"));
    await theirs.getByRole("button", { name: /^Withdraw £/ }).click();
    await expect(theirs.getByText("Done. Your money is on its way.")).toBeVisible();
    const on = /On your bank statement: (\S+)/.exec(await theirs.locator("main").innerText())?.[1] ?? "none";
    await open(/withdrawals? to pay/);
    await expect(page.getByRole("row").filter({ hasText: on })).toBeVisible();
    await page.getByRole("link", { name: "Payout batches" }).first().click();
    await page.getByRole("button", { name: "Make a batch" }).click();
    await expect(page.getByRole("heading", { level: 1, name: /^Batch \d+$/ })).toBeVisible();
    return on;
  });
  const batch = (await page.getByRole("heading", { level: 1 }).innerText()).replace("Batch ", "");
  await open(/payout batch(es)? to approve/);
  await page.getByRole("link", { name: `Batch ${batch}`, exact: true }).click();
  await page.getByRole("button", { name: "Approve it alone …" }).click();
  await page.getByLabel("Why").fill("nobody else works here");
  await page.getByRole("button", { name: "Approve it alone", exact: true }).click();
  await expect(page.getByText("Approved. Download the file")).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the Bacs file" }).click();
  expect(await readFile(await (await download).path(), "utf8")).toContain(reference);

  // The bank's day passes.
  await withStackDatabase((db) =>
    db
      .updateTable("payout_batches")
      .set({ processing_day: "2026-01-05", entry_day: "2026-01-06" })
      .where("batch_number", "=", Number(batch))
      .execute(),
  );
  await open(/payout batch(es)? to confirm/);
  await page.getByRole("link", { name: `Batch ${batch}`, exact: true }).click();
  await page.getByRole("button", { name: "Confirm that the bank has paid it …" }).click();
  await page.getByLabel("Why").fill("it is on the statement");
  await page.getByRole("button", { name: "Record as paid" }).click();
  await expect(page.getByRole("status")).toContainText("recorded as paid");
  await expect(page.getByRole("heading", { name: "It is paid" })).toBeVisible();
  await theirs.reload();
  await expect(theirs.getByText("Paid", { exact: true }).first()).toBeVisible();

  // Nothing of this day waits any more. Other tests have their own work in the same queues.
  await page.goto(url("/admin/verifications"));
  await expect(row).toHaveCount(0);
  await page.goto(url(`/admin/claims?waits=person&q=${claim}`));
  await expect(page.getByText("No claims match these filters.")).toBeVisible();
  for (const card of cards)
    await expect(async () => {
      await page.goto(url(`/admin/gift-cards?waits=person&q=${card}`));
      await expect(page.getByText(/match these filters/)).toBeVisible({ timeout: 1_000 });
    }).toPass();
  await page.goto(url("/admin/payouts?state=requested"));
  await expect(page.getByRole("row").filter({ hasText: reference })).toHaveCount(0);

  await page.goto(url("/admin/audit?actor=owner"));
  for (const [action, about] of [
    ["Payout batch confirmed", batch],
    ["Payout batch approved", batch],
    ["Payout batch made", batch],
    ["Background work dropped", mail.slice(-8)],
    ["Gift card released", (cards[0] ?? "").slice(-8)],
    ["Claim declined", claim.slice(-8)],
  ] as const)
    await expect(
      page.getByRole("row").filter({ hasText: action }).filter({ hasText: about }).first(),
      action,
    ).toBeVisible();
});
