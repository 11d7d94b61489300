import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { totpCode } from "@farthing/core/sign-in/totp.ts";
import { openArchive } from "@farthing/core/personal-data/archive.testing.ts";
import type { Page } from "@playwright/test";
import { fileFieldIsReady } from "./support/file-field-is-ready.ts";
import { expect, test } from "./support/fixtures.ts";
import { newestMail } from "./support/mailbox.ts";
import { readyForScript } from "./support/ready-for-script.ts";

const run = promisify(execFile);
const FULL_NAME = "Vera Quillfeather";
const FIRST_PASSWORD = "Marigold-Kettle";
const SECOND_PASSWORD = "Thimble-Orchard";

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const press = (page: Page, label: string) => page.getByRole("button", { name: label, exact: true }).click();

/** Runs an operator's command against the stack's database. */
async function operator(...words: string[]): Promise<string> {
  const command = ["bin/run.mjs", "apps/server/commands/manage-verifications.ts", ...words];
  const env = { ...process.env, FARTHING_ENV: "dev", DATABASE_URL: "", DATA_DIR: process.env["FARTHING_E2E_DATA_DIR"] };
  return (await run(process.execPath, command, { env })).stdout;
}

// registration.e2e.ts tests the four member types; here one member goes through everything.
test("M1 M2 M4 M5 M6 M9 a whole membership: join, confirm, send proof, show the digital ID, secure the account, export the data, leave", async ({
  page,
  context,
  browser,
  brandUrl,
  sandboxUrl,
}) => {
  test.setTimeout(600_000);
  const url = (path: string) => brandUrl("kindhold", path);
  const email = `vera-${randomUUID().slice(0, 8)}@example.org`;
  const linkOf = async (subject: string) => {
    const { links } = await newestMail(sandboxUrl(""), { to: email, subject });
    return links.find((link) => link.includes("token=")) ?? "";
  };

  await test.step("joins, and confirms through the e-mail in the mailbox", async () => {
    await page.goto(url("/register"));
    await field(page, "Member type").selectOption({ label: "Unpaid carer" });
    await field(page, "Member status").selectOption({ label: "Parent carer" });
    await field(page, "Email").fill(email);
    await field(page, "Confirm email").pressSequentially(email);
    await field(page, "Password").fill(FIRST_PASSWORD);
    await field(page, "Confirm password").fill(FIRST_PASSWORD);
    await press(page, "Continue");
    await field(page, "Full name").fill(FULL_NAME);
    await field(page, "Day").selectOption("29");
    await field(page, "Month").selectOption({ label: "February" });
    await field(page, "Year").selectOption("1988");
    await field(page, "Where you live").selectOption({ label: "United Kingdom" });
    await page.locator("[name=additional_hours_band]").selectOption("Under 20 hours");
    await page.getByRole("checkbox", { name: /^I agree to the terms/ }).check();
    await press(page, "Create account");
    await expect(page.getByRole("heading", { name: "Check your inbox" })).toBeVisible();
    await page.goto(await linkOf("Confirm your e-mail address"));
    await press(page, "Confirm email");
    await page.waitForURL("**/verification");
  });

  await test.step("sends a document, which an operator accepts", async () => {
    await fileFieldIsReady(page);
    const buffer = await page.screenshot({ type: "jpeg" });
    await page.locator("#attachment").setInputFiles({ name: "letter.jpg", mimeType: "image/jpeg", buffer });
    // A person sees the file in the field before they send it.
    await expect(page.locator(".filepond--item")).toBeVisible();
    await press(page, "Send for checking");
    await page.waitForURL(/sent=document/);
    const line = (await operator("list")).split("\n").find((text) => text.includes(FULL_NAME));
    await operator("accept", line?.split(" ")[0] ?? "");
    await newestMail(sandboxUrl(""), { to: email, subject: "verified" });
    await page.reload();
    await expect(page.locator(".proof-state")).toContainText("Verified");
  });

  await test.step("shows the digital ID, and a till accepts it", async () => {
    await page.goto(url("/digital-id"));
    await press(page, "Show QR code");
    const code = (await page.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/).textContent()) ?? "";
    const till = await (await browser.newContext()).newPage();
    await till.goto(url(`/check?c=${code}`));
    await expect(till.getByRole("heading", { level: 1 })).toHaveText("Valid");
    await till.context().close();
  });

  await test.step("resets a forgotten password", async () => {
    await context.clearCookies();
    await page.goto(url("/forgotten-password"));
    await field(page, "Email").fill(email);
    await press(page, "Send the link");
    // The e-mail can arrive before the page.
    await expect(page.getByText(/^We have written to/)).toBeVisible();
    await page.goto(await linkOf("Choose a new password"));
    await field(page, "Password").fill(SECOND_PASSWORD);
    await field(page, "Confirm password").fill(SECOND_PASSWORD);
    await press(page, "Set the password");
    await field(page, "Email").fill(email);
    await field(page, "Password").fill(SECOND_PASSWORD);
    await press(page, "Log in");
    await page.waitForURL("**/profile");
  });

  await test.step("turns on two-step sign-in, and adds a passkey that logs in without a password", async () => {
    await page.goto(url("/profile/security/two-step"));
    const secret = (await page.locator(".security-secret").textContent())?.replaceAll(" ", "") ?? "";
    await field(page, "Code").fill(totpCode(secret, new Date()));
    await press(page, "Turn on");
    await expect(page.getByText("Now keep your recovery codes")).toBeVisible();

    const devTools = await context.newCDPSession(page);
    await devTools.send("WebAuthn.enable");
    const options = { protocol: "ctap2", transport: "internal", hasResidentKey: true } as const;
    await devTools.send("WebAuthn.addVirtualAuthenticator", {
      options: { ...options, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    });
    await page.goto(url("/profile/security/passkeys"));
    await field(page, "Name").fill("My phone");
    await press(page, "Add a passkey");
    await expect(page.getByText("not used yet")).toBeVisible();
    await context.clearCookies();
    // The virtual device confirms at once, and the login page asks it automatically.
    await page.goto(url("/login?next=%2Fprofile%2Fprivacy"));
    await page.waitForURL("**/profile/privacy");
  });

  await test.step("exports all data, and leaves", async () => {
    const saving = page.waitForEvent("download");
    await press(page, "Download my data");
    const files = openArchive(new Uint8Array(await readFile(await (await saving).path())));
    expect(files["index.html"]).toContain(FULL_NAME);
    await page.goto(url("/profile/privacy/close"));
    const sure = page.getByLabel(/^Close my account/);
    await readyForScript(sure);
    await sure.check();
    await press(page, "Close my account");
    await expect(page.getByRole("heading", { name: "We are closing your account" })).toBeVisible();
    await newestMail(sandboxUrl(""), { to: email, subject: "We are closing" });
  });
});
