import { describe, expect, test } from "vitest";
import { pageEntries } from "../../apps/site/pages.ts";
import { checkAddress } from "./digital-ids/rules.ts";
import { paths, withNext, withToken } from "./paths.ts";

/** Patterns of all routes but the one that answers unknown addresses. */
const patterns = pageEntries
  .map(([path]) => path)
  .filter((path) => path !== "/*")
  .map((path) => {
    const segments = path.split("/").filter(Boolean);
    const source = segments.map((part) =>
      part.startsWith(":") ? (part.endsWith("?") ? "(/[^/]+)?" : "/[^/]+") : `/${part}`,
    );
    return new RegExp(`^(${source.join("") || "/"})$`);
  });

const isPage = (path: string) => patterns.some((pattern) => pattern.test(path.split("?")[0] ?? ""));

const examples: Record<keyof typeof paths, string> = {
  ...paths,
  retailer: paths.retailer("fernhollow"),
  offer: paths.offer({ slug: "boots", publicId: "Ab1-_x" }),
  category: paths.category("books"),
  faqCategory: paths.faqCategory("cashback"),
  faq: paths.faq({ category: "cashback", slug: "when-is-it-paid" }),
  legalPage: paths.legalPage("terms"),
  accountAccessRequest: paths.accountAccessRequest("0123456789abcdefABCDEF"),
  claim: paths.claim("0123456789abcdef"),
  giftCard: paths.giftCard("0123456789abcdef"),
  givenCard: paths.givenCard("0123456789abcdef"),
  present: paths.present("a-token"),
  invitation: paths.invitation("abcdefghjk"),
};

describe("paths", () => {
  test.each(Object.entries(examples))("P8 the path of %s is a page of the site: %s", (_, path) => {
    expect(isPage(path)).toBe(true);
  });

  // Written in digital-ids/rules.ts, which the browser loads: all of `paths` would be weight there.
  test("M6 the address in a digital ID's QR code is a page of the site", () => {
    expect(isPage(checkAddress("", "0123456789AB"))).toBe(true);
  });

  test("P8 an address without a page is detected", () => {
    expect(isPage("/offer/boots")).toBe(false);
    expect(isPage("/profile/unknown")).toBe(false);
  });

  test("S1 values stay inside their part of the address", () => {
    expect(paths.retailer("a/../b?c#d")).toBe("/retailers/a%2F..%2Fb%3Fc%23d");
    expect(paths.offer({ slug: "a/b", publicId: "x&y=z" })).toBe("/offers/a%2Fb?offer=x%26y%3Dz");
    expect(withNext(paths.login, "/offers/a?offer=b&c")).toBe("/login?next=%2Foffers%2Fa%3Foffer%3Db%26c");
  });

  test("S1 a token is unchanged in its address, and encoded where necessary", () => {
    expect(withToken(paths.resetPassword, "a-b_c")).toBe("/reset-password?token=a-b_c");
    expect(withToken(paths.resetPassword, "a&b=c d")).toBe("/reset-password?token=a%26b%3Dc%20d");
  });
});
