import { createClickRecorder } from "@farthing/core/clicks/click-recorder.server.ts";
import { rateSnapshotSchema } from "@farthing/core/clicks/rate-snapshot.ts";
import { makeShop, type ShopForTests } from "@farthing/core/clicks/clicks.testing.ts";
import { createNetworkRegistry } from "@farthing/core/networks/network-registry.ts";
import type { NetworkProvider } from "@farthing/core/networks/provider.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "@farthing/core/testing/insert-member.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goAppForTests } from "./go.testing.ts";

const { db } = await testDatabase();
const clicks = createClickRecorder({ db });
let brandId: string;
let otherBrandId: string;
let networkId: string;
let memberId: string;
let shop: ShopForTests;

beforeAll(async () => {
  [brandId, otherBrandId] = [(await insertBrand(db)).id, (await insertBrand(db)).id];
  networkId = (await insertNetwork(db, { slug: "awin" })).id;
  memberId = (await insertVerifiedMember(db, { brandId })).id;
  shop = await makeShop(db, { brandId, networkId });
});
afterAll(() => clicks.close());

const app = (visit: { memberId?: string | null; brandId?: string; now?: () => Date } = {}) =>
  goAppForTests({ db, clicks, brandId, memberId, ...visit });
const go = (path: string, init?: RequestInit, visit?: Parameters<typeof app>[0]) =>
  Promise.resolve(app(visit).request(`http://club.test${path}`, init));
const location = (response: Response) => new URL(response.headers.get("location")!, "http://club.test");
const clickCount = async () => (await db.selectFrom("clicks").select("id").execute()).length;

describe("C1 following a deal link", () => {
  test("C1 a member is redirected to the network with a reference that identifies the click and no person", async () => {
    const response = await go(`/go/offers/${shop.offerPublicId}`);
    expect(response.status).toBe(302);
    const link = location(response);
    expect([
      link.origin + link.pathname,
      link.searchParams.get("awinmid"),
      link.searchParams.get("awinaffid"),
      link.searchParams.get("ued"),
    ]).toEqual([
      "https://network.test/cread.php",
      shop.networkProgrammeId,
      "189069",
      `https://${shop.retailerSlug}.example/sale?from=club`,
    ]);
    const click = await db
      .selectFrom("clicks")
      .selectAll()
      .where("reference", "=", link.searchParams.get("clickref")!)
      .executeTakeFirstOrThrow();
    expect(click).toMatchObject({
      brand_id: brandId,
      member_id: memberId,
      retailer_id: shop.retailerId,
      programme_id: shop.programmeId,
      network_id: networkId,
      offer_id: shop.offerId,
      offer_variant_id: null,
    });
    expect(link.href).not.toContain(memberId);
  });

  test("C1 the redirect is not cached, sends the origin only as referrer, and has no body", async () => {
    const response = await go(`/go/retailers/${shop.retailerSlug}`);
    expect({
      cache: response.headers.get("cache-control"),
      referrer: response.headers.get("referrer-policy"),
      body: await response.text(),
    }).toEqual({ cache: "no-store", referrer: "strict-origin", body: "" });
    expect(location(response).searchParams.get("ued")).toBe(`https://${shop.retailerSlug}.example/`);
  });

  test("C5 the click stores the rate and boost of its moment, whatever the catalogue says later", async () => {
    const boosted = await makeShop(db, { brandId, networkId, tiers: [{ groupId: "9", rateBp: 400, capPence: 2000 }] });
    const now = new Date("2026-11-20T12:00:00Z");
    const ends = new Date("2026-11-20T12:00:05Z");
    await db
      .insertInto("boosts")
      .values({ id: newId(), rate_tier_id: boosted.tierIds["9"]!, member_rate_bp: 900, starts_at: now, ends_at: ends })
      .execute();
    const frozenAt = async (moment: Date) => {
      const reference = location(
        await go(`/go/offers/${boosted.offerPublicId}`, {}, { now: () => moment }),
      ).searchParams.get("clickref")!;
      return async () =>
        rateSnapshotSchema.parse(
          (
            await db
              .selectFrom("clicks")
              .select("rate_snapshot")
              .where("reference", "=", reference)
              .executeTakeFirstOrThrow()
          ).rate_snapshot,
        ).rates[0];
    };
    const [during, after] = [await frozenAt(now), await frozenAt(ends)];
    await db.updateTable("rate_tiers").set({ member_rate_bp: 100 }).where("id", "=", boosted.tierIds["9"]!).execute();
    expect(await during()).toMatchObject({
      groupId: "9",
      kind: "percent",
      rateBp: 900,
      usualBp: 400,
      capPence: 2000,
      boostedUntil: ends.toISOString(),
    });
    expect(await after()).toMatchObject({ rateBp: 400, boostedUntil: null });
  });

  test("O2 the link leads to the chosen variant, and an unknown variant is ignored", async () => {
    const variant = {
      id: newId(),
      public_id: "variant000000001",
      offer_id: shop.offerId,
      label: "Outlet",
      landing_url: `https://outlet.${shop.retailerSlug}.example/`,
      position: 0,
    };
    await db.insertInto("offer_variants").values(variant).execute();
    const chosen = location(await go(`/go/offers/${shop.offerPublicId}?offer_variant=${variant.public_id}`));
    expect(chosen.searchParams.get("ued")).toBe(variant.landing_url);
    expect(
      await db
        .selectFrom("clicks")
        .select("offer_variant_id")
        .where("reference", "=", chosen.searchParams.get("clickref")!)
        .executeTakeFirst(),
    ).toEqual({ offer_variant_id: variant.id });
    expect(
      location(await go(`/go/offers/${shop.offerPublicId}?offer_variant='%3B--`)).searchParams.get("ued"),
    ).toContain("/sale");
  });

  test("S1 an offer that points to a foreign domain leads to the retailer's own page", async () => {
    const hijacked = await makeShop(db, { brandId, networkId, offer: { landing_url: "https://evil.test/?x=1" } });
    expect(location(await go(`/go/offers/${hijacked.offerPublicId}`)).searchParams.get("ued")).toBe(
      `https://${hijacked.retailerSlug}.example/`,
    );
  });
});

describe("C1 the pre-flight check of a deal link", () => {
  const asked = async (path: string, init?: RequestInit, visit?: Parameters<typeof app>[0]) => {
    const response = await go(path, init, visit);
    return { status: response.status, body: (await response.json()) as unknown };
  };
  const found = async (query: string) => {
    const reference = location(await go(`/go/offers/${shop.offerPublicId}${query}`)).searchParams.get("clickref")!;
    const click = await db
      .selectFrom("clicks")
      .select("pre_flight")
      .where("reference", "=", reference)
      .executeTakeFirstOrThrow();
    return click.pre_flight;
  };

  test("C1 says which origin the link leads to, and records no click", async () => {
    const before = await clickCount();
    const script = { headers: { "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" } };
    const answer = { status: 200, body: { origin: "https://network.test" } };
    expect(await asked(`/go/offers/${shop.offerPublicId}/pre-flight?offer_variant=x`, script)).toEqual(answer);
    expect(await asked(`/go/retailers/${shop.retailerSlug}/pre-flight`, script, { memberId: null })).toEqual(answer);
    expect(await clickCount()).toBe(before);
  });

  test("C1 names no origin for a link that leads nowhere, and none of a host that pages may not ask", async () => {
    const nothing = { status: 200, body: { origin: null } };
    expect(await asked("/go/offers/nonsense/pre-flight")).toEqual(nothing);
    expect(await asked(`/go/retailers/${encodeURIComponent("../x")}/pre-flight`)).toEqual(nothing);
    expect(await asked(`/go/offers/${shop.offerPublicId}/pre-flight`, {}, { brandId: otherBrandId })).toEqual(nothing);
    const unlisted = { slug: "awin", linkOrigins: [], buildLink: () => "https://unlisted.test/" };
    const networks = createNetworkRegistry([unlisted as unknown as NetworkProvider]);
    const response = await goAppForTests({ db, clicks, brandId, memberId, networks }).request(
      `http://club.test/go/offers/${shop.offerPublicId}/pre-flight`,
    );
    expect(await response.json()).toEqual({ origin: null });
  });

  test("C1 the click keeps what the check found; anything else counts as no check", async () => {
    for (const finding of ["healthy", "slow", "blocked", "no_cookies"])
      expect(await found(`?pre_flight=${finding}`)).toBe(finding);
    for (const query of ["", "?pre_flight=", "?pre_flight=fine", "?pre_flight=healthy'--"])
      expect(await found(query)).toBeNull();
  });
});

describe("C1 what is not a click", () => {
  test.each<[string, RequestInit, number]>([
    ["a HEAD", { method: "HEAD" }, 204],
    ["a prefetch", { headers: { "sec-purpose": "prefetch" } }, 503],
    ["a prerender", { headers: { "sec-purpose": "prefetch;prerender" } }, 503],
    ["a preview", { headers: { purpose: "preview" } }, 503],
    ["an old browser's prefetch", { headers: { "x-moz": "prefetch" } }, 503],
    ["an image on another page", { headers: { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" } }, 403],
    ["a frame", { headers: { "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" } }, 403],
    ["a script's fetch", { headers: { "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" } }, 403],
  ])("C1 %s records no click and does not redirect", async (_, init, status) => {
    const before = await clickCount();
    const response = await go(`/go/offers/${shop.offerPublicId}`, init);
    expect({
      status: response.status,
      location: response.headers.get("location"),
      cache: response.headers.get("cache-control"),
    }).toEqual({ status, location: null, cache: "no-store" });
    expect(await clickCount()).toBe(before);
  });

  test("C1 a person's navigation is a click", async () => {
    const response = await go(`/go/offers/${shop.offerPublicId}`, {
      headers: { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "sec-fetch-site": "cross-site" },
    });
    expect(location(response).host).toBe("network.test");
  });

  test("C1 visitors log in first and return to the same link", async () => {
    const before = await clickCount();
    const response = await go(`/go/offers/${shop.offerPublicId}?offer_variant=abc`, {}, { memberId: null });
    expect(response.headers.get("location")).toBe(
      `/login?next=${encodeURIComponent(`/go/offers/${shop.offerPublicId}?offer_variant=abc`)}`,
    );
    expect(await clickCount()).toBe(before);
  });
});

describe("O1 links that can't be followed lead to a page that says why", () => {
  const page = async (path: string, visit?: Parameters<typeof app>[0]) =>
    (await go(path, {}, visit)).headers.get("location");

  test.each<[string, Parameters<typeof makeShop>[1]["offer"]]>([
    ["expired", { ends_at: new Date("2026-02-01") }],
    ["upcoming", { starts_at: new Date("2126-01-01") }],
    ["withdrawn", { status: "withdrawn" }],
    ["for shops only", { kind: "in_store", programme: false }],
    ["for the app only", { kind: "app_exclusive" }],
  ])("O1 an offer that is %s", async (_, offer = {}) => {
    const before = await clickCount();
    const closed = await makeShop(db, { brandId, networkId, offer });
    expect(await page(`/go/offers/${closed.offerPublicId}`)).toBe(
      `/offers/${closed.offerSlug}?offer=${closed.offerPublicId}`,
    );
    expect(await clickCount()).toBe(before);
  });

  test("O1 an unknown offer, with any text as its id", async () => {
    expect(await page("/go/offers/nonsense")).toBe("/offers/unknown?offer=nonsense");
    expect(await page(`/go/offers/${encodeURIComponent("//evil.test?a=\r\nX: y")}`)).toBe(
      `/offers/unknown?offer=${encodeURIComponent("//evil.test?a=\r\nX: y")}`,
    );
    expect(await page(`/go/retailers/${encodeURIComponent("../..//evil.test")}`)).toBe(
      `/retailers/${encodeURIComponent("../..//evil.test")}`,
    );
  });

  test.each(["in_administration", "paused", "closed"])("C1 a retailer that is %s takes no clicks", async (status) => {
    const failing = await makeShop(db, { brandId, networkId, retailer: { status } });
    expect(await page(`/go/retailers/${failing.retailerSlug}`)).toBe(`/retailers/${failing.retailerSlug}`);
    expect(await page(`/go/offers/${failing.offerPublicId}`)).toBe(
      `/offers/${failing.offerSlug}?offer=${failing.offerPublicId}`,
    );
  });

  test("B4 another brand's offer is unknown", async () => {
    expect(await page(`/go/offers/${shop.offerPublicId}`, { brandId: otherBrandId })).toBe(
      `/offers/unknown?offer=${shop.offerPublicId}`,
    );
    const reserved = await makeShop(db, { brandId, networkId });
    await db.insertInto("offer_brands").values({ offer_id: reserved.offerId, brand_id: otherBrandId }).execute();
    expect(await page(`/go/offers/${reserved.offerPublicId}`)).toBe(`/offers/unknown?offer=${reserved.offerPublicId}`);
  });

  test("O1 an offer that ends while it is cached ends at its exact time", async () => {
    const ends = new Date(Date.now() + 3_600_000);
    const ending = await makeShop(db, { brandId, networkId, offer: { ends_at: ends } });
    const member = goAppForTests({ db, clicks, brandId, memberId, now: () => clock });
    let clock = new Date(ends.getTime() - 1);
    const follow = async () =>
      (await member.request(`http://club.test/go/offers/${ending.offerPublicId}`)).headers.get("location");
    expect(await follow()).toContain("network.test");
    clock = ends;
    expect(await follow()).toBe(`/offers/${ending.offerSlug}?offer=${ending.offerPublicId}`);
  });

  test("C1 a retailer without a joined programme leads to its page", async () => {
    const left = await makeShop(db, { brandId, networkId });
    await db.updateTable("programmes").set({ status: "closed" }).where("id", "=", left.programmeId).execute();
    expect(await page(`/go/retailers/${left.retailerSlug}`)).toBe(`/retailers/${left.retailerSlug}`);
  });
});

describe("O5 the app-exclusive button", () => {
  const iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148";
  const open = (userAgent: string, visit?: Parameters<typeof app>[0]) =>
    go(`/go/app/${shop.offerPublicId}`, { headers: { "User-Agent": userAgent } }, visit);

  test("O5 leads a phone to its store without a login, and the answer is not shared between browsers", async () => {
    const response = await open(iPhone, { memberId: null });
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe("https://apps.example/ios");
    expect(response.headers.get("vary")).toBe("User-Agent");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test.each([
    ["a computer", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0"],
    ["a phone for which there is no app", "Mozilla/5.0 (Linux; Android 10; K) Chrome/142.0.0.0 Mobile"],
    ["an unknown browser", ""],
  ])("O5 leads %s to the offer's page and its QR code", async (_, userAgent) => {
    const response = await open(userAgent);
    expect(response.headers.get("location")).toBe(`/offers/app?offer=${shop.offerPublicId}#app-links`);
  });

  test("O5 is never counted as a click", async () => {
    const before = await clickCount();
    await open(iPhone);
    await open("Mozilla/5.0 (Windows NT 10.0; Win64; x64)");
    expect(await clickCount()).toBe(before);
  });
});
