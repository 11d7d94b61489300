import type { Brand } from "@farthing/core/brands/brand.ts";
import { insertCategory, insertOffer, insertRetailer, NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { indexCatalogue } from "@farthing/core/search/index-catalogue.server.ts";
import type { SuggestionsAnswer } from "@farthing/core/search/suggestions.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { htmlPage, testApp } from "../app.testing.ts";
import { suggestionsApi } from "./suggestions.ts";

const { db } = await testDatabase();
const clock = { now: NOW, ms: 1 };
let app: ReturnType<typeof testApp>["app"];

beforeAll(async () => {
  const one = await insertBrand(db);
  const other = await insertBrand(db);
  const networkId = (await insertNetwork(db)).id;
  const shelf = await insertCategory(db, "Shoes & bags");
  const shop = async (name: string, brandIds: string[], title: string) => {
    const { id } = await insertRetailer(db, { name, brandIds, categoryIds: [shelf.id] });
    await insertOffer(db, { networkId, retailerId: id, categoryIds: [shelf.id], title });
  };
  await shop("Fernhollow Boots", [one.id, other.id], "20% off walking boots");
  await shop("Secret Boots", [other.id], "Secret boot sale");
  await indexCatalogue(db, { now: NOW });
  const brands = async (host: string) =>
    ({ "one.test": { id: one.id, slug: "one" }, "other.test": { id: other.id, slug: "other" } })[host] as
      | Brand
      | undefined;
  const config = { publicScheme: "http", trustProxy: false, metricsToken: null } as const;
  app = testApp([], async (_, visit) => htmlPage("page", visit), {
    config,
    apiRoutes: [
      suggestionsApi({
        db,
        brands: async (host) => (await brands(host)) ?? null,
        config,
        now: () => clock.now,
        clock: () => clock.ms,
      }),
    ],
  }).app;
});

const ask = (search: string, host = "one.test") =>
  app.request(`http://${host}/api/suggestions${search}`, { headers: { host } });
const answerTo = async (typed: string, host?: string) => {
  const response = await ask(`?q=${encodeURIComponent(typed)}`, host);
  expect(response.status).toBe(200);
  return (await response.json()) as SuggestionsAnswer;
};
const namesIn = ({ retailers, offers }: SuggestionsAnswer) => [
  ...retailers.map(({ name }) => name),
  ...offers.map(({ title }) => title),
];

describe("D2 D6 GET /api/suggestions", () => {
  test("D6 an unfinished word finds retailers, categories and offers, each with its path", async () => {
    const { retailers, offers } = await answerTo("fernh");
    expect(retailers).toEqual([
      { name: "Fernhollow Boots", rates: null, path: expect.stringMatching(/^\/retailers\/fernhollow-boots/) },
    ]);
    expect(offers[0]).toMatchObject({ title: "20% off walking boots", retailer: "Fernhollow Boots" });
    expect(offers[0]?.path).toMatch(/^\/offers\/[a-z0-9-]+\?offer=\w+/);
    expect((await answerTo("shoe")).categories).toMatchObject([{ name: "Shoes & bags", liveOffers: 1 }]);
  });

  test("B1 a brand gets nothing that only another one shows, also right after a request of the other", async () => {
    expect(namesIn(await answerTo("boot", "other.test"))).toContain("Secret Boots");
    expect(namesIn(await answerTo("boot"))).not.toContain("Secret Boots");
    expect(namesIn(await answerTo("secret"))).toEqual([]);
    expect((await answerTo("boot")).offers.map(({ retailer }) => retailer)).toEqual(["Fernhollow Boots"]);
  });

  test.each([
    [""],
    ["   "],
    [`<script>alert(1)</script>'";--`],
    ["' or 1=1 --"],
    ["%00\uD800"],
    ["boots & | ! ( ) :* <-> \\"],
    ["🥾🥾🥾"],
    ["\u202Etoob"],
    ["x".repeat(200)],
  ])("D2 %j is a query like any other and is not echoed", async (typed) => {
    const response = await ask(`?q=${encodeURIComponent(typed.toWellFormed())}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    const text = await response.text();
    expect(text).not.toContain("<script>");
    expect(Object.keys(JSON.parse(text) as object)).toEqual(["retailers", "categories", "offers"]);
  });

  test.each([
    ["without q", ""],
    ["with q twice", "?q=a&q=b"],
    ["with 201 characters", `?q=${"x".repeat(201)}`],
    ["with 10,000 characters", `?q=${"x".repeat(10_000)}`],
  ])("S2 Z5 %s is answered 400 with the reason", async (_, search) => {
    const response = await ask(search);
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    const problem = (await response.json()) as { errors: { field: string; message: string }[] };
    expect(problem.errors).toEqual([{ field: "q", message: expect.stringMatching(/\.$/) }]);
  });

  test("B1 a host without a brand gets 421, and only GET is allowed", async () => {
    expect((await ask("?q=boots", "nobody.test")).status).toBe(421);
    const posted = await app.request("http://one.test/api/suggestions?q=boots", { method: "POST" });
    expect(posted.status).toBe(404);
  });

  test("D6 an answer is cached for some seconds", async () => {
    const names = async () => (await answerTo("wellington")).retailers.map(({ name }) => name);
    expect(await names()).toEqual([]);
    const { id: categoryId } = await db.selectFrom("categories").select("id").executeTakeFirstOrThrow();
    const brandIds = (await db.selectFrom("brands").select("id").execute()).map(({ id }) => id);
    await insertRetailer(db, { name: "Wellington Works", brandIds, categoryIds: [categoryId] });
    await indexCatalogue(db, { now: NOW });
    expect(await names()).toEqual([]);
    clock.ms += 5_001;
    expect(await names()).toEqual(["Wellington Works"]);
  });

  test("S1 an address that sends requests faster than people type gets 429 with Retry-After", async () => {
    const statuses = [];
    for (let number = 0; number < 250; number += 1) statuses.push((await ask("?q=boots")).status);
    expect(statuses.at(0)).toBe(200);
    expect(statuses.at(-1)).toBe(429);
    const refusal = await ask("?q=boots");
    expect({
      retryAfter: refusal.headers.get("retry-after"),
      type: refusal.headers.get("content-type"),
    }).toEqual({ retryAfter: "1", type: "application/problem+json" });
    clock.ms += 1_000;
    expect((await ask("?q=boots")).status).toBe(200);
  });
});
