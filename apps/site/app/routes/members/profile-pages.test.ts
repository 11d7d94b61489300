import { start } from "@farthing/core/referrals/referrals.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, expect, test } from "vitest";
import { loadSite, openClub, type TestClub } from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();
let club: TestClub;
beforeAll(async () => {
  club = await openClub(db);
});

async function ownLinks(path: string, options?: Parameters<TestClub["get"]>[1]): Promise<string[]> {
  const html = await (await club.get(path, options)).text();
  const [, list = ""] = /<ul role="list" class="menu-member">(.*?)<\/ul>/s.exec(html) ?? [];
  return [...list.matchAll(/<a href="[^"]*"[^>]*>([^<]*)/g)].map(([, label = ""]) => label);
}

test("D6 a member finds their own pages in the menu, those that the brand has, and a visitor none", async () => {
  const member = await club.newMember();
  const always = ["Profile", "Money", "Missing cashback", "Favourites", "Digital ID"];
  expect(await ownLinks("/faq")).toEqual([]);
  expect(await ownLinks("/faq", { member })).toEqual(always);
  club.brand.features.giftCards = true;
  await start(db, club.brand.id);
  expect(await ownLinks("/faq", { member })).toEqual([...always, "Your gift cards", "Invite a friend"]);
});

test("D6 U1 the menu marks the member's page that is shown", async () => {
  const html = await (await club.get("/money", { member: await club.newMember() })).text();
  expect(html).toMatch(/class="menu-member">.*?<a href="\/money" aria-current="page">Money<\/a>/s);
});
