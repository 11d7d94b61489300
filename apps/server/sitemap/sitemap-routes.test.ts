import type { Brand } from "@farthing/core/brands/brand.ts";
import { insertOffer, insertRetailer, NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { seedFaqs } from "@farthing/core/faqs/seed-faqs.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { htmlPage, testApp } from "../app.testing.ts";
import { sitemapRoutes } from "./sitemap-routes.ts";

const { db } = await testDatabase();
let app: ReturnType<typeof testApp>["app"];
const clock = { now: NOW, ms: 1 };

beforeAll(async () => {
  const [ours, theirs] = [await insertBrand(db, { slug: "ours" }), await insertBrand(db, { slug: "theirs" })];
  await seedFaqs(db);
  const brands = [
    { ...ours, slug: "ours", features: {}, legalPages: [{ slug: "terms", title: "Terms" }] },
    { ...theirs, slug: "theirs", features: {}, legalPages: [], notices: [] },
  ] as unknown as Brand[];
  const { id: networkId } = await insertNetwork(db);
  const boots = await insertRetailer(db, { slug: "boots-and-co", brandIds: [ours.id, theirs.id] });
  const secret = await insertRetailer(db, { slug: "for-theirs-alone", brandIds: [theirs.id] });
  const closed = await insertRetailer(db, { slug: "closed-shop", status: "closed", brandIds: [ours.id] });
  await insertOffer(db, { networkId, retailerId: boots.id, title: "ten off" });
  await insertOffer(db, {
    networkId,
    retailerId: boots.id,
    title: "long over",
    endsAt: new Date(NOW.getTime() - 1000),
  });
  await insertOffer(db, { networkId, retailerId: secret.id, title: "theirs alone" });
  await insertOffer(db, { networkId, retailerId: closed.id, title: "at the closed" });
  const routes = {
    sitemapRoutes: sitemapRoutes({
      readStale: (read) => read(db),
      isPublic: true,
      now: () => clock.now,
      clock: () => clock.ms,
    }),
  };
  ({ app } = testApp(brands, async (_, visit) => htmlPage("Nothing", visit, { status: 404 }), routes));
});

const get = async (path: string, host = "ours.test") => {
  const answer = await app.request(`http://${host}${path}`, { headers: { host } });
  return { status: answer.status, text: await answer.text(), type: answer.headers.get("content-type") };
};
const locations = (text: string) => [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, location]) => location);

describe("U3 sitemap per brand", () => {
  test("U3 robots.txt names the sitemap and excludes personal pages", async () => {
    const { status, text, type } = await get("/robots.txt");
    expect({ status, type }).toEqual({ status: 200, type: "text/plain; charset=utf-8" });
    expect(text).toContain("Sitemap: http://ours.test/sitemap.xml");
    expect(text).toMatch(/^Disallow: \/go\/$/m);
  });

  test("U3 staging keeps search engines out", async () => {
    const { app: rehearsal } = testApp(
      [{ slug: "ours", legalPages: [], notices: [] } as unknown as Brand],
      async () => new Response(),
      {
        sitemapRoutes: sitemapRoutes({ readStale: (read) => read(db), isPublic: false }),
      },
    );
    const text = await (
      await rehearsal.request("http://ours.test/robots.txt", { headers: { host: "ours.test" } })
    ).text();
    expect(text).toContain("Disallow: /\n");
    expect(text).not.toContain("Sitemap");
  });

  test("U3 B4 every file of the index exists, and lists only what this brand's visitors can open", async () => {
    const files = locations((await get("/sitemap.xml")).text);
    expect(files).toContain("http://ours.test/sitemaps/offers-1.xml");
    const all: string[] = [];
    for (const file of files) {
      const { status, text } = await get(new URL(file ?? "").pathname);
      expect(status, file).toBe(200);
      all.push(...(locations(text) as string[]));
    }
    expect(all).toContain("http://ours.test/legal/terms");
    expect(all).toContain("http://ours.test/faq/cashback/how-does-cashback-work");
    expect(all).toContain("http://ours.test/retailers/boots-and-co");
    expect(all.filter((path) => path.startsWith("http://ours.test/offers/"))).toEqual([
      expect.stringMatching(/^http:\/\/ours\.test\/offers\/ten-off\?offer=[\w-]+$/),
    ]);
    expect(all.join(" ")).not.toMatch(/for-theirs-alone|closed-shop|theirs-alone|long-over/);
    const others = (await get("/sitemaps/offers-1.xml", "theirs.test")).text;
    expect(others).toContain("theirs-alone");
    expect(others).toContain("http://theirs.test/");
  });

  test.each(["/sitemaps/offers-2.xml", "/sitemaps/pages-2.xml", "/sitemaps/members-1.xml", "/sitemaps/offers-0.xml"])(
    "U3 %s is not found",
    async (path) => expect((await get(path)).status).toBe(404),
  );

  test("U3 a file is cached for ten minutes, then generated again", async () => {
    const before = (await get("/sitemaps/retailers-1.xml", "theirs.test")).text;
    await db.updateTable("retailers").set({ status: "paused" }).where("slug", "=", "for-theirs-alone").execute();
    expect((await get("/sitemaps/retailers-1.xml", "theirs.test")).text).toBe(before);
    clock.ms += 11 * 60_000;
    expect((await get("/sitemaps/retailers-1.xml", "theirs.test")).text).not.toContain("for-theirs-alone");
  });

  test("S1 requests for many made-up files or ports get 429; cached files are still served", async () => {
    clock.ms += 3_600_000;
    const address = (number: number) => (number % 2 ? "/sitemap.xml" : `/sitemaps/offers-${number + 2}.xml`);
    const asked = async (number: number) => {
      const host = `ours.test:${2000 + number}`;
      return (await app.request(`http://${host}${address(number)}`, { headers: { host } })).status;
    };
    await get("/sitemap.xml");
    const statuses = [];
    for (let number = 0; number < 70; number += 1) statuses.push(await asked(number));
    expect(statuses.slice(0, 59).filter((status) => status === 429)).toEqual([]);
    expect(statuses.slice(59).every((status) => status === 429)).toBe(true);
    expect((await get("/sitemap.xml")).status).toBe(200);
  });
});
