import { expect, test } from "./support/fixtures.ts";
import { buyCard } from "./support/known-card.ts";
import { newestMail } from "./support/mailbox.ts";
import { newMember } from "./support/new-member.ts";
import { readyForScript } from "./support/ready-for-script.ts";
import { sideways } from "./support/sideways.ts";
import { slowLine } from "./support/slow-line.ts";
import { withStackDatabase } from "./support/stack-database.ts";

// A menu that slides after a change of the width would be checked half way.
test.use({ contextOptions: { reducedMotion: "reduce" } });

test.use({ serviceWorkers: "allow" });

const PASSWORD = "Farthing-2026";

/** Makes the proof of a member's sessions an old one, as if they had logged in hours ago. */
function forgetProof(email: string): Promise<unknown> {
  return withStackDatabase((db) =>
    db
      .updateTable("member_sessions")
      .set({ authenticated_at: new Date(Date.now() - 3 * 3_600_000) })
      .where("member_id", "in", db.selectFrom("members").select("id").where("email", "=", email))
      .execute(),
  );
}

test("G6 a card is shown on a new device after a proof, by keyboard, notes what is spent, and opens offline once kept", async ({
  page,
  context,
  logIn,
  brandUrl,
  axe,
}) => {
  const url = (path: string) => brandUrl("tillside", path);
  const email = await newMember("tillside");
  const card = await buyCard(email);
  await page.setViewportSize({ width: 375, height: 740 });
  await logIn(page, "tillside", email);
  await forgetProof(email);

  await page.goto(url("/money/gift-cards"));
  await axe(page);
  expect(await sideways(page)).toEqual([]);
  await page.locator(".wallet-card a").focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(url(`/money/gift-cards/${card}`));
  await axe(page);
  await page.getByRole("button", { name: "Show the code" }).focus();
  await page.keyboard.press("Enter");

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Is it you?");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Now press the button below")).toBeVisible();
  await page.getByRole("button", { name: "Show the code" }).click();
  const shown = page.locator(".gift-card-code");
  await expect(shown).toBeFocused();
  const code = (await shown.locator("code").first().textContent()) ?? "";
  expect(code).not.toBe("");
  await expect(shown.getByRole("img", { name: "Barcode for the till" })).toBeVisible();
  await axe(page);
  for (const width of [375, 1440]) {
    await page.setViewportSize({ width, height: 740 });
    expect(await sideways(page)).toEqual([]);
  }
  await page.emulateMedia({ media: "print" });
  await expect(shown).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy code" })).toBeHidden();
  await page.emulateMedia({ media: "screen" });

  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await page.getByRole("button", { name: "Keep on this device" }).click();
  await expect(page.getByRole("button", { name: "Kept on this device" })).toBeVisible();

  // The code is in no answer to a reload or a link.
  await page.goto(url(`/money/gift-cards/${card}`));
  expect(await page.content()).not.toContain(code);
  await page.getByLabel("I have spent").fill("2.50");
  await page.getByLabel("Where, or on what (optional)").fill("Socks");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Noted")).toBeVisible();
  await expect(page.getByText("£2.50 Socks")).toBeVisible();
  await axe(page);

  await context.setOffline(true);
  await page.goto(url("/money/gift-cards"));
  await expect(page.getByText(code)).toBeVisible();
  await expect(page.getByRole("img", { name: "Barcode for the till" })).toBeVisible();
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(page.url()).origin });
  await page.getByRole("button", { name: "Copy code" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  await axe(page);
  await context.setOffline(false);

  await page.goto(url("/profile"));
  await page.getByRole("button", { name: "Log out" }).first().click();
  await page.waitForURL(url("/"));
  await page.goto(url("/money/gift-cards/offline"));
  await expect(page.getByText("No gift cards on this device")).toBeVisible();
});

test("G6 on a slow line the wallet and a card come from the device where it keeps them, and else from the server", async ({
  page,
  context,
  logIn,
  brandUrl,
}) => {
  const url = (path: string) => brandUrl("tillside", path);
  const email = await newMember("tillside");
  const [kept, other] = [await buyCard(email), await buyCard(email)].map((card) => url(`/money/gift-cards/${card}`));
  await logIn(page, "tillside", email);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));

  await slowLine(context, { answers: true });
  await page.goto(url("/money/gift-cards"));
  await expect(page).toHaveURL(url("/money/gift-cards"));
  await expect(page.locator(".wallet-card")).toHaveCount(2);
  await page.goto(kept ?? "");
  await page.getByRole("button", { name: "Show the code" }).click();
  const keep = page.getByRole("button", { name: "Keep on this device" });
  await readyForScript(keep);
  await keep.click();
  await expect(page.getByRole("button", { name: "Kept on this device" })).toBeVisible();

  await page.goto(other ?? "");
  await expect(page.getByRole("button", { name: "Show the code" })).toBeVisible();
  await slowLine(context, { answers: false });
  for (const address of [kept ?? "", url("/money/gift-cards")]) {
    await page.goto(address);
    await expect(page).toHaveURL(url("/money/gift-cards/offline"));
    await expect(page.locator(".gift-card-code")).toHaveCount(1);
  }
});

test("G6 a present is opened by its receiver without an account, once, and its giver is told", async ({
  page,
  browser,
  logIn,
  brandUrl,
  sandboxUrl,
  axe,
}) => {
  const email = await newMember("wardlight");
  const card = await buyCard(email);
  const receiver = `robin-${card.toLowerCase()}@example.org`;
  await logIn(page, "wardlight", email);
  await page.goto(brandUrl("wardlight", `/money/gift-cards/${card}`));
  await page.getByRole("link", { name: "Give it to a friend" }).click();
  const address = page.getByLabel("Your friend’s e-mail address");
  await readyForScript(address);
  await axe(page);
  await page.getByLabel("Your friend’s name").fill("Robin");
  await address.fill(receiver);
  await page.getByLabel("Occasion").selectOption("thanks");
  await page.getByLabel("Your words").fill("For the lantern.\nSee you soon!");
  await page.getByRole("button", { name: "Give the card" }).click();
  await expect(page.getByText("It is on its way")).toBeVisible();
  await axe(page);
  expect(await sideways(page)).toEqual([]);

  const mail = await newestMail(sandboxUrl(""), { to: receiver, subject: "Thank you, Robin" });
  expect(mail.text).toContain("For the lantern.");
  const link = mail.links.find((one) => one.includes("/gift/")) ?? "";
  // A scanner follows the link, and opens nothing.
  const scanner = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await scanner.goto(link);
  await expect(scanner.getByRole("button", { name: "Open the present" })).toBeVisible();
  await scanner.context().close();

  const phone = await browser.newContext({ viewport: { width: 375, height: 740 } });
  const gift = await phone.newPage();
  await gift.goto(link);
  await axe(gift);
  await gift.getByRole("button", { name: "Open the present" }).focus();
  await gift.keyboard.press("Enter");
  const shown = gift.locator(".gift-card-code code").first();
  await expect(shown).toBeVisible();
  const code = (await shown.textContent()) ?? "";
  await axe(gift);
  expect(await sideways(gift)).toEqual([]);
  await gift.goto(link);
  await expect(gift.getByText(code)).toBeVisible();
  await phone.close();

  // Anybody else, its giver included, reads that it was opened.
  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This present is open already");
  expect(await page.content()).not.toContain(code);
  await newestMail(sandboxUrl(""), { to: email, subject: "Robin has opened your present" });
  await page.goto(brandUrl("wardlight", "/money/gift-cards"));
  await expect(page.getByText("Robin opened it")).toBeVisible();
  await axe(page);
});
