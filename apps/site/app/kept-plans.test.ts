import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { type SentQuery, sentQueries } from "@farthing/db/sent-queries.ts";
import { expect, test } from "vitest";
import { loadSite } from "../testing/site.testing.ts";
import { openOfferClub } from "./routes/offers/offer-club.testing.ts";

const sent: string[] = [];
// Before the database is opened: a pool publishes to whoever has subscribed by then.
sentQueries.start.subscribe((query) => void sent.push((query as SentQuery).text));
const { db } = await testDatabase();
loadSite();
const { club, newCodeOffer } = await openOfferClub(db);
const offer = await newCodeOffer();

// PostgreSQL planned these pages for two milliseconds and executed them in less than one.
test.each([
  ["the home page", "/"],
  ["an offer", offer.path],
  ["favourites", "/favourites"],
  ["the money page", "/money"],
  ["purchases", "/money/purchases"],
  ["the profile", "/profile"],
])("P2 every statement of a member's visit keeps its plan: %s", async (_, page) => {
  const member = await club.newMember();
  sent.length = 0;
  expect((await club.get(page, { member })).status).toBe(200);
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.filter((text) => !text.startsWith("/* keep plan"))).toEqual([]);
});
