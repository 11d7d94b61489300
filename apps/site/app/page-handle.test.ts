import type { UIMatch } from "react-router";
import { describe, expect, it } from "vitest";
import { pageHandle, shownPage } from "./page-handle.ts";

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
