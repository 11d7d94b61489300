import { describe, expect, it } from "vitest";
import { pagePath } from "./page-path.ts";

describe("addresses of pages (D5)", () => {
  it("D5 only what differs from the default is in the address, and it is escaped", () => {
    expect(pagePath("/search", { q: "a&b=c d", sort: null, page: undefined })).toBe("/search?q=a%26b%3Dc+d");
    expect(pagePath("/retailers", { letter: null })).toBe("/retailers");
    expect(pagePath("/offers/x", { offer: "1", offer_variant: "" })).toBe("/offers/x?offer=1");
  });
});
