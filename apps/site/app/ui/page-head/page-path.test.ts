import { describe, expect, test } from "vitest";
import { pagePath } from "./page-path.ts";

describe("addresses of pages (D5)", () => {
  test("D5 the address has only the parameters that are set, escaped", () => {
    expect(pagePath("/search", { q: "a&b=c d", sort: null, page: undefined })).toBe("/search?q=a%26b%3Dc+d");
    expect(pagePath("/retailers", { letter: null })).toBe("/retailers");
    expect(pagePath("/offers/x", { offer: "1", offer_variant: "" })).toBe("/offers/x?offer=1");
  });
});
