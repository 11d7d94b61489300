import type { UIMatch } from "react-router";
import { describe, expect, it } from "vitest";
import { isForLookingAround, pageHandle, shownPage } from "./page-handle.ts";

const match = (handle: unknown): UIMatch =>
  ({ id: "x", pathname: "/", params: {}, data: undefined, loaderData: undefined, handle }) as UIMatch;

describe("controller and action of the body (P7)", () => {
  it("P7 the innermost route that names itself decides", () => {
    const matches = [match(undefined), match(pageHandle("offers", "show"))];
    expect(shownPage(matches, undefined)).toMatchObject({ controller: "offers", action: "show" });
    expect(shownPage(matches, null)).toMatchObject({ controller: "offers", action: "show" });
  });

  it("P7 an error page is one, whatever route it happened in", () => {
    expect(shownPage([match(pageHandle("offers", "show"))], new Error("x"))).toMatchObject({
      controller: "errors",
      action: "show",
    });
    expect(shownPage([], undefined)).toMatchObject({ controller: "errors", action: "show" });
  });
});

describe("U3 styles that come along", () => {
  it.each([
    ["an offer", pageHandle("offers", "show"), true],
    ["an error", pageHandle("errors", "show"), true],
    ["a form", pageHandle("registrations", "new"), false],
    ["a member's own page", pageHandle("profiles", "show"), false],
    ["a page without header and footer", pageHandle("errors", "offline", { isLean: true }), false],
  ])("%s", (_, { page }, expected) => expect(isForLookingAround(page)).toBe(expected));
});
