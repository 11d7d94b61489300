import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { loadSite, openClub, type TestClub } from "../../../testing/site.testing.ts";
import { portalPath } from "./portal-path.ts";

loadSite();
const { db } = await testDatabase();
let club: TestClub;
beforeAll(async () => {
  club = await openClub(db);
  club.brand.features.giftCards = true;
});

const page = async (path: string, options?: Parameters<TestClub["get"]>[1]) => {
  const response = await club.get(path, options);
  return { status: response.status, headers: response.headers, html: await response.text() };
};
/** The attributes of the component, as the page's script finds them. */
function component(html: string): Record<string, string> {
  const [, text = ""] = /<farthing-gift-cards ([^>]*)>/.exec(html) ?? [];
  return Object.fromEntries(
    [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value = ""]) => [
      name ?? "",
      value.replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
    ]),
  );
}

describe("G1 the gift-card page", () => {
  test("G1 embeds the portal as a partner does: environment, path and redirect, and no token", async () => {
    const { status, html } = await page("/gift-cards");
    expect(status).toBe(200);
    const { environment, path, redirect = "", ...rest } = component(html);
    expect({ environment, path, rest }).toEqual({
      environment: "production",
      path: "/portal",
      rest: { "show-payment-errors": "" },
    });
    expect(JSON.parse(redirect)).toEqual({
      paymentSuccess: {
        templateUrl: `http://${club.brand.slug}.localhost/gift-cards?order=ORDER`,
        idPlaceholder: "ORDER",
      },
    });
    expect(html).toMatch(/<body[^>]* data-controller="gift-cards" data-action="show"/);
    expect(html).not.toMatch(/token/i);
  });

  test("G1 is the same for everyone: a visitor's answer may be shared, and a member's holds no token either", async () => {
    const visitor = await page("/gift-cards");
    expect(visitor.headers.get("cache-control")).toBeNull(); // the server's page cache keeps it
    const member = await page("/gift-cards", { member: await club.newMember() });
    expect(member.headers.get("cache-control")).toBe("private, no-store");
    expect(member.html).not.toMatch(/token/i);
  });

  test.each([
    ["/gift-cards?retailer=fernhollow-boots", "/portal/cards/fernhollow-boots"],
    ["/gift-cards?order=0123456789abcdef", "/portal/orders/0123456789abcdef"],
    ["/gift-cards?retailer=..%2f..%2flogin", "/portal"],
    ["/gift-cards?retailer=%2F%2Fevil.example", "/portal"],
    ["/gift-cards?order=..%2F..%2Fpay%2Fxxxx", "/portal"],
    ["/gift-cards?order=a%22%3E%3Cscript%3E", "/portal"],
    ["/gift-cards?path=/pay", "/portal"],
  ])("G1 %s opens %s", async (address, path) => {
    expect(component((await page(address)).html).path).toBe(path);
  });

  test("G1 the address that a bank returns to is kept nowhere, and tells no other site", async () => {
    const { headers, html } = await page(
      "/gift-cards?order=0123456789abcdef&payment_intent_client_secret=pi_1_secret_2",
    );
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(html).toContain('content="noindex"');
    expect(html).toContain("Welcome back from your bank");
    expect(html).not.toContain("pi_1_secret_2");
    expect(html).not.toContain("Nothing was paid"); // it was, perhaps
  });

  test("G1 P8 without script, and where the portal does not open, there is a way on", async () => {
    const { html } = await page("/gift-cards?retailer=fernhollow-boots");
    const [, noscript = ""] = /<main.*?<noscript>(.*?)<\/noscript>/s.exec(html) ?? [];
    const [, problem = ""] = /class="gift-cards-problem"([^]*?)<\/section>/.exec(html) ?? [];
    expect(problem).toMatch(/^ role="alert" hidden/);
    expect(problem).toContain('href="/gift-cards?retailer=fernhollow-boots"');
    for (const words of [noscript, problem]) {
      expect(words).toContain('href="/faq"');
      expect(words).toContain(`href="mailto:${club.brand.supportEmail}"`);
    }
  });

  test("G1 the menu and the footer lead to it; a brand that sells none has neither the page nor the entries", async () => {
    expect((await page("/faq")).html.match(/href="\/gift-cards"/g)!.length).toBeGreaterThanOrEqual(2);
    const other = await openClub(db);
    expect((await other.get("/gift-cards")).status).toBe(404);
    expect(await (await other.get("/faq")).text()).not.toContain('href="/gift-cards"');
  });
});

test("G1 an order comes before a retailer", () => {
  expect(portalPath({ order: "0123456789abcdef", retailer: "x" })).toBe("/portal/orders/0123456789abcdef");
  expect(portalPath({ order: null, retailer: null })).toBe("/portal");
});
