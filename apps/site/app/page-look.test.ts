import { describe, expect, test } from "vitest";
import { lookOf } from "./page-look.server.ts";
import { shownLook } from "./page-look.ts";

describe("controller and action of the body (P7)", () => {
  test("P7 a page is named as pages.ts says", () => {
    for (const none of [undefined, null])
      expect(shownLook(lookOf("/offers/:slug"), none)).toMatchObject({ controller: "offers", action: "show" });
  });

  test("P7 the router writes patterns with and without the first slash", () => {
    expect(lookOf("profile/security")).toEqual(lookOf("/profile/security"));
    expect(lookOf("/")).toMatchObject({ controller: "home", action: "index", bringsSearch: true });
  });

  test("P7 an error page is named errors#show, whatever route it happened in", () => {
    const errorPage = { controller: "errors", action: "show" };
    expect(shownLook(lookOf("/offers/:slug"), new Error("x"))).toMatchObject(errorPage);
    expect(shownLook(undefined, undefined)).toMatchObject(errorPage);
  });

  test("P7 a route that is not in pages.ts is an error that says where to add it", () => {
    expect(() => lookOf("/nowhere")).toThrow("Add it there");
  });
});

describe("U3 styles that come along", () => {
  test.each([
    ["an offer", "/offers/:slug", false],
    ["an unknown address", "/*", false],
    ["a form", "/register", true],
    ["a member's own page", "/profile", true],
    ["a page without header and footer", "/offline", true],
  ])("U3 %s", (_, path, hasAccountStyles) => {
    expect(lookOf(path)).toMatchObject({ hasAccountStyles });
  });

  test("U3 an error page has no styles of forms", () => {
    expect(shownLook(lookOf("/profile"), new Error("x")).hasAccountStyles).toBe(false);
  });
});
