import { readFile } from "node:fs/promises";
import { totpCode } from "@farthing/core/sign-in/totp.ts";
import type { Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { newestMail } from "./support/mailbox.ts";
import { newMember } from "./support/new-member.ts";
import { readyForScript } from "./support/ready-for-script.ts";

// Each test has its own account, because it changes how the account signs in.
const PASSWORD = "Farthing-2026";
const SECURITY_PAGE = "/profile/security";

const tryLogIn = async (page: Page, url: string, email: string, secret: string) => {
  await page.goto(url);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(secret);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
};
const resetWith = async (page: Page, link: string, secret: string) => {
  await page.goto(link);
  await page.getByLabel("Password", { exact: true }).fill(secret);
  await page.getByLabel("Confirm password", { exact: true }).fill(secret);
  await page.getByRole("button", { name: "Set the password" }).click();
  await expect(page.getByText("Your new password is set")).toBeVisible();
};

test("M2 M9 a forgotten password is reset through the e-mail in the mailbox, with the keyboard alone", async ({
  page,
  brandUrl,
  sandboxUrl,
  axe,
}) => {
  const email = await newMember("kindhold");
  await page.goto(brandUrl("kindhold", "/login"));
  await page.getByRole("link", { name: "Forgotten password?" }).focus();
  await page.keyboard.press("Enter");
  await readyForScript(page.getByLabel("Email", { exact: true }));
  await page.getByLabel("Email", { exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert"), "what is missing is said").toContainText("This is a required field");
  await page.getByLabel(/^Email/).fill(email);
  await axe(page);
  await page.keyboard.press("Enter");
  await expect(page.getByText(`We have written to ${email[0]}•••@k•••.example`)).toBeVisible();
  await axe(page);
  const [link = ""] = (await newestMail(sandboxUrl(""), { to: email, subject: "Choose a new password" })).links;
  expect(link).toContain(brandUrl("kindhold", "/reset-password?token="));
  await page.goto(link);
  await axe(page);
  await resetWith(page, link, "Quite-another-2026");
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "This link is over" })).toBeVisible();
  await page.getByRole("link", { name: "log in with it" }).click();
  await page.waitForURL("**/login");
  await tryLogIn(page, brandUrl("kindhold", "/login"), email, PASSWORD);
  await expect(page.getByRole("alert")).toContainText("don’t match");
  await axe(page);
  await tryLogIn(page, brandUrl("kindhold", "/login"), email, "Quite-another-2026");
  await page.waitForURL("**/profile");
});

test("M3 the sign-in forms mark invalid fields, add ** to the label, list the errors, and are not submitted", async ({
  page,
  brandUrl,
  logIn,
  axe,
}) => {
  const posts: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
  const email = await newMember("freshledge");
  const refused = async (path: string, button: string, fields: string[]) => {
    await page.goto(brandUrl("freshledge", path));
    const press = page.getByRole("button", { name: button, exact: true });
    await readyForScript(press);
    posts.length = 0;
    await press.click();
    const list = page.getByRole("alert").filter({ has: page.getByRole("list") });
    await expect(list, path).toBeFocused();
    await expect(list.getByRole("listitem"), path).toHaveText(
      fields.map((name) => `${name} ** This is a required field`),
    );
    for (const name of fields) {
      const field = page.getByLabel(`${name} **`, { exact: true });
      await expect(field, path).toHaveAttribute("aria-invalid", "true");
      await expect(field, path).toHaveAccessibleDescription(/\*\* This is a required field$/);
    }
    expect(posts, path).toEqual([]);
  };

  await refused("/login", "Log in", ["Email", "Password"]);
  await axe(page);
  // An invalid value shows the browser's own message, and the mark disappears once it is corrected.
  await page.getByLabel("Email **", { exact: true }).fill("somebody");
  await expect(page.locator("#email-error")).not.toHaveText(/required field/);
  await page.getByLabel("Email **", { exact: true }).fill(email);
  await expect(page.getByLabel("Email", { exact: true })).not.toHaveAttribute("aria-invalid");
  await page.getByRole("alert").getByRole("link", { name: "Password" }).click();
  await expect(page.locator("#password")).toBeFocused();
  await page.keyboard.type("not the password");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("don’t match");
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue(email);

  await refused("/forgotten-password", "Send the link", ["Email"]);
  await logIn(page, "freshledge", email);
  await refused("/login/again", "Continue", ["Password"]);
  await refused("/profile/security/password", "Change the password", [
    "Present password",
    "Password",
    "Confirm password",
  ]);
  await refused("/profile/security/emails", "Add the address", ["Email"]);
  await refused("/profile/security/passkeys", "Add a passkey", ["Name"]);
  await refused("/profile/security/two-step", "Turn on", ["Code"]);
  await refused("/verification/work-email", "Send the link", ["Work or college e-mail"]);
});

test("P8 M3 what somebody types before the script has loaded stays as it is, and keeps the focus", async ({
  page,
  brandUrl,
}) => {
  const held: (() => Promise<void>)[] = [];
  let isSlow = true;
  await page.route("**/assets/*.js", (route) =>
    isSlow ? void held.push(() => route.continue().catch(() => {})) : route.continue(),
  );
  const refuse = async (path: string, email: string) => {
    isSlow = true;
    await page.goto(brandUrl("freshledge", path), { waitUntil: "commit" });
    await page.getByLabel("Email", { exact: true }).fill(email);
    if (path === "/login") await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.locator("#email").press("Enter");
    await expect(page.getByRole("alert")).toBeVisible();
  };
  const type = async (field: string) => {
    await page.locator(field).fill("");
    await page.locator(field).pressSequentially("typed early");
    isSlow = false;
    await Promise.all(held.splice(0).map((go) => go()));
    await readyForScript(page.getByRole("alert"));
    await expect(page.locator("form", { has: page.locator(field) })).toHaveAttribute("novalidate");
    await expect(page.locator(field)).toHaveValue("typed early");
    await expect(page.locator(field)).toBeFocused();
  };

  await refuse("/forgotten-password", "somebody@example");
  await type("#email");
  await refuse("/login", "somebody@example.org");
  await type("#password");
});

test.describe("without script", () => {
  test.use({ noScript: true });

  test("P8 M2 logging in, resetting a forgotten password and signing out everywhere work", async ({
    page,
    brandUrl,
    sandboxUrl,
  }) => {
    const email = await newMember("wardlight");
    await page.goto(brandUrl("wardlight", "/forgotten-password"));
    await page.getByLabel("Email", { exact: true }).fill(email);
    await page.getByRole("button", { name: "Send the link" }).click();
    await expect(page.getByText(/^We have written to/)).toBeVisible();
    const [link = ""] = (await newestMail(sandboxUrl(""), { to: email, subject: "Choose a new password" })).links;
    await resetWith(page, link, "Quite-another-2026");
    await tryLogIn(page, brandUrl("wardlight", "/login"), email, "Quite-another-2026");
    await page.goto(brandUrl("wardlight", SECURITY_PAGE));
    await page.getByRole("button", { name: "Sign out everywhere", exact: true }).click();
    await expect(page.getByText("You are signed out everywhere")).toBeVisible();
  });
});

test("M2 complaint 12: a second address is confirmed by e-mail and signs in", async ({
  page,
  brandUrl,
  sandboxUrl,
  logIn,
  axe,
}) => {
  await logIn(page, "tillside", await newMember("tillside"));
  await page.goto(brandUrl("tillside", SECURITY_PAGE));
  await axe(page);
  await page.getByRole("link", { name: "Manage addresses" }).click();
  await page.getByLabel("Email", { exact: true }).fill("sam@home.example");
  await page.getByRole("button", { name: "Add the address" }).click();
  await expect(page.getByText("We have sent a link to sam@home.example")).toBeVisible();
  const [link = ""] = (await newestMail(sandboxUrl(""), { to: "sam@home.example", subject: "Confirm this e-mail" }))
    .links;
  await page.goto(link);
  await axe(page);
  await page.getByRole("button", { name: "Confirm email" }).click();
  await expect(page.getByRole("button", { name: "Make main sam@home.example" })).toBeVisible();
  await axe(page);
  await page.context().clearCookies();
  await tryLogIn(page, brandUrl("tillside", "/login"), "sam@home.example", PASSWORD);
  await page.waitForURL("**/profile");
});

test("M2 two-step sign-in is set up with an app, required at login, and a recovery code works once", async ({
  page,
  brandUrl,
  logIn,
  axe,
}) => {
  const email = await newMember("beaconry");
  await logIn(page, "beaconry", email);
  await page.goto(brandUrl("beaconry", `${SECURITY_PAGE}/two-step`));
  await axe(page);
  const secret = (await page.locator(".security-secret").textContent())?.replaceAll(" ", "") ?? "";
  await page.getByLabel("Code", { exact: true }).fill(totpCode(secret, new Date()));
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("Now keep your recovery codes")).toBeVisible();
  const codes = await page.locator(".recovery-codes code").allTextContents();
  const [code = ""] = codes;
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download as text" }).click();
  expect(await readFile(await (await download).path(), "utf8")).toContain(codes.join("\r\n"));
  await axe(page);
  await page.reload(); // posts again, which has no effect: it is on
  await page.context().clearCookies();

  await tryLogIn(page, brandUrl("beaconry", "/login"), email, PASSWORD);
  await page.waitForURL("**/login/code");
  await axe(page);
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("alert")).toContainText("not right");
  // The code that turned it on is used up: the app's next code is the first that is accepted.
  await page.getByLabel(/^Code/).fill(totpCode(secret, new Date(Date.now() + 30_000)));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL("**/profile");

  await page.context().clearCookies();
  await tryLogIn(page, brandUrl("beaconry", "/login"), email, PASSWORD);
  await page.getByLabel("Code", { exact: true }).fill(code.toLowerCase());
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL("**/profile");
});

test("M2 a passkey is added, logs in without a password, and is removed", async ({ page, brandUrl, logIn, axe }) => {
  const browser = await page.context().newCDPSession(page);
  await browser.send("WebAuthn.enable");
  await browser.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await logIn(page, "mustermark", await newMember("mustermark"));
  await page.goto(brandUrl("mustermark", `${SECURITY_PAGE}/passkeys`));
  await page.getByLabel("Name", { exact: true }).fill("My laptop");
  await axe(page);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("not used yet")).toBeVisible();
  await axe(page);
  await page.context().clearCookies();

  // The virtual device confirms at once, so the passkey that the browser offers in the e-mail field is used automatically.
  await page.goto(brandUrl("mustermark", "/login?next=%2Ffavourites"));
  await page.waitForURL("**/favourites");
  await page.context().clearCookies();
  // A browser that offers none has the button.
  await page.addInitScript(() => {
    window.PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
  await page.goto(brandUrl("mustermark", "/login?next=%2Ffavourites"));
  await page.getByRole("button", { name: "Log in with a passkey" }).click();
  await page.waitForURL("**/favourites");
  await page.goto(brandUrl("mustermark", `${SECURITY_PAGE}/passkeys`));
  await expect(page.getByText("last used")).toBeVisible();
  await page.getByRole("button", { name: "Remove My laptop" }).click();
  await expect(page.getByText("My laptop")).toBeHidden();
});

test("M2 signing out everywhere also ends the session in another browser", async ({
  page,
  browser,
  brandUrl,
  logIn,
}) => {
  const elsewhere = await (await browser.newContext()).newPage();
  const email = await newMember("tinrattle");
  await logIn(page, "tinrattle", email);
  await logIn(elsewhere, "tinrattle", email);
  await page.goto(brandUrl("tinrattle", SECURITY_PAGE));
  await expect(page.getByText("This browser")).toBeVisible();
  await page.getByRole("button", { name: "Sign out everywhere", exact: true }).click();
  await expect(page.getByText("You are signed out everywhere")).toBeVisible();
  await elsewhere.goto(brandUrl("tinrattle", "/profile"));
  await expect(elsewhere).toHaveURL(/\/login\?next=/);
  await elsewhere.context().close();
});

test.describe("confetti", () => {
  // The service worker would serve the part that has to be missing.
  test.use({ serviceWorkers: "block" });

  test("M2 confetti falls once after a login if the brand enables it; not with reduced motion, and its failure has no effect", async ({
    page,
    brandUrl,
    logIn,
  }) => {
    await logIn(page, "chalkside");
    await expect(page.locator("canvas.confetti")).toBeVisible();
    await expect(page.locator("canvas.confetti")).toHaveCount(0);
    await page.reload();
    await expect(page.locator("canvas.confetti")).toHaveCount(0);

    const errors: string[] = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.context().clearCookies();
    await page.route("**/assets/throw-confetti*", (route) => route.abort());
    await logIn(page, "chalkside");
    await expect
      .poll(() => errors.join("\n"))
      .toMatch(/^Loading chunk 8 failed\n\(error: http:.*\/assets\/throw-confetti/m);
    await expect(page.getByRole("heading", { name: "Your cashback" })).toBeVisible();

    await page.context().clearCookies();
    await page.emulateMedia({ reducedMotion: "reduce" });
    errors.length = 0;
    await logIn(page, "chalkside");
    await page.goto(brandUrl("chalkside", SECURITY_PAGE));
    expect(errors.join("\n"), "it is not even asked for").not.toContain("chunk 8");
  });
});

test("U1 the sign-in and security pages are valid HTML", async ({ page, brandUrl, logIn, validHtml }) => {
  const site = (path: string) => brandUrl("freshledge", path);
  for (const path of ["/login", "/forgotten-password", "/reset-password?token=x", "/confirm-email?token=x"])
    await validHtml(page, site(path));
  await logIn(page, "freshledge");
  for (const path of ["", "/password", "/emails", "/two-step", "/passkeys"])
    await validHtml(page, site(SECURITY_PAGE + path));
  await validHtml(page, site("/login/again"));
});
