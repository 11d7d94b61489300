import type { Page } from "@playwright/test";
import { newestMail } from "./mailbox.ts";

const DEMO_PASSWORD = "Farthing-2026";

/** Signs a demo operator in through the real forms: a password, then the code of the mailbox. */
export async function signInOperator(
  page: Page,
  { role, origin, sandbox }: { role: "owner" | "support" | "catalogue" | "finance"; origin: string; sandbox: string },
): Promise<void> {
  const email = `${role}@farthing.example`;
  await page.goto(`${origin}/admin/sign-in`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL(/\/admin\/sign-in\/code/);
  await page.getByRole("button", { name: "Send me a code by e-mail" }).click();
  await page.getByText("A new code is in the mailbox").waitFor();
  const { text } = await newestMail(sandbox, { to: email, subject: "code" });
  const [code = ""] = /\b\d{6}\b/.exec(text) ?? [];
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL((url) => url.pathname === "/admin");
}
