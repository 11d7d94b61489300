import { newId } from "@farthing/db/uuid.ts";
import type { Page } from "@playwright/test";
import { fileFieldIsReady } from "./support/file-field-is-ready.ts";
import { expect, test } from "./support/fixtures.ts";
import { newMember } from "./support/new-member.ts";
import { readyForScript } from "./support/ready-for-script.ts";
import { withStackDatabase } from "./support/stack-database.ts";

// A menu that slides after a change of the width would be checked half way.
test.use({ contextOptions: { reducedMotion: "reduce" } });

const DAY_MS = 86_400_000;
const BRAND = "chalkside";

/** Adds to a member a visit ten days ago at a shop on Impact, which takes claims by its API. */
function visitOnImpact(email: string) {
  return withStackDatabase(async (db) => {
    const member = await db
      .selectFrom("members")
      .select(["id", "brand_id"])
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    const known = await db.selectFrom("networks").select("id").where("slug", "=", "impact").executeTakeFirst();
    const networkId = known?.id ?? newId();
    if (!known) await db.insertInto("networks").values({ id: networkId, slug: "impact", name: "Impact" }).execute();
    // The sandbox's programmes have the same ids at every network.
    const shop = await db
      .selectFrom("clicks as click")
      .innerJoin("programmes as programme", "programme.id", "click.programme_id")
      .innerJoin("retailers as retailer", "retailer.id", "click.retailer_id")
      .select([
        "programme.network_programme_id",
        "programme.landing_url",
        "click.retailer_id",
        "click.rate_snapshot",
        "click.terms_hash",
        "retailer.name",
      ])
      .where("click.brand_id", "=", member.brand_id)
      .orderBy("click.created_at")
      .executeTakeFirstOrThrow();
    const programme = {
      network_id: networkId,
      network_programme_id: shop.network_programme_id,
      retailer_id: shop.retailer_id,
    };
    await db
      .insertInto("programmes")
      .values({
        id: newId(),
        ...programme,
        name: shop.name,
        status: "joined",
        is_preferred: false,
        landing_url: shop.landing_url,
      })
      .onConflict((conflict) => conflict.columns(["network_id", "network_programme_id"]).doNothing())
      .execute();
    const { id: programmeId } = await db
      .selectFrom("programmes")
      .select("id")
      .where("network_id", "=", networkId)
      .where("network_programme_id", "=", shop.network_programme_id)
      .executeTakeFirstOrThrow();
    const clickedAt = new Date(Date.now() - 10 * DAY_MS);
    const letters = [...newId().replaceAll("-", "").slice(-12).toUpperCase()].join("");
    const reference = newId().replaceAll("-", "").slice(-22);
    await db
      .insertInto("clicks")
      .values({
        id: newId(),
        reference,
        click_number: `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`,
        brand_id: member.brand_id,
        member_id: member.id,
        retailer_id: shop.retailer_id,
        programme_id: programmeId,
        network_id: networkId,
        target_url: shop.landing_url,
        rate_snapshot: JSON.stringify(shop.rate_snapshot),
        terms_hash: shop.terms_hash,
        created_at: clickedAt,
      })
      .execute();
    const [year = "", month, day] = clickedAt.toISOString().slice(0, 10).split("-");
    return {
      advertiserId: Number(shop.network_programme_id),
      shop: shop.name,
      reference,
      clickedAt,
      day: `${day}-${month}-${year.slice(2)}`,
    };
  });
}

/** Moves the focus to a control and presses a key, as people without a mouse do. */
async function press(page: Page, role: "link" | "button", name: string | RegExp, key = "Enter") {
  const control = page.getByRole(role, { name, exact: typeof name === "string" }).first();
  await control.focus();
  await expect(control).toBeFocused();
  await page.keyboard.press(key);
}

/** What the retailer and its network do, outside the club. */
function retailer(sandboxUrl: (path?: string) => string) {
  const api = sandboxUrl("/impact");
  const authorization = `Basic ${Buffer.from("IRdevelopment:development-impact-token").toString("base64")}`;
  return {
    /** Agrees with the claim about an order. */
    async agree(order: string): Promise<void> {
      const list = await fetch(`${api}/Mediapartners/IRdevelopment/ActionInquiries`, { headers: { authorization } });
      const { ActionInquiries: found } = (await list.json()) as { ActionInquiries: { Id: string; OrderId: string }[] };
      const resolved = await fetch(`${api}/Advertisers/IRdevelopment/ActionInquiries`, {
        method: "PUT",
        headers: { authorization, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({
          Id: found.find(({ OrderId }) => OrderId === order)!.Id,
          ResolutionStatus: "VALID",
          RejectReason: "",
        }).toString(),
      });
      expect(resolved.status).toBe(200);
    },
    async report(sale: {
      advertiserId: number;
      clickRef: string;
      orderRef: string;
      transactedAt: Date;
    }): Promise<number> {
      const { id } = (await control("", { network: "impact", salePence: 6_450, push: false, ...sale })) as {
        id: number;
      };
      return id;
    },
    move: (id: number, move: "approve" | "decline" | "lose-clickref", details = {}) =>
      control(`/${id}/${move}`, details),
  };
  async function control(path: string, body: object): Promise<unknown> {
    const answer = await fetch(sandboxUrl(`/control/transactions${path}`), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(answer.ok, await answer.clone().text()).toBe(true);
    return answer.json();
  }
}

test("C7 a claim with evidence is filed, accepted by the shop, and becomes cashback, by keyboard alone", async ({
  page,
  brandUrl,
  sandboxUrl,
  logIn,
  axe,
}) => {
  test.slow(); // worker, network and report take their turns
  const email = await newMember(BRAND);
  const visit = await visitOnImpact(email);
  await logIn(page, BRAND, email);
  const look = async () => {
    const size = page.viewportSize();
    for (const width of [375, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await axe(page);
    }
    if (size) await page.setViewportSize(size);
  };
  await page.goto(brandUrl(BRAND, "/money"));
  await press(page, "link", "Claim a purchase");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Which visit was it?");
  await look();
  await press(page, "link", new RegExp(visit.shop));
  const order = `E2E-${newId().slice(-8)}`;
  const field = page.getByLabel("Order number");
  await readyForScript(field);
  await look();
  await field.focus();
  await page.keyboard.type(order);
  await page.keyboard.press("Tab");
  await page.keyboard.type(visit.day.replaceAll("-", ""));
  await page.keyboard.press("Tab");
  await page.keyboard.type("64.50");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Thank you. We have your claim")).toBeVisible();
  await look();
  const claimUrl = page.url().replace(/\?.*$/, "");

  await press(page, "link", "Add a file");
  await fileFieldIsReady(page);
  await look();
  const picture = await page.screenshot({ type: "jpeg" });
  await page.locator("#attachment").setInputFiles({ name: "order.jpg", mimeType: "image/jpeg", buffer: picture });
  await expect(page.locator(".filepond--file-info-main")).toHaveText("order.jpg");
  await press(page, "button", "Add the file");
  await expect(page.getByText("Your file is here")).toBeVisible();
  await expect(page.getByRole("link", { name: "order.jpg" })).toBeVisible();

  // The worker has filed it with the network; the shop answers.
  const until = async (text: string) =>
    expect(async () => {
      await page.goto(claimUrl);
      await expect(page.getByText(text, { exact: true }).first()).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 90_000 });
  await until("With the shop");
  await look();
  const shop = retailer(sandboxUrl);
  await shop.agree(order);
  await until("Accepted");
  await look();

  // Its network reports the sale, without the click.
  const transactedAt = new Date(visit.clickedAt.getTime() + 60_000);
  const { advertiserId, reference: clickRef } = visit;
  const id = await shop.report({ advertiserId, clickRef, orderRef: order, transactedAt });
  await shop.move(id, "lose-clickref");
  // A sale of ten days ago is new to the network’s feed of changes once it is decided.
  await shop.move(id, "approve");
  await until("Done");
  await look();
  await press(page, "link", /cashback is in your account/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Purchase at ${visit.shop}`);
});

test("C3 C7 a declined purchase says why, who decided and what helps; its appeal goes to the shop, which changes its mind", async ({
  page,
  brandUrl,
  sandboxUrl,
  logIn,
  axe,
}) => {
  test.slow(); // worker, network and report take their turns
  const email = await newMember(BRAND);
  const visit = await visitOnImpact(email);
  const shop = retailer(sandboxUrl);
  const order = `E2E-${newId().slice(-8)}`;
  const transactedAt = new Date(visit.clickedAt.getTime() + 60_000);
  const { advertiserId, reference: clickRef } = visit;
  const id = await shop.report({ advertiserId, clickRef, orderRef: order, transactedAt });
  await shop.move(id, "decline", { reason: "order returned" });
  await logIn(page, BRAND, email);
  await expect(async () => {
    await page.goto(brandUrl(BRAND, "/money/purchases"));
    await page
      .getByRole("link", { name: new RegExp(visit.shop) })
      .first()
      .click({ timeout: 1_000 });
    await expect(page.getByText("Why it was declined")).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 90_000 });
  const purchaseUrl = page.url();
  await expect(page.getByText("The retailer told us the order was returned or refunded.")).toBeVisible();
  await expect(page.getByText("The retailer, not us.")).toBeVisible();
  await expect(page.getByText(/Send us the order confirmation that shows you kept the order/)).toBeVisible();
  await axe(page);

  await press(page, "link", "Appeal");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    new RegExp(`^Appeal against ${visit.shop}’s? decision$`),
  );
  // The order number is the one that the shop reported.
  await expect(page.getByLabel("Order number")).toHaveCount(0);
  const words = page.getByLabel("What is wrong");
  await readyForScript(words);
  await words.fill("I kept everything: the return was another customer’s.");
  await axe(page);
  await press(page, "button", "Appeal");
  await expect(page.getByText("Thank you. We have your claim")).toBeVisible();
  const claimUrl = page.url().replace(/\?.*$/, "");
  const until = async (url: string, text: string) =>
    expect(async () => {
      await page.goto(url);
      await expect(page.getByText(text, { exact: true }).first()).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 90_000 });
  await until(claimUrl, "With the shop");
  await shop.agree(order);
  await until(claimUrl, "Accepted");
  await expect(page.getByText(`${visit.shop} agrees`)).toBeVisible();
  await page.goto(purchaseUrl);
  await press(page, "link", "See your claim about it");
  await expect(page).toHaveURL(claimUrl);
});

test("C7 M2 a claim that is sent after the session has ended is filled in again after the login, until it has arrived", async ({
  page,
  brandUrl,
  logIn,
}) => {
  // What is typed is kept in the tab, and forgotten there, by a script that loads after the form's own.
  const keepsInTab = () => expect(page.locator("html")).toHaveAttribute("data-script", "started");
  const email = await newMember(BRAND);
  const visit = await visitOnImpact(email);
  await logIn(page, BRAND, email);
  await page.goto(brandUrl(BRAND, "/money/claims/new"));
  await page.getByRole("link", { name: new RegExp(visit.shop) }).click();
  const order = page.getByLabel("Order number");
  await readyForScript(order);
  await order.fill("E2E-4711");
  await page.getByLabel("What you paid").fill("64.50");
  const form = page.url();
  await keepsInTab();
  await page.context().clearCookies();
  await page.getByRole("button", { name: /claim/ }).click();
  await expect(page.getByText("Your session has ended")).toBeVisible();
  expect(page.url()).not.toContain("4711");

  await logIn(page, BRAND, email);
  await page.goto(form);
  await expect(order).toHaveValue("E2E-4711");
  await expect(page.getByLabel("What you paid")).toHaveValue("64.50");
  await page.getByRole("button", { name: /claim/ }).click();
  await expect(page.getByText("Thank you. We have your claim")).toBeVisible();
  await keepsInTab();
  await page.goto(form);
  await readyForScript(order);
  await expect(order).toHaveValue("");
});
