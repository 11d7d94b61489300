import { pageEntries } from "@farthing/site/pages.ts";
import { describe, expect, test } from "vitest";
import { routePattern } from "./route-pattern.ts";

describe("patterns of metrics and logs", () => {
  test.each(pageEntries.map(([path]) => path).filter((path) => path !== "/*"))("P6 the page %s has its own", (path) => {
    const filled = path.replaceAll(/:\w+\??/g, "boots");
    expect(routePattern(filled)).toBe(path);
    expect(routePattern(path === "/" ? "/_.data" : `${filled}.data`)).toBe(path);
  });

  test.each([
    ["/register", "/register"],
    ["/login/again", "/login/again"],
    ["/forgotten-password", "/forgotten-password"],
    ["/profile/security", "/profile/security"],
    ["/faq", "/faq/:category?/:question?"],
    ["/LOGIN/", "/login"],
    ["/assets/site-a1.js", "/assets/*"],
    ["/go/offers/a1", "/go/*"],
    ["/healthz", "/healthz"],
    ["/frame/cards", "other"],
    ["/profile/made-up", "other"],
    ["/made-up", "other"],
    ["//", "/"],
    ["", "/"],
  ])("P6 %s is metered as %s", (path, pattern) => {
    expect(routePattern(path)).toBe(pattern);
  });

  test("S1 a webhook's secret is in no pattern", () => {
    for (const path of ["/webhooks/awin/s3cret", "/webhooks/awin/s3cret.data", "/webhooks/stripe", "/webhooks/s3cret/"])
      expect(routePattern(path)).toBe("/webhooks/*");
    expect(routePattern("/webhooks")).toBe("other");
  });
});
