import type { Download } from "@playwright/test";
import { signInAsOperator } from "./support/admin-pages.ts";
import { expect, test } from "./support/fixtures.ts";
import { newMember } from "./support/new-member.ts";
import { withStackDatabase } from "./support/stack-database.ts";

test.describe("A2 settings and files in the admin", () => {
  // Without script, as any of its pages has to work.
  test.use({ noScript: true });

  test("A2 an owner changes a threshold, is told what a wrong one lacks, and undoes it", async ({
    page,
    mainUrl,
    sandboxUrl,
  }) => {
    const url = (path: string) => mainUrl("chalkside", path);
    await signInAsOperator(page, { url, sandbox: sandboxUrl("") });
    await page.goto(url("/admin/thresholds"));
    await page.getByRole("link", { name: "Silent network" }).click();
    await page.getByLabel("Value").fill("0");
    await page.getByLabel("Why").fill("quiet at night");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByLabel("Value")).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByLabel("Why")).toHaveValue("quiet at night");

    await page.getByLabel("Value").fill("47");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("status")).toContainText("It holds now");
    await expect(page.getByText("47 (hours)")).toBeVisible();

    await page.getByRole("link", { name: "History and undo" }).click();
    await expect(page.getByText("quiet at night")).toBeVisible();
    await page.getByRole("button", { name: "Undo …" }).first().click();
    await page.getByLabel("Why").fill("it was enough before");
    await page.getByRole("button", { name: "Undo the change" }).click();
    await expect(page.getByRole("status")).toContainText("are back");
  });

  test("A2 a subject of questions is added, gets a question that visitors read, is hidden, and goes", async ({
    page,
    mainUrl,
    sandboxUrl,
  }) => {
    const slug = `post-${Date.now()}`;
    const name = `By post ${slug}`;
    const url = (path: string) => mainUrl("chalkside", path);
    const shown = async (isShown: boolean) =>
      expect(async () => {
        await page.goto(url("/faq"));
        await expect(page.getByRole("link", { name })).toHaveCount(isShown ? 1 : 0, { timeout: 1 });
      }).toPass();
    await signInAsOperator(page, { url, sandbox: sandboxUrl("") });
    await page.goto(url("/admin/subjects"));
    await page.getByRole("link", { name: "New subject" }).click();
    await page.getByLabel("Short name").fill(slug);
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByLabel("Place").fill("99");
    await page.getByRole("button", { name: "Add the subject" }).click();
    await page.goto(url("/admin/questions/new"));
    await page.getByLabel("Subject", { exact: true }).selectOption({ label: name });
    await page.getByLabel("Question", { exact: true }).fill("Can I write you a letter?");
    await page.getByLabel("Short name").fill("letters");
    await page.getByLabel("Answer").fill("Yes. We answer by e-mail.");
    await page.getByLabel("Place within the subject").fill("1");
    await page.getByRole("button", { name: "Add the question" }).click();
    await expect(page.getByRole("status")).toContainText(/./);
    await shown(true);
    await page.getByRole("link", { name }).click();
    await expect(page.getByText("Can I write you a letter?")).toBeVisible();

    await page.goto(url("/admin/subjects"));
    await page.getByRole("row").filter({ hasText: slug }).getByRole("link").first().click();
    await page.getByRole("checkbox", { name: /^Hidden/ }).check();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("status")).toContainText("Saved");
    const subject = page.url();
    await shown(false);

    await page.goto(subject);
    await page.getByRole("button", { name: "Remove …" }).click();
    await page.getByLabel("Why").fill("nobody writes letters");
    await page.getByLabel("Its questions go to").selectOption({ index: 1 });
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await expect(page.getByRole("status")).toContainText("Done");
  });

  test("A2 M4 an owner adds a proof kind and puts it first for a status; members of it see it first at once, those of others don't", async ({
    page,
    browser,
    mainUrl,
    brandUrl,
    sandboxUrl,
    logIn,
  }) => {
    const slug = `card_${Date.now()}`;
    const name = `Card of the guild ${slug}`;
    const url = (path: string) => mainUrl("chalkside", path);
    const site = (path: string) => brandUrl(BRAND, path);
    const [mine, theirs] = [await memberOf("Volunteer"), await memberOf("Employed")];
    const choices = async (email: string) => {
      const context = await browser.newContext();
      const other = await context.newPage();
      await logIn(other, BRAND, email);
      await other.goto(site("/verification"));
      const labels = await other.locator(".proof-choice b").allTextContents();
      await context.close();
      return labels;
    };
    const before = await choices(mine);
    expect(before).not.toContain(name);

    await signInAsOperator(page, { url, sandbox: sandboxUrl("") });
    await page.goto(url("/admin/proof-kinds"));
    await page.getByRole("link", { name: "New proof kind" }).click();
    await page.getByLabel("Short name").fill(slug);
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByLabel("What it is").fill("The card that your guild gives you.");
    await page.getByLabel("What has to be readable").fill("Your name\nThe guild’s name");
    await page.getByLabel("Drawing").selectOption({ label: "Card" });
    await page.getByRole("button", { name: "Add the proof kind" }).click();
    await expect(page.getByRole("status")).toContainText("Saved");
    await expect(page.getByText("no member type")).toBeVisible();

    await page.goto(url("/admin/member-types"));
    await page.getByRole("link", { name: TYPE, exact: true }).click();
    await page.getByLabel(`Place of ${name} for Volunteer`).fill("0");
    await page.getByRole("form", { name: "Proofs" }).getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("status")).toContainText("Saved");
    await expect(page.getByLabel(`Place of ${name} for Volunteer`)).toHaveValue("1");

    expect(await choices(mine)).toEqual([name, ...before]);
    expect(await choices(theirs)).not.toContain(name);
  });

  test("A2 a file of offers is refused by line, mended, looked at, applied, on the site, and among the imports", async ({
    page,
    mainUrl,
    sandboxUrl,
  }) => {
    const url = (path: string) => mainUrl("chalkside", path);
    const reference = `laces-${Date.now()}`;
    await signInAsOperator(page, { url, sandbox: sandboxUrl(""), role: "catalogue" });
    await page.goto(url("/admin/offers/file"));
    const template = page.waitForEvent("download");
    await page.getByRole("link", { name: "Template" }).click();
    const columns = await textOf(await template);
    const file = (state: string) => ({
      name: `${reference}.csv`,
      mimeType: "text/csv",
      buffer: Buffer.from(
        columns
          .replace("summer-26", reference)
          .replace("withdrawn", state)
          .replace("15% off walking boots", `Laces ${reference}`)
          .replace(/2026-08-31[^,]*/, ""),
      ),
    });
    await page.getByLabel("The file", { exact: true }).setInputFiles(file("gone"));
    await page.getByRole("button", { name: "Read it, without applying" }).click();
    await expect(page.getByRole("row").filter({ hasText: "must be published or withdrawn" })).toContainText(reference);

    await page.getByLabel("The file", { exact: true }).setInputFiles(file("published"));
    await page.getByRole("button", { name: "Read it, without applying" }).click();
    await expect(page.getByText("it makes 1 and changes 0")).toBeVisible();
    await page.getByRole("button", { name: "Apply it" }).click();
    await expect(page.getByRole("status")).toContainText("Imported.");
    await page.goto(url("/admin/imports"));
    await expect(page.getByRole("row").filter({ hasText: `${reference}.csv` })).toContainText("The club’s own");
    await expect(async () => {
      await page.goto(url("/retailers/fernhollow-boots"));
      await expect(page.getByText(`Laces ${reference}`).first()).toBeVisible({ timeout: 1 });
    }).toPass();
  });
});

/** The brand and member type of the test of proofs. */
const BRAND = "kindhold";
const TYPE = "Social care";

/** Creates a member of that brand, type and the status, who has not proved anything yet, and returns their e-mail. */
async function memberOf(status: string): Promise<string> {
  const email = await newMember(BRAND);
  await withStackDatabase(async (db) => {
    const chosen = await db
      .selectFrom("member_statuses as status")
      .innerJoin("member_types as type", "type.id", "status.member_type_id")
      .select(["status.id as member_status_id", "type.id as member_type_id"])
      .where("type.name", "=", TYPE)
      .where("status.name", "=", status)
      .executeTakeFirstOrThrow();
    await db
      .updateTable("members")
      .set({ ...chosen, verification: "unverified", verified_until: null })
      .where("email", "=", email)
      .execute();
  });
  return email;
}

async function textOf(download: Download): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
