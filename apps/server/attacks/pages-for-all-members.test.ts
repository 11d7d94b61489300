import { makeShop, type ShopForTests } from "@farthing/core/clicks/clicks.testing.ts";
import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { isSameForMembers, pageEntries } from "@farthing/site/pages.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { insertMemberWithPassword } from "../sign-in/accounts.testing.ts";
import { realServer } from "./real-server.testing.ts";
import { openSession } from "./sessions.testing.ts";
import { plantVictim, SENTINEL, type Victim } from "./victim.testing.ts";

// Pages that are rendered once for all members (docs/decisions/032-pages-for-members.md).

const server = await realServer();
const { db } = server;
const one = await insertBrand(db, { slug: "one", isDefault: true });
let shop: ShopForTests;
let codeShop: ShopForTests;
let victim: Victim;
let neighbour = "";

beforeAll(async () => {
  await seedMemberTypes(db);
  await db.updateTable("brands").set({ features: '{"giftCards":true}' }).where("id", "=", one.id).execute();
  const networkId = (await insertNetwork(db, { slug: "awin" })).id;
  shop = await makeShop(db, { brandId: one.id, networkId });
  codeShop = await makeShop(db, { brandId: one.id, networkId, offer: { kind: "code" } });
  victim = await plantVictim(server, { brand: one, networkId, shop, codeOfferId: codeShop.offerId });
  const memberId = await insertMemberWithPassword(db, one, "neighbour@one.test");
  neighbour = (await openSession(server, { brand: one, memberId })).cookie;
});

/** An address of each page that all members share; the test fails where a new page has none. */
const addresses: Record<string, () => string[]> = {
  "/": () => ["/"],
  "/search": () => ["/search", "/search?q=a", `/search?q=${SENTINEL}`],
  "/retailers": () => ["/retailers"],
  "/retailers/:slug": () => [`/retailers/${shop.retailerSlug}`],
  "/categories/:slug": () => [],
  "/faq/:category?/:question?": () => ["/faq"],
  "/gift-cards": () => ["/gift-cards", `/gift-cards?retailer=${shop.retailerSlug}`],
  "/legal/:page": () => [],
  "/partners": () => ["/partners"],
  "/status": () => ["/status"],
};
const shared = pageEntries.filter(([path, facts]) => path !== "/*" && isSameForMembers(facts)).map(([path]) => path);
const all = () => shared.flatMap((path) => addresses[path]?.() ?? []);

/** An answer without what differs from one rendering to the next, and with one way of writing an apostrophe. */
const comparable = (text: string) => text.replaceAll("&#x27;", "'").replaceAll("&#39;", "'");

describe("B4 pages that all members share", () => {
  test("B4 every such page has an address here", () => {
    expect(Object.keys(addresses).toSorted()).toEqual(shared.toSorted());
  });

  test("B4 a member gets the page that would be rendered for them alone", async () => {
    for (const path of all()) {
      const asking = { host: "one.test", cookie: victim.session.cookie };
      const filled = await server.get(path, asking);
      // A request with credentials of another kind is never answered from a store.
      const own = await server.get(path, { ...asking, headers: { authorization: "Basic eA==" } });
      expect({ path, text: comparable(filled.text) }).toEqual({ path, text: comparable(own.text) });
      expect(filled.headers["content-security-policy"], path).toBe(own.headers["content-security-policy"]);
      expect(filled.headers["cache-control"], path).toBe("private, no-store");
      expect(filled.text, path).toContain(`Vera ${SENTINEL}`);
      expect(filled.cookies, path).toEqual([]);
    }
  });

  test("B4 a page that one member has caused to be rendered has nothing of theirs for the next", async () => {
    const cache = server.started().pages!.membersCache;
    cache.clear();
    const paths = all().filter((path) => !path.includes(SENTINEL));
    for (const path of paths) await server.get(path, { host: "one.test", cookie: victim.session.cookie });
    expect(cache.pages).toBe(paths.length);
    for (const path of paths) {
      const { text, headers } = await server.get(path, { host: "one.test", cookie: neighbour });
      expect(text + JSON.stringify(headers), path).not.toMatch(new RegExp(SENTINEL, "i"));
      expect(text, path).not.toContain('aria-pressed="true"');
      const page = cache.peek(server.origin("one.test"), path);
      const kept = JSON.stringify(page, (_, value: unknown) =>
        value instanceof Uint8Array || (value as { type?: string })?.type === "Buffer"
          ? Buffer.from((value as { data: number[] }).data ?? value).toString("latin1")
          : value,
      );
      for (const secret of [SENTINEL, victim.session.id, victim.memberId])
        expect(kept.toLowerCase(), path).not.toContain(secret.toLowerCase());
    }
  });

  test("B4 visitors and members never get each other's page", async () => {
    for (const path of all()) {
      const member = await server.get(path, { host: "one.test", cookie: neighbour });
      const visitor = await server.get(path, { host: "one.test" });
      expect(member.text, path).toContain('action="/logout"');
      expect(visitor.text, path).not.toContain('action="/logout"');
    }
  });

  test("D1 C3 the home page has each member's own money, and a visitor's has none", async () => {
    const home = async (cookie?: string) => (await server.get("/", { host: "one.test", cookie })).text;
    expect(await home(victim.session.cookie)).toMatch(/£[\d.]+ (is on its way|is yours)/);
    expect(await home(neighbour)).toContain("Nothing tracked yet.");
    expect(await home()).not.toContain("home-money");
  });

  test("D10 favourites of the page are pressed for their member", async () => {
    const { text } = await server.get(`/retailers/${shop.retailerSlug}`, {
      host: "one.test",
      cookie: victim.session.cookie,
    });
    const hearts = [...text.matchAll(/<button[^>]*\bform="favourites-form"[^>]*>/g)].map(([tag]) => tag);
    const heart = hearts.find((tag) => tag.includes(`value="retailer/${shop.retailerSlug}"`));
    expect(heart).toContain('name="remove"');
    expect(heart).toContain('aria-pressed="true"');
  });
});
