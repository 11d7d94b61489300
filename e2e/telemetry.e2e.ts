import { randomUUID } from "node:crypto";
import type { BrowserContext, Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { knownOffer } from "./support/known-offer.ts";
import { newMember } from "./support/new-member.ts";
import { readyForScript } from "./support/ready-for-script.ts";
import { choose, dataLayer, sentEvents, type SentEvent } from "./support/sent-events.ts";
import { withStackDatabase } from "./support/stack-database.ts";

// Specification, section 7: every event and every push with its trigger, on real pages.

/** ISO 8601 in UTC. */
const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

interface PageTrigger {
  page: string;
  path: string | (() => Promise<string>);
  /** The event of the opened page; null: none. `OFFER` stands for the known offer's id. */
  event: { eventType: string; additionalFields: Record<string, unknown> } | null;
  /** What is pushed on load. */
  loaded?: Record<string, unknown>[];
}

const codeOffer = async () => (await knownOffer("code")).path;

const pageTriggers: readonly PageTrigger[] = [
  {
    page: "an offer",
    path: codeOffer,
    event: { eventType: "OfferPage", additionalFields: { OfferId: "OFFER", timestampPageLoad: MOMENT } },
    loaded: [{ event: "offer_details", offerId: "OFFER", offerKind: "code", retailer: "Fernhollow Boots" }],
  },
  {
    page: "a search",
    path: "/search?q=fernhollow%20b%C3%B6%C3%B6ts",
    event: { eventType: "SearchPage", additionalFields: { SearchTerm: "fernhollow bööts" } },
    loaded: [{ event: "search_results", term: "fernhollow bööts", offers: expect.stringMatching(/^\d+$/) }],
  },
  {
    page: "the search page",
    path: "/search",
    event: { eventType: "SearchPage", additionalFields: { SearchTerm: "" } },
  },
  {
    page: "a retailer",
    path: "/retailers/fernhollow-boots",
    event: {
      eventType: "RetailerPage",
      additionalFields: { retailerName: "Fernhollow Boots", timestampPageLoad: MOMENT },
    },
    loaded: [{ event: "retailer_details", retailer: "Fernhollow Boots" }],
  },
  {
    page: "a category",
    path: "/categories/shoes-and-bags",
    event: { eventType: "CategoryPage", additionalFields: { categoryId: "shoes-and-bags", timestampPageLoad: MOMENT } },
    loaded: [{ event: "category_details", categoryId: "shoes-and-bags", offers: expect.stringMatching(/^\d+$/) }],
  },
  { page: "the home page", path: "/", event: null },
  { page: "the list of retailers", path: "/retailers", event: null },
  { page: "an unknown offer", path: "/offers/nothing?offer=nope", event: null },
  { page: "an unknown retailer", path: "/retailers/no-such-shop", event: null },
  { page: "another page with an offer in its address", path: "/faq?offer=nope", event: null },
];

interface ClickTrigger {
  button: string;
  who: "visitor" | "member";
  path: string | (() => Promise<string>);
  click(page: Page): Promise<void>;
  /** Whether OfferRedeemed is sent. */
  redeems?: true;
  /** What is pushed. */
  pushed?: Record<string, unknown>;
}

const inMain = (page: Page, role: "link" | "button", name: string | RegExp) =>
  page.getByRole("main").getByRole(role, { name }).first().click();
const appOffer = async () => (await knownOffer("app")).path;
const dealOffer = async () => (await knownOffer("longTitle")).path;
const tillOffer = async () => (await knownOffer("inStore")).path;

const clickTriggers: readonly ClickTrigger[] = [
  {
    button: "reveal",
    who: "member",
    path: codeOffer,
    click: (page) => inMain(page, "button", "Reveal code"),
    redeems: true,
  },
  {
    button: "copy",
    who: "member",
    path: codeOffer,
    click: (page) => inMain(page, "button", "Copy code"),
    redeems: true,
  },
  {
    button: "get deal",
    who: "member",
    path: dealOffer,
    click: (page) => inMain(page, "link", "Get deal"),
    redeems: true,
    pushed: { event: "from_website" },
  },
  {
    button: "continue, after a warning",
    who: "member",
    path: dealOffer,
    click: async (page) => {
      const button = page.locator("[data-go-on]");
      // The warning opens where a network is blocked (pre-flight.e2e.ts); here it is the button that counts.
      await page.locator("dialog:has([data-go-on])").evaluate((dialog: HTMLDialogElement) => dialog.showModal());
      await button.click();
    },
    redeems: true,
  },
  {
    button: "the app-exclusive button",
    who: "member",
    path: appOffer,
    click: (page) => inMain(page, "link", "Use it in the app"),
    pushed: { event: "extra_offer_button_click" },
  },
  {
    button: "the digital ID's",
    who: "member",
    path: tillOffer,
    click: (page) => inMain(page, "link", "Show my digital ID"),
    pushed: { event: "extra_offer_button_click" },
  },
  {
    button: "reveal, which leads to the login",
    who: "visitor",
    path: codeOffer,
    click: (page) => inMain(page, "button", "Reveal code"),
    pushed: { event: "register_for_offer" },
  },
  {
    button: "get deal, which leads to the login",
    who: "visitor",
    path: dealOffer,
    click: (page) => inMain(page, "link", "Get deal"),
    pushed: { event: "register_for_offer" },
  },
  {
    button: "the third card of a list",
    who: "visitor",
    path: "/categories/shoes-and-bags",
    click: (page) => page.locator(".offer-grid .offer-card a").nth(2).click(),
    pushed: {
      event: "offer_listing_clicks",
      position: 3,
      offerId: expect.stringMatching(/^\w+$/),
      retailer: expect.any(String),
    },
  },
  {
    button: "the first card of a carousel",
    who: "visitor",
    path: "/",
    click: (page) => page.locator(".carousel-slides .offer-card a").first().click(),
    pushed: {
      event: "offer_listing_clicks",
      position: 1,
      offerId: expect.stringMatching(/^\w+$/),
      retailer: expect.any(String),
    },
  },
  {
    button: "the terms",
    who: "visitor",
    path: "/faq",
    click: (page) => page.getByRole("contentinfo").getByRole("link", { name: /terms/i }).click(),
    pushed: { event: "terms_and_conditions" },
  },
  {
    button: "the terms, from the registration form",
    who: "visitor",
    path: "/register",
    click: async (page) => {
      const opened = page.waitForEvent("popup");
      await openDetails(page);
      await page
        .getByRole("main")
        .getByRole("link", { name: /^terms/ })
        .click();
      await (await opened).close();
    },
    pushed: { event: "terms_and_conditions" },
  },
  {
    button: "more about the retailer",
    who: "visitor",
    path: codeOffer,
    click: (page) => page.locator(".offer-retailer a").click(),
    pushed: { event: "merchant_information" },
  },
  {
    button: "join",
    who: "visitor",
    path: "/faq",
    click: (page) => page.getByRole("banner").getByRole("link", { name: "Join" }).click(),
    pushed: { event: "join" },
  },
  {
    button: "search, by the Enter key",
    who: "visitor",
    path: "/faq",
    click: async (page) => {
      await page.getByLabel("Search", { exact: true }).first().fill("boots");
      await page.keyboard.press("Enter");
    },
    pushed: { event: "search" },
  },
  {
    button: "the retailer's cashback",
    who: "visitor",
    path: "/retailers/fernhollow-boots",
    click: (page) => inMain(page, "link", "Get cashback"),
    pushed: { event: "cashback_url_click", retailer: "Fernhollow Boots" },
  },
];

/** Fills in step one of the registration and waits for the script of step two, where the terms are linked. */
async function openDetails(page: Page): Promise<void> {
  const field = (label: string) => page.getByLabel(label, { exact: true });
  await field("Member type").selectOption({ index: 1 });
  await field("Member status").selectOption({ index: 1 });
  const email = `newcomer-${randomUUID().slice(0, 8)}@example.org`;
  for (const label of ["Email", "Confirm email"]) await field(label).pressSequentially(email);
  for (const label of ["Password", "Confirm password"]) await field(label).fill("Marigold-Kettle");
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(page.getByRole("heading", { name: "About you" })).toBeVisible();
  await started(page);
  await page.waitForFunction(() => Object.hasOwn((window as { dataLayer?: object }).dataLayer ?? {}, "push"));
}

const resolved = async (path: string | (() => Promise<string>)) => (typeof path === "string" ? path : path());

/** Puts the known offer's id in the place of OFFER. */
async function expected<T>(value: T): Promise<T> {
  const { publicId } = await knownOffer("code");
  const put = (part: unknown): unknown =>
    part === "OFFER"
      ? publicId
      : Array.isArray(part)
        ? part.map(put)
        : part !== null && typeof part === "object" && Object.getPrototypeOf(part) === Object.prototype
          ? Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, put(inner)]))
          : part;
  return put(value) as T;
}

/** Waits until the page's client has started: the tag manager is loaded by it. */
const started = (page: Page) => page.waitForFunction(() => document.querySelector("script[src*='gtm.js']") !== null);
const settled = async (page: Page) => {
  await readyForScript(page.locator("body"));
  await page.waitForLoadState("networkidle");
};

/** What leaves the page is answered by a blank one, so that the click is all that happens. */
async function holdShops(context: BrowserContext): Promise<void> {
  await context.route("**/go/**", (route) => route.fulfill({ contentType: "text/html", body: "<title>Shop</title>" }));
}

const globalData = (affinityId: string, userId: unknown) => ({
  userId,
  affinityId,
  sessionId: expect.stringMatching(/^[\w-]{20,36}$/),
});

test("T1 T4 each page sends its event and pushes what is tracked on load, and no other, for a visitor", async ({
  page,
  context,
  brandUrl,
}) => {
  const events = await sentEvents(context);
  const answers: number[] = [];
  page.on("response", (answer) => {
    if (answer.url().endsWith("/api/Telemetry")) answers.push(answer.status());
  });
  await choose(context, brandUrl("chalkside"), "measurement-tags");
  let sent = 0;
  for (const { page: name, path, event, loaded = [] } of pageTriggers) {
    events.length = 0;
    await page.goto(brandUrl("chalkside", await resolved(path)));
    await started(page);
    const wanted = event === null ? [] : [await expected(event)];
    sent += wanted.length;
    expect(events, name).toEqual(
      wanted.map((one) => ({ via: "fetch", body: { ...globalData("chalkside-members", null), ...one } })),
    );
    const pushed = (await dataLayer(page))?.filter((entry) => entry["event"] !== "gtm.js");
    expect(pushed, `${name}: pushes`).toEqual(await expected(loaded));
    // Before the page is left: the browser tells no answer to a page that is gone.
    await expect.poll(() => answers, name).toEqual(Array.from({ length: sent }, () => 204));
  }
  const cookies = (await context.cookies()).map(({ name }) => name).sort();
  expect(cookies).toEqual(["_sandbox_tag", "farthing_consent", "farthing_visit"]);
});

test("T1 T4 each button sends and pushes exactly what belongs to it, for members and visitors", async ({
  context,
  brandUrl,
  logIn,
}) => {
  const events = await sentEvents(context);
  await holdShops(context);
  await choose(context, brandUrl("tillside"), "measurement-tags");
  // A page that is left takes its data layer along, so a tag manager of the test's own notes every push at once.
  const pushes: Record<string, unknown>[] = [];
  await context.exposeBinding("notePush", (_, entry: Record<string, unknown>) => void pushes.push(entry));
  await context.route("**/tag-manager/gtm.js*", (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: "dataLayer.push = function (entry) { notePush(entry); return Array.prototype.push.call(this, entry); };",
    }),
  );
  const asVisitor = clickTriggers.filter(({ who }) => who === "visitor");
  const asMember = clickTriggers.filter(({ who }) => who === "member");
  let user: unknown = null;
  for (const { button, who, path, click, redeems, pushed } of [...asVisitor, ...asMember]) {
    // In a tab of its own: what one click opens does not come in the way of the next.
    const page = await context.newPage();
    if (who === "member" && user === null) {
      await logIn(page, "tillside", await newMember("tillside"));
      user = expect.stringMatching(/^[\w-]{22}$/);
    }
    await page.goto(brandUrl("tillside", await resolved(path)));
    await started(page);
    await page.waitForFunction(() => Object.hasOwn((window as { dataLayer?: object }).dataLayer ?? {}, "push"));
    await readyForScript(page.locator("body"));
    events.length = 0;
    pushes.length = 0;
    const offer = new URL(page.url()).searchParams.get("offer");
    await click(page);
    const redeemed: SentEvent[] = [
      {
        via: "beacon",
        body: {
          ...globalData("tillside-members", user),
          eventType: "OfferRedeemed",
          additionalFields: { OfferId: offer },
        },
      },
    ];
    await expect
      .poll(() => events.filter(({ body }) => body.eventType === "OfferRedeemed"), { message: button })
      .toEqual(redeems ? redeemed : []);
    await expect.poll(() => pushes, { message: `${button}: pushes` }).toEqual(pushed ? [pushed] : []);
    if (button === "reveal") await expect(page.locator("#offer-code")).toBeVisible();
    for (const open of context.pages()) await open.close(); // the shop's tab too
  }
});

test("T4 M7 a member who agrees to move to another club is pushed as migration__agree_to_migrate", async ({
  page,
  context,
  brandUrl,
  logIn,
}) => {
  await choose(context, brandUrl("chalkside"), "tags");
  await logIn(page, "chalkside", "retired@chalkside.example");
  await page.goto(brandUrl("chalkside", "/profile"));
  await started(page);
  await context.route("**/carer-migration", (route) => route.fulfill({ status: 204 }));
  await page.getByRole("button", { name: "Agree" }).click();
  await expect.poll(async () => (await dataLayer(page))?.at(-1)).toEqual({ event: "migration__agree_to_migrate" });
});

test("T1 OfferRedeemed is posted where the beacon is refused; what the collector refuses or does not answer is only logged", async ({
  page,
  context,
  brandUrl,
  logIn,
}) => {
  await context.addInitScript(() => {
    navigator.sendBeacon = () => false;
  });
  const events = await sentEvents(context);
  await holdShops(context);
  await choose(context, brandUrl("freshledge"), "measurement");
  await logIn(page, "freshledge", await newMember("freshledge"));
  const logged: string[] = [];
  page.on("console", (message) => {
    if (/^Telemetry:/.test(message.text())) logged.push(message.text());
  });
  const collector: { answer: number | null } = { answer: 503 };
  await context.route("**/api/Telemetry", (route) =>
    collector.answer === null ? route.abort("connectionrefused") : route.fulfill({ status: collector.answer }),
  );
  const { path } = await knownOffer("longTitle");
  for (const answer of [503, 400, null]) {
    collector.answer = answer;
    logged.length = events.length = 0;
    await page.goto(brandUrl("freshledge", path));
    await expect.poll(() => events.length).toBe(1);
    await readyForScript(page.locator("body"));
    const opened = context.waitForEvent("page");
    await page.getByRole("link", { name: "Get deal" }).click();
    // The member is not kept from the shop.
    await (await opened).close();
    expect(events.map(({ via, body }) => [via, body.eventType])).toEqual([
      ["fetch", "OfferPage"],
      ["fetch", "OfferRedeemed"],
    ]);
    const words = answer === null ? "was not sent" : `was answered with ${answer}`;
    await expect
      .poll(() => logged.map((line) => line.split(" TypeError")[0]))
      .toEqual([`Telemetry: OfferPage ${words}`, `Telemetry: OfferRedeemed ${words}`]);
    expect(await dataLayer(page), "tags were not agreed to").toBeNull();
  }
});

test("T1 nothing is sent, and nobody is asked to be counted, where the brand's flag is off", async ({
  page,
  context,
  brandUrl,
}) => {
  const brand = "mustermark";
  const setFlag = (telemetry: boolean) =>
    withStackDatabase(async (db) => {
      const row = await db.selectFrom("brands").select("features").where("slug", "=", brand).executeTakeFirstOrThrow();
      const features = JSON.stringify({ ...(row.features as object), telemetry });
      await db.updateTable("brands").set({ features }).where("slug", "=", brand).execute();
    });
  const events = await sentEvents(context);
  await choose(context, brandUrl(brand), "measurement-tags");
  await setFlag(false);
  try {
    // Servers read a brand again after seconds, and keep its pages as long.
    const { path } = await knownOffer("code");
    await expect(async () => {
      await page.goto(brandUrl(brand, path));
      await expect(page.locator("html")).toHaveAttribute("data-consent-asks", "tags messages", { timeout: 100 });
    }).toPass();
    events.length = 0;
    await page.reload();
    await started(page);
    await settled(page);
    expect(events).toEqual([]);
    expect((await dataLayer(page))?.map((entry) => entry["event"])).toContain("offer_details");
    await page.goto(brandUrl(brand, "/cookies"));
    await expect(page.getByRole("checkbox")).toHaveCount(2);
  } finally {
    await setFlag(true);
  }
});
