import { claimPass, finishPass } from "@farthing/core/networks/passes.server.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { makeShop } from "@farthing/core/clicks/clicks.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { afterAll, expect, test } from "vitest";
import { loadSite, openClub } from "../../../testing/site.testing.ts";

loadSite();
const { db } = await testDatabase();
const club = await openClub(db);
afterAll(() => expect(club.errors).toEqual([]));
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);

test("P6 /status says in words that everything works, and every page leads there", async () => {
  const answer = await club.get("/status");
  expect(answer.status).toBe(200);
  const html = await answer.text();
  expect(html).toContain("Everything works.");
  expect(html.match(/class="status-mark">Works</g)).toHaveLength(6);
  expect(html).not.toContain("Gift cards arrive");
  expect(html).toContain('name="robots" content="noindex"');
  expect(html).toContain('data-controller="status"');
  expect(await (await club.get("/faq")).text()).toContain('<a href="/status">Does everything work?</a>');
});

test("P6 what is late has its own words: how many shops and since when, never the network or what it said", async () => {
  const network = await insertNetwork(db, { slug: "secret-network" });
  await makeShop(db, { brandId: club.brand.id, networkId: network.id, offer: { starts_at: NOW } });
  await claimPass(db, { networkId: network.id, pass: "transaction", now: daysAgo(2), everyMs: 0 });
  const result = { problem: "401 token refused for publisher 4711", coveredUntil: daysAgo(2) };
  await finishPass(db, { networkId: network.id, pass: "transaction", result });
  const html = await (await club.get("/status")).text();
  expect(html).toContain("Purchases at 1 shop are reported late, since 12:00 on 18 November.");
  expect(html).toContain("Some things are late.");
  expect(html.match(/class="status-mark">Late</g)).toHaveLength(2);
  for (const inner of ["secret-network", "4711", "token refused"]) expect(html).not.toContain(inner);
  // The page of another brand, which has none of these shops, says that all works.
  expect(await (await (await openClub(db)).get("/status")).text()).toContain("Everything works.");
});

test("P6 visitors and members read the same, and one copy is kept for all", async () => {
  const visitor = await club.get("/status");
  expect(visitor.headers.get("cache-control")).toBe((await club.get("/faq")).headers.get("cache-control"));
  const areas = async (answer: Response) => /<ul[^>]*status-areas.*?<\/ul>/s.exec(await answer.text())?.[0];
  const asMember = await areas(await club.get("/status", { member: await club.newMember() }));
  expect(asMember).toBeDefined();
  expect(asMember).toBe(await areas(visitor));
});

test("P6 what operators tell everybody is on the status page, and in a bar on every page while it holds", async () => {
  const hour = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
  const own = await openClub(db);
  own.brand.notices.push(
    {
      id: "a",
      kind: "trouble",
      title: "Payouts are late",
      text: "By a day.\nNothing is lost.",
      since: hour(-2),
      until: hour(3),
    },
    { id: "b", kind: "planned", title: "We move", text: "For an hour.", since: hour(30), until: hour(31) },
    { id: "c", kind: "over", title: "Search works again", text: "It was down.", since: hour(-5), until: NOW },
  );
  const status = await (await own.get("/status")).text();
  expect(status).toContain("Trouble, from 10:00 until 15:00");
  expect(status).toContain("Planned work, from 18:00 until 19:00 on 21 November");
  expect(status).toContain("Nothing is lost.");
  expect(status).toContain("Not everything works");
  expect(status).not.toContain("Search works again");
  const faq = await (await own.get("/faq")).text();
  expect(faq).toMatch(
    /<aside class="notice-bar is-trouble"[^]*?<a href="\/status">Payouts are late<\/a>[^]*?until 15:00[^]*?<\/aside>/,
  );
  expect(faq).not.toContain("We move");
  own.brand.notices.shift();
  expect(await (await own.get("/faq")).text()).not.toContain("notice-bar");
});
