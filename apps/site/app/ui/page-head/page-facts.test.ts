import { describe, expect, test } from "vitest";
import { crumbFacts, listFacts, offerFacts, siteFacts } from "./page-facts.ts";

const ORIGIN = "https://club.example";
const offer = {
  title: "15% off walking boots",
  headline: "15% off",
  description: "Every pair.",
  startsAt: new Date("2026-01-01T00:00:00Z"),
  endsAt: null,
  retailer: { name: "Fernhollow Boots", slug: "fernhollow-boots" },
  categories: [{ name: "Shoes and bags" }],
};

/** Returns every address in the data. */
function addresses(facts: unknown): string[] {
  if (typeof facts === "string") return /^https?:/.test(facts) ? [facts] : [];
  return typeof facts === "object" && facts !== null ? Object.values(facts).flatMap(addresses) : [];
}

describe("U3 structured data", () => {
  test("U3 breadcrumbs count from one and end with the page itself", () => {
    const { itemListElement } = crumbFacts(ORIGIN, [
      { name: "Retailers", path: "/retailers" },
      { name: "Boots", path: "/retailers/boots" },
    ]) as { itemListElement: unknown };
    expect(itemListElement).toEqual([
      { "@type": "ListItem", position: 1, name: "Retailers", item: `${ORIGIN}/retailers` },
      { "@type": "ListItem", position: 2, name: "Boots", item: `${ORIGIN}/retailers/boots` },
    ]);
  });

  test("U3 an offer names its seller, its club, and its end where it has one", () => {
    const where = { path: "/offers/boots?offer=a", brandName: "Club" };
    expect(offerFacts(ORIGIN, offer, where)).toMatchObject({
      "@type": "Offer",
      name: "15% off walking boots",
      url: `${ORIGIN}/offers/boots?offer=a`,
      seller: { name: "Fernhollow Boots" },
      offeredBy: { name: "Club" },
    });
    expect(offerFacts(ORIGIN, offer, where)).not.toHaveProperty("validThrough");
    expect(offerFacts(ORIGIN, { ...offer, endsAt: new Date("2026-02-01T00:00:00Z") }, where)).toMatchObject({
      validThrough: "2026-02-01T00:00:00.000Z",
    });
    expect(offerFacts(ORIGIN, { ...offer, headline: "£5 off" }, where)).toMatchObject({
      name: "£5 off: 15% off walking boots",
    });
  });

  test("U3 every address is absolute", () => {
    const all = [
      siteFacts(ORIGIN, { name: "Club", strapline: "Back", supportEmail: "help@club.example" }),
      listFacts(ORIGIN, "Offers", [{ name: "One", path: "/offers/one?offer=a" }]),
      offerFacts(ORIGIN, offer, { path: "/x", brandName: "Club" }),
    ].flatMap(addresses);
    expect(all.length).toBeGreaterThan(5);
    for (const address of all) expect(address.startsWith(`${ORIGIN}/`), address).toBe(true);
  });
});
