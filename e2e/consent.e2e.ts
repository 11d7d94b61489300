import type { BrowserContext, Page } from "@playwright/test";
import brands from "../packages/db/seeds/brands.json" with { type: "json" };
import { expect, test } from "./support/fixtures.ts";
import { staysWithFocusIn } from "./support/stays-with-focus-in.ts";
import { knownOffer } from "./support/known-offer.ts";
import { newMember } from "./support/new-member.ts";
import { readyForScript } from "./support/ready-for-script.ts";
import { choose, dataLayer, sentEvents } from "./support/sent-events.ts";
import { withStackDatabase } from "./support/stack-database.ts";

const announcement = (page: Page) => page.getByRole("complementary", { name: "Announcement" });
const question = (page: Page) => page.getByRole("region", { name: "Cookies" });
const cookieNames = async (context: BrowserContext) => (await context.cookies()).map(({ name }) => name).sort();

/** What is in the browser beyond what the site needs. */
const kept = (page: Page) =>
  page.evaluate(async () => ({
    local: Object.keys(localStorage),
    session: Object.keys(sessionStorage),
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    dataLayer: "dataLayer" in window,
  }));
const nothing = { local: [], session: [], databases: 0, caches: 0, workers: 0, dataLayer: false };

/** Collects requests that only consent allows. */
function watched(context: BrowserContext): string[] {
  const requests: string[] = [];
  context.on("request", (request) => {
    if (/\/api\/Telemetry|\/tag-manager\/|\/engagement\/|start-telemetry|\/sw\.js/.test(request.url()))
      requests.push(new URL(request.url()).pathname);
  });
  return requests;
}

/** Goes through pages that have events, pushes and buttons, and presses one. */
async function browse(page: Page, brandUrl: (slug: string, path?: string) => string, brand: string): Promise<void> {
  for (const path of ["/", "/search?q=boots", "/retailers/fernhollow-boots", (await knownOffer("code")).path]) {
    await page.goto(brandUrl(brand, path));
    await readyForScript(page.locator("body"));
    await page.waitForLoadState("networkidle");
  }
}

test.describe("with a service worker", () => {
  test.use({ serviceWorkers: "allow" });

  test("T6 before the answer, and after a refusal, nothing is sent, pushed, loaded or stored; the answer is asked for once, and the announcement waits for it", async ({
    page,
    context,
    brandUrl,
  }) => {
    const requests = watched(context);
    await browse(page, brandUrl, "kindhold");
    await expect(question(page)).toBeVisible();
    await expect(announcement(page)).toBeHidden();
    expect(requests).toEqual([]);
    expect(await context.cookies()).toEqual([]);
    expect(await kept(page)).toEqual(nothing);

    await question(page).getByRole("button", { name: "Refuse all" }).click();
    await expect(question(page)).toBeHidden();
    await expect(page.locator("main")).toBeFocused();
    await expect(announcement(page)).toBeVisible();
    await browse(page, brandUrl, "kindhold");
    await expect(question(page)).toBeHidden();
    expect(requests).toEqual([]);
    expect(await cookieNames(context)).toEqual(["farthing_consent"]);
    expect(await kept(page)).toEqual(nothing);
  });

  test("T6 T5 what is accepted starts at once; what is withdrawn stops, and is deleted from the browser", async ({
    page,
    context,
    brandUrl,
  }) => {
    const url = (path: string) => brandUrl("beaconry", path);
    const events = await sentEvents(context);
    const requests = watched(context);
    const { path, publicId } = await knownOffer("code");
    await page.goto(url(path));
    await readyForScript(page.locator("body"));
    await question(page).getByRole("button", { name: "Accept all" }).click();
    await expect(question(page)).toBeHidden();
    // The page in view counts, without being loaded again.
    await expect
      .poll(() => events.map(({ body }) => [body.eventType, body.additionalFields["OfferId"]]))
      .toEqual([["OfferPage", publicId]]);
    await expect.poll(async () => (await dataLayer(page))?.map(({ event }) => event)).toContain("offer_details");
    await expect.poll(() => cookieNames(context)).toEqual(["_sandbox_tag", "farthing_consent", "farthing_visit"]);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
    await expect.poll(() => showsPush(context, page, "Half term")).toBe(true);

    // One purpose less, then none, by the link at the foot of the page.
    await page.getByRole("contentinfo").getByRole("link", { name: "Cookie settings" }).click();
    const box = (name: string) => page.getByRole("checkbox", { name });
    for (const name of ["Counting what is used", "Marketing tags", "Messages on this device"])
      await expect(box(name)).toBeChecked();
    await box("Marketing tags").uncheck();
    await readyForScript(page.locator("body"));
    await page.getByRole("button", { name: "Save choices" }).click();
    await expect(page.getByText("Saved.")).toBeVisible();
    await expect(box("Marketing tags")).not.toBeChecked();
    expect(await cookieNames(context)).toEqual(["farthing_consent", "farthing_visit"]);
    expect(await kept(page)).toMatchObject({ local: [], session: [], dataLayer: false, workers: 1 });
    await page.goto(url("/search?q=boots"));
    await expect.poll(() => events.at(-1)?.body.eventType).toBe("SearchPage");
    expect(await dataLayer(page)).toBeNull();

    await page.goto(url("/cookies"));
    await readyForScript(page.locator("body"));
    await page.getByRole("button", { name: "Refuse all" }).click();
    await expect(page.getByText("Saved.")).toBeVisible();
    for (const name of ["Counting what is used", "Marketing tags", "Messages on this device"])
      await expect(box(name)).not.toBeChecked();
    expect(await cookieNames(context)).toEqual(["farthing_consent"]);
    await expect.poll(() => showsPush(context, page, "Too late")).toBe(false);
    events.length = requests.length = 0;
    await browse(page, brandUrl, "beaconry");
    expect(events).toEqual([]);
    // The worker stays for the page without a connection, and the browser asks for it again.
    expect(requests.filter((request) => request !== "/sw.js")).toEqual([]);

    await context.setOffline(true);
    await page.goto(url("/retailers"));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("No connection");
  });
});

/** Delivers a push to the worker of the page, and returns whether it is shown. */
async function showsPush(context: BrowserContext, page: Page, title: string): Promise<boolean> {
  const { origin } = new URL(page.url());
  await context.grantPermissions(["notifications"], { origin });
  const line = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    line.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const found = registrations.find(({ scopeURL, isDeleted }) => scopeURL === `${origin}/` && !isDeleted);
      if (found) resolve(found.registrationId);
    });
  });
  await line.send("ServiceWorker.enable");
  const registrationId = await registered;
  await line.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data: JSON.stringify({ title }) });
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      return (await registration.getNotifications()).map((notification) => notification.title);
    });
  // Another message through the same worker comes after the push, so that "not shown" is no matter of time.
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  const isShown = (await shown()).includes(title);
  await line.detach();
  return isShown;
}

test("T6 what is withdrawn in one tab stops in the others, which load again where tags run, and is stored nowhere", async ({
  context,
  brandUrl,
}) => {
  const url = (path: string) => brandUrl("beaconry", path);
  await choose(context, url("/"), "measurement-tags");
  const events = await sentEvents(context);
  const { path } = await knownOffer("code");
  const [other, page] = [await context.newPage(), await context.newPage()];
  await other.goto(url(path));
  await expect.poll(() => cookieNames(context)).toEqual(["_sandbox_tag", "farthing_consent", "farthing_visit"]);
  await expect.poll(() => events.length).toBe(1);
  await other.evaluate(() => Object.assign(window, { isOpen: true }));

  await page.goto(url("/cookies"));
  await readyForScript(page.locator("body"));
  await page.getByRole("button", { name: "Refuse all" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  // Loaded again: what was in the window is gone.
  await expect.poll(() => other.evaluate(() => "isOpen" in window).catch(() => true)).toBe(false);
  await readyForScript(other.locator("body"));
  events.length = 0;
  await other.evaluate(() => {
    document.addEventListener("click", (event) => event.preventDefault());
    document.querySelector<HTMLElement>("[data-tracking]")?.click();
  });
  expect(await kept(other)).toMatchObject({ local: [], session: [], dataLayer: false });
  expect(await cookieNames(context)).toEqual(["farthing_consent"]);
  expect(events).toEqual([]);
});

test("T6 the choice of a member is recorded with its purposes, version and time", async ({ page, brandUrl, logIn }) => {
  const email = await newMember("tinrattle");
  await logIn(page, "tinrattle", email);
  await page.goto(brandUrl("tinrattle", "/faq"));
  await readyForScript(page.locator("body"));
  await question(page).getByRole("button", { name: "Refuse all" }).click();
  await page.goto(brandUrl("tinrattle", "/cookies"));
  await page.getByRole("checkbox", { name: "Counting what is used" }).check();
  await page.getByRole("button", { name: "Save choices" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  const rows = await withStackDatabase((db) =>
    db
      .selectFrom("consent_choices")
      .innerJoin("members", "members.id", "member_id")
      .select(["version", "purposes", "has_signal", "chosen_at"])
      .where("email", "=", email)
      .orderBy("chosen_at")
      .execute(),
  );
  expect(rows).toEqual([
    { version: 1, purposes: [], has_signal: false, chosen_at: expect.any(Date) },
    { version: 1, purposes: ["measurement"], has_signal: false, chosen_at: expect.any(Date) },
  ]);
});

test("T6 Global Privacy Control refuses everything: no question, no event, and nothing can be turned on", async ({
  browser,
  brandUrl,
}) => {
  const context = await browser.newContext({ extraHTTPHeaders: { "Sec-GPC": "1" } });
  await context.addInitScript(() => Object.defineProperty(navigator, "globalPrivacyControl", { value: true }));
  await choose(context, brandUrl("wardlight"), "measurement-tags-messages");
  const page = await context.newPage();
  const requests = watched(context);
  await browse(page, brandUrl, "wardlight");
  await expect(question(page)).toBeHidden();
  await page.goto(brandUrl("wardlight", "/cookies"));
  await expect(page.getByText("Your browser says no for you")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Marketing tags" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Accept all" })).toHaveCount(0);
  expect(requests).toEqual([]);
  await context.close();
});

test.describe("without script", () => {
  test.use({ noScript: true });

  test("T6 P8 the question is answered by a form, is not asked again, and can be answered otherwise", async ({
    page,
    context,
    brandUrl,
    validHtml,
  }) => {
    const url = (path: string) => brandUrl("tillside", path);
    await validHtml(page, url("/retailers/fernhollow-boots"));
    await question(page).getByRole("button", { name: "Accept all" }).click();
    await expect(page).toHaveURL(url("/retailers/fernhollow-boots"));
    await expect(question(page)).toBeHidden();
    await page.goto(url("/"));
    await expect(question(page)).toBeHidden();
    await page.getByRole("contentinfo").getByRole("link", { name: "Cookie settings" }).click();
    await page.getByRole("checkbox", { name: "Messages on this device" }).uncheck();
    await page.getByRole("button", { name: "Save choices" }).click();
    await expect(page).toHaveURL(url("/cookies?saved"));
    await expect(page.getByRole("checkbox", { name: "Messages on this device" })).not.toBeChecked();
    await expect(page.getByRole("checkbox", { name: "Marketing tags" })).toBeChecked();
    await page.getByRole("button", { name: "Refuse all" }).click();
    await expect(page.getByRole("checkbox", { name: "Marketing tags" })).not.toBeChecked();
    expect(await cookieNames(context)).toEqual(["farthing_consent"]);
  });
});

test("T6 the question moves nothing, covers no main action of a phone, and comes first for the keyboard, in every theme", async ({
  page,
  brandUrl,
  axe,
}) => {
  const { path } = await knownOffer("code");
  await page.setViewportSize({ width: 375, height: 667 });
  for (const { slug } of brands) {
    for (const [address, action] of [
      ["/", "#search-field"],
      [path, ".deal-panel .button"],
      ["/retailers/fernhollow-boots", ".retailer-hero-action .button"],
    ] as const) {
      await page.goto(brandUrl(slug, address));
      await readyForScript(page.locator("body"));
      await page.evaluate(() => document.fonts.ready.then(() => null));
      const [asked, box] = [await question(page).boundingBox(), await page.locator(action).first().boundingBox()];
      expect((box?.y ?? 0) + (box?.height ?? 0), `${slug} ${address}`).toBeLessThanOrEqual(asked?.y ?? 0);
    }
    // The end of the page can be seen below it, and so can what has the focus.
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const [asked, foot] = [await question(page).boundingBox(), await page.getByRole("contentinfo").boundingBox()];
    expect((foot?.y ?? 0) + (foot?.height ?? 0), `${slug}: the foot`).toBeLessThanOrEqual((asked?.y ?? 0) + 1);
  }
  const shift = () =>
    page.evaluate(
      () =>
        new Promise<number>((done) => {
          new PerformanceObserver((list, observer) => {
            observer.disconnect();
            done(list.getEntries().reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0));
          }).observe({ type: "layout-shift", buffered: true });
          // An entry of its own ends the wait where nothing has moved.
          requestAnimationFrame(() => requestAnimationFrame(() => done(0)));
        }),
    );
  expect(await shift()).toBeLessThanOrEqual(0.02);

  await page.goto(brandUrl("freshledge", "/faq"));
  await readyForScript(page.locator("body"));
  await axe(page);
  await page.keyboard.press("Tab");
  for (const name of ["Refuse all", "Accept all", "Choose"]) {
    await page.keyboard.press("Tab");
    await expect(question(page).getByText(name)).toBeFocused();
    expect(await page.evaluate(() => scrollY)).toBe(0);
  }
  await staysWithFocusIn(page, question(page));
  await question(page).getByText("Choose").focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(question(page)).toBeHidden();
  await expect(page.locator("main")).toBeFocused();
});

test("T6 T5 the page of the choice lets the browser ask for its permission, where messages are agreed to and it was not asked yet", async ({
  context,
  brandUrl,
  axe,
}) => {
  /** Opens the page in a browser whose permission is `permission`, and whose person answers `answer`. */
  const open = async (permission: string, purposes: string, answer = "granted") => {
    await choose(context, brandUrl("beaconry"), purposes);
    const page = await context.newPage();
    // Only a person can answer the browser itself.
    await page.addInitScript(
      ([state, given]) => {
        let current = state;
        Object.defineProperty(Notification, "permission", { get: () => current });
        Notification.requestPermission = async () => (current = given) as NotificationPermission;
      },
      [permission, answer] as const,
    );
    await page.goto(brandUrl("beaconry", "/cookies"));
    // The script of the choice has started: it shows the button before anything else of it happens.
    await expect(page.locator("html")).toHaveAttribute("data-script", "started");
    await page.waitForLoadState("networkidle");
    return page;
  };
  const button = (page: Page) => page.getByRole("button", { name: "Let my browser ask" });

  for (const [permission, purposes] of [
    ["granted", "messages"],
    ["denied", "messages"],
    ["default", "measurement-tags"],
    ["default", "none"],
  ] as const) {
    const page = await open(permission, purposes);
    await expect(page.getByRole("checkbox", { name: "Messages on this device" })).toBeVisible();
    await expect(button(page), `${permission}, ${purposes}`).toBeHidden();
    await page.close();
  }

  for (const [answer, words] of [
    ["granted", /can be shown on this device/],
    ["denied", /change that in its settings/],
  ] as const) {
    const page = await open("default", "messages", answer);
    await expect(button(page)).toBeVisible();
    await axe(page);
    await button(page).press("Enter");
    await expect(page.getByText(words)).toBeFocused();
    await expect(button(page)).toHaveCount(0);
    await page.close();
  }

  // Closed without an answer, the question can be asked again.
  const page = await open("default", "messages", "default");
  await button(page).click();
  await expect(page.getByText(/has not been answered/)).toBeVisible();
  await expect(button(page)).toBeVisible();
});
