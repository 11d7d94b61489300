import { execFile } from "node:child_process";
import { mkdir, truncate, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import type { FileChooser, Page } from "@playwright/test";
import { coveredFocus } from "./support/covered-focus.ts";
import { staysWithFocusIn } from "./support/stays-with-focus-in.ts";
import { fileFieldIsReady } from "./support/file-field-is-ready.ts";
import { expect, type Fixtures, test } from "./support/fixtures.ts";
import { newMember } from "./support/new-member.ts";

const run = promisify(execFile);

/** Takes a sharp picture of the page itself, large enough for no hint. `clip` cuts out a small one. */
async function photo(page: Page, clip?: { x: number; y: number; width: number; height: number }) {
  const buffer = await page.screenshot({ type: "jpeg", ...(clip ? { clip } : {}) });
  return { name: "payslip.JPG", mimeType: "image/jpeg", buffer };
}

const sendButton = (page: Page) => page.getByRole("button", { name: "Send for checking" });
const field = (page: Page) => page.locator("#attachment");
/** The page's error message; FilePond has another alert for screen readers only. */
const problem = (page: Page) => page.locator(".notice[role=alert]");

/** Opens the page and waits until FilePond has taken the field over. */
async function openPage(page: Page, url: string) {
  await page.goto(url);
  await fileFieldIsReady(page);
}

/** Opens the page as a new member, and chooses the first kind of proof. */
async function openFilledForm({ page, brandUrl, logIn }: { page: Page } & Pick<Fixtures, "brandUrl" | "logIn">) {
  await logIn(page, "freshledge", await newMember("freshledge"));
  await openPage(page, brandUrl("freshledge", "/verification"));
  await page.locator("input[type=radio]").first().check();
}

/** Writes a file that is one byte too large to disk; passing it over the browser's protocol would take seconds. */
async function tooLarge(name: string): Promise<string> {
  const path = test.info().outputPath(name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "");
  await truncate(path, 20 * 1024 * 1024 + 1);
  return path;
}

/** Drops files on the field as a mouse does. */
async function dropFiles(page: Page, names: string[]): Promise<void> {
  await page.locator(".filepond--drop-label").evaluate((target, all) => {
    target.scrollIntoView({ block: "center" });
    const { left, top, width, height } = target.getBoundingClientRect();
    const dataTransfer = new DataTransfer();
    for (const name of all) dataTransfer.items.add(new File(["x"], name, { type: "image/jpeg" }));
    // Without a view an event has no place on a scrolled page.
    const at = { clientX: left + width / 2, clientY: top + height / 2, view: window };
    const options = { ...at, bubbles: true, cancelable: true, dataTransfer };
    for (const type of ["dragenter", "dragover", "drop"]) target.dispatchEvent(new DragEvent(type, options));
  }, names);
}

/** Runs an operator's command against the stack's database. */
async function operator(...words: string[]): Promise<string> {
  const command = ["bin/run.mjs", "apps/server/commands/manage-verifications.ts", ...words];
  const env = { ...process.env, FARTHING_ENV: "dev", DATABASE_URL: "", DATA_DIR: process.env["FARTHING_E2E_DATA_DIR"] };
  return (await run(process.execPath, command, { env })).stdout;
}

async function requestOf(name: string, brand: string): Promise<string> {
  const line = (await operator("list")).split("\n").find((text) => text.includes(brand) && text.includes(name));
  return line?.split(" ")[0] ?? "";
}

test.describe("with a finger", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 375, height: 812 } });

  test("M4 a phone is asked for a photo, and nothing covers the words about a file that was not sent", async ({
    page,
    brandUrl,
    logIn,
  }) => {
    await openFilledForm({ page, brandUrl, logIn });
    await expect(page.locator(".filepond--drop-label")).toHaveText("Take a photo or choose a file");
    const buffer = Buffer.alloc(3_000_000, 7);
    await field(page).setInputFiles({ name: "letter.png", mimeType: "image/png", buffer });
    await page.route("**/verification**", (route) =>
      route.request().method() === "POST" ? route.abort() : route.continue(),
    );
    await sendButton(page).click();
    await expect(page.locator(".filepond--file-status-main")).toHaveText("Not sent");
    await expect(page.locator(".filepond--process-indicator")).toBeHidden({ timeout: 1 });
  });
});

test("M4 a file whose upload broke off is sent by the next press", async ({ page, brandUrl, logIn }) => {
  await openFilledForm({ page, brandUrl, logIn });
  await field(page).setInputFiles(await photo(page));
  await expect(page.locator(".filepond--item")).toHaveCount(1);
  await page.route("**/verification**", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await sendButton(page).click();
  await expect(problem(page)).toContainText("The upload broke off");
  await page.unrouteAll();
  await sendButton(page).click();
  await page.waitForURL(/sent=document/);
});

test("M4 an upload that is stopped, or whose file is changed meanwhile, or that stands still, can be sent again", async ({
  page,
  brandUrl,
  logIn,
  axe,
}) => {
  await page.clock.install();
  await openFilledForm({ page, brandUrl, logIn });
  await field(page).setInputFiles(await photo(page));
  await expect(page.locator(".filepond--item")).toHaveCount(1);
  let posts = 0;
  await page.route("**/verification**", (route) => {
    if (route.request().method() !== "POST") return route.continue();
    posts += 1; // it is not answered
  });

  await sendButton(page).click();
  await expect.poll(() => posts).toBe(1);
  await axe(page);
  await page.getByRole("button", { name: "Stop sending" }).click();
  await expect(problem(page)).toContainText("The upload was stopped");

  await sendButton(page).click();
  await expect.poll(() => posts).toBe(2);
  await field(page).setInputFiles({ ...(await photo(page)), name: "card.jpg" });
  await expect(page.locator(".filepond--file-info-main")).toHaveText(["card.jpg"]);
  await expect(page.getByText("Sending your file.")).toHaveCount(0);

  await sendButton(page).click();
  await expect.poll(() => posts).toBe(3);
  await page.clock.fastForward("02:00");
  await expect(problem(page)).toContainText("The upload broke off");

  await page.unrouteAll({ behavior: "ignoreErrors" });
  await sendButton(page).click();
  await page.waitForURL(/sent=document/);
  await expect(page.getByRole("link", { name: "card.jpg" })).toBeVisible();
});

test("M4 a file that is sent as soon as it is chosen is waited for: one is sent, one of a wrong type is refused", async ({
  page,
  brandUrl,
  logIn,
}) => {
  await openFilledForm({ page, brandUrl, logIn });
  // FilePond takes up a file a quarter of a second after it is chosen, and a slow phone takes longer than the button waits.
  await field(page).evaluate((input: HTMLInputElement) => {
    input.form?.addEventListener("change", () => input.form?.requestSubmit());
  });
  await field(page).setInputFiles({ name: "desktop.ini", mimeType: "text/plain", buffer: Buffer.from("[x]") });
  await expect(problem(page)).toContainText("File is of invalid type");
  await field(page).setInputFiles(await photo(page));
  await page.waitForURL(/sent=document/);
});

test("M4 FilePond shows errors before anything is sent: wrong type, too large, too small, no file, and hints about pictures", async ({
  page,
  brandUrl,
  logIn,
  axe,
}) => {
  test.slow();
  await logIn(page, "freshledge", "new@freshledge.example");
  await openPage(page, brandUrl("freshledge", "/verification"));
  await expect(page.locator("body")).toHaveAttribute("data-controller", "attachments");

  // A file of another type is removed with a message. The extension decides, in upper or lower case.
  await field(page).setInputFiles({ name: "run.EXE", mimeType: "image/png", buffer: Buffer.from("MZ") });
  await expect(problem(page)).toContainText("File is of invalid type");
  await expect(page.locator(".filepond--item")).toHaveCount(0);

  await field(page).setInputFiles(await tooLarge("big.pdf"));
  await expect(problem(page)).toContainText("File is too large");
  await expect(page.locator(".filepond--file-status-main")).toHaveText("File is too large");
  await axe(page);
  await sendButton(page).click();
  await expect(problem(page), "sending it says so again").toContainText("File is too large");
  await page.getByRole("button", { name: /remove/i }).click();
  await expect(page.locator(".filepond--item")).toHaveCount(0);
  await field(page).setInputFiles({ name: "none.png", mimeType: "image/png", buffer: Buffer.alloc(0) });
  await expect(problem(page)).toContainText("File is too small");

  await page.getByRole("button", { name: /remove/i }).click();
  await sendButton(page).click();
  await expect(problem(page)).toContainText("Choose a file");

  await dropFiles(page, ["front.jpg", "back.jpg"]);
  await expect(problem(page)).toContainText("Send one file");
  await expect(page.locator(".filepond--item")).toHaveCount(0);
  await sendButton(page).click();
  await expect(problem(page)).toContainText("Send one file");

  // A picture that is too small to read shows a hint, a good one shows none.
  await field(page).setInputFiles(await photo(page, { x: 0, y: 0, width: 400, height: 300 }));
  await expect(page.getByText("This picture is small.")).toBeVisible();
  await expect(problem(page)).toHaveCount(0);
  await field(page).setInputFiles(await photo(page));
  await expect(page.getByText("This picture is small.")).toHaveCount(0);
});

test("M4 a member sends a photo, is rejected with a reason and an example, sends another by keyboard alone, and is accepted", async ({
  page,
  brandUrl,
  logIn,
  axe,
  validHtml,
}) => {
  // Two decisions on the command line, each in a process that opens the database.
  test.slow();
  // Playwright takes a moment to catch file choosers: a key that is pressed earlier opens the browser's own.
  const chooser = new Promise<FileChooser>((resolve) => page.once("filechooser", resolve));
  const address = brandUrl("beaconry", "/verification");
  await logIn(page, "beaconry", "new@beaconry.example");
  await validHtml(page, address);
  await openPage(page, address);

  // A file that only looks valid: the server's error is shown on the page.
  const svg = Buffer.from("<svg onload='alert(1)'/>");
  await field(page).setInputFiles({ name: "me.png", mimeType: "image/png", buffer: svg });
  await sendButton(page).click();
  await expect(problem(page)).toContainText("What is in the file is not what its name says");

  await field(page).setInputFiles(await photo(page));
  // The error goes once FilePond has the file, and the button moves up: a press that began before would end beside it.
  await expect(problem(page)).toHaveCount(0);
  await sendButton(page).click();
  await page.waitForURL(/sent=document/);
  await expect(page.getByText("We have it, thank you")).toBeVisible();
  await expect(page.getByRole("link", { name: "payslip.JPG" })).toBeVisible();

  const first = await requestOf("Sam Field", "beaconry");
  await operator("reject", first, "--reason", "cut_off", "--note", "The date is missing.");
  await openPage(page, address);
  await expect(page.getByText("Part of it is cut off.")).toBeVisible();
  await expect(page.getByText("The date is missing.")).toBeVisible();
  await expect(page.getByText(/all four corners in the picture, your name/)).toBeVisible();
  await axe(page);

  // The field opens the file chooser, the button submits.
  await field(page).focus();
  await page.keyboard.press("Enter");
  await (await chooser).setFiles(await photo(page));
  await expect(page.locator(".filepond--item")).toHaveCount(1);
  await sendButton(page).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/sent=document/);

  await operator("accept", await requestOf("Sam Field", "beaconry"));
  await page.goto(address);
  await expect(page.locator(".proof-state")).toContainText("Verified");
  await expect(page.locator(".filepond--root")).toHaveCount(0);
});

test.describe("without script", () => {
  test.use({ noScript: true });

  test("M4 P8 the plain form refuses a file with a message, then accepts one", async ({ page, brandUrl, logIn }) => {
    await logIn(page, "mustermark", "new@mustermark.example");
    await page.goto(brandUrl("mustermark", "/verification"));
    await field(page).setInputFiles(await tooLarge("big.jpg"));
    await sendButton(page).click();
    await expect(problem(page)).toContainText("File is too large");
    await field(page).setInputFiles(await photo(page));
    await sendButton(page).click();
    await expect(page.getByText("We have it, thank you")).toBeVisible();
  });
});

test("M7 the carers' club is offered on the page, and postponed or accepted with plain buttons", async ({
  page,
  brandUrl,
  logIn,
  axe,
}) => {
  await logIn(page, "wardlight", "retired@wardlight.example");
  await page.goto(brandUrl("wardlight", "/profile"));
  const popup = page.getByRole("complementary", { name: "Caring for somebody now?" });
  await expect(popup.getByRole("button", { name: "Agree" })).toHaveAttribute(
    "data-tracking",
    "migration__agree_to_migrate",
  );
  await axe(page);
  // It stays at the lower edge of a wide window, over nothing that has the focus, and at the end of the page beside nothing.
  await page.setViewportSize({ width: 1280, height: 700 });
  for (const isOpen of [false, true]) {
    if (isOpen) await popup.getByText("What you agree to").click();
    await page.locator("main a").first().focus();
    expect(await coveredFocus(page, { key: "Tab", presses: 70 })).toEqual([]);
    await staysWithFocusIn(page, popup);
  }
  await popup.getByRole("button", { name: "Not now" }).click();
  await page.waitForURL(/\/profile$/);
  await expect(popup).toHaveCount(0);
  await page.goto(brandUrl("wardlight", "/carer-migration"));
  await page.getByRole("button", { name: "Agree" }).click();
  await expect(page.getByText("Look in your mailbox")).toBeVisible();
});

test("M4 if FilePond can't be loaded, the plain form does the same", async ({ page, brandUrl, logIn }) => {
  await logIn(page, "tillside", "new@tillside.example");
  await page.route(/assets\/pond-/, (route) => route.abort());
  await page.goto(brandUrl("tillside", "/verification"));
  await field(page).setInputFiles(await photo(page));
  await expect(page.locator(".filepond--root")).toHaveCount(0);
  await sendButton(page).click();
  await expect(page.getByText("We have it, thank you")).toBeVisible();
});
