import { signInAsOperator } from "./support/admin-pages.ts";
import { expect, test } from "./support/fixtures.ts";

test("A2 an operator is asked before unsaved text is lost, by a link and by another form of the page", async ({
  page,
  mainUrl,
  sandboxUrl,
}) => {
  const url = (path: string) => mainUrl("chalkside", path);
  await signInAsOperator(page, { url, sandbox: sandboxUrl(""), role: "catalogue" });
  await page.goto(url("/admin/offers/new?retailer=fernhollow-boots"));
  await page.getByLabel("Title").fill(`Unsaved ${Date.now()}`);
  await page.getByLabel("Where it leads").fill("https://fernhollow-boots.example/unsaved");
  const asked: string[] = [];
  let stays = true;
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void (stays ? dialog.dismiss() : dialog.accept());
  });
  // What is saved is not asked about.
  await page.getByRole("button", { name: "Save the draft" }).click();
  await expect(page.getByRole("status")).toContainText("The draft is saved");
  expect(asked).toEqual([]);

  await page.getByLabel("Title").fill("A title that nobody has saved");
  await page.getByRole("button", { name: "Publish …" }).click();
  await expect.poll(() => asked).toEqual(["beforeunload"]);
  await page.getByRole("link", { name: "Retailers", exact: true }).first().click();
  await expect.poll(() => asked).toEqual(["beforeunload", "beforeunload"]);
  await expect(page.getByLabel("Title")).toHaveValue("A title that nobody has saved");
  stays = false;
  await page.getByRole("button", { name: "Publish …" }).click();
  await expect(page.getByRole("heading", { name: /^Publish/ })).toBeVisible();
});

test("A3 a form that is pressed twice is posted once", async ({ page, mainUrl, sandboxUrl }) => {
  const url = (path: string) => mainUrl("chalkside", path);
  await signInAsOperator(page, { url, sandbox: sandboxUrl(""), role: "support" });
  await page.goto(url("/admin/members?q=retired@chalkside.example"));
  await page.locator("table tbody a").first().click();
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posts.push(request.url());
  });
  const note = `Rang about a card, ${Date.now()}`;
  await page.getByLabel("New note").fill(note);
  await page.getByRole("button", { name: "Keep the note" }).dblclick();
  await expect(page.locator(".notes li", { hasText: note })).toHaveCount(1);
  expect(posts).toHaveLength(1);
});

test("A3 what an operator typed is sent after their session has ended, once they have signed in again in another tab", async ({
  page,
  context,
  mainUrl,
  sandboxUrl,
  axe,
}) => {
  const url = (path: string) => mainUrl("chalkside", path);
  const signIn = (tab: typeof page) => signInAsOperator(tab, { url, sandbox: sandboxUrl(""), role: "catalogue" });
  await signIn(page);
  await page.goto(url("/admin/offers/new?retailer=fernhollow-boots"));
  const title = `Typed before the session ended, ${Date.now()}`;
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Where it leads").fill("https://fernhollow-boots.example/kept");
  await context.clearCookies();
  await page.getByRole("button", { name: "Save the draft" }).click();
  await expect(page.getByRole("heading", { name: "Your session has ended" })).toBeVisible();
  await axe(page);
  const opened = context.waitForEvent("page");
  await page.getByRole("link", { name: "Sign in, in another tab" }).click();
  const other = await opened;
  await signIn(other);
  await page.getByRole("button", { name: "Send it now" }).click();
  await expect(page.getByRole("status")).toContainText("The draft is saved");
  await expect(page.getByLabel("Title")).toHaveValue(title);
});
