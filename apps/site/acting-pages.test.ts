import { describe, expect, test } from "vitest";
import { actedRequestText, actingPages, actingRuleOf } from "./acting-pages.ts";
import { accessOf, pageEntries, pages } from "./pages.ts";

const filledIn = (path: string) => path.replace("/*", "/no-such-page").replaceAll(/:\w+\??/g, "x");
const ruleOf = (method: string, path: string, search = "") => actingRuleOf({ method, pathname: path, search });
const isRefused = (rule: ReturnType<typeof actingRuleOf>) => typeof rule === "object" && "refused" in rule;

/** What an operator never does as a member, whatever else is decided about pages. */
const never = {
  payout: [/^\/money\/withdraw/, /^\/money\/bank-details/, /^\/remove-bank-details/],
  "password, e-mail, two-step sign-in": [/^\/profile\/security/, /^\/login/, /password/, /email/, /^\/logout/],
  "codes of gift cards": [/^\/money\/gift-cards/, /^\/gift\//, /^\/gift-cards/, /^\/portal/],
  "closing the account": [/\/close$/],
  "a copy of the data": [/export/, /\.csv$/, /^\/profile\/privacy$/],
  consent: [/^\/profile\/access/, /^\/cookies/, /^\/carer-migration/, /^\/unsubscribe/, /^\/alerts\/stop/],
  "who they are": [/^\/digital-id/, /^\/check/],
} as const;

describe("A3 what an operator may do as a member", () => {
  test("A3 every page has a rule, and no rule is for a page that is gone", () => {
    expect(Object.keys(actingPages).toSorted()).toEqual(Object.keys(pages).toSorted());
  });

  const paths = pageEntries.map(([path]) => path);
  test.each(Object.entries(never))("A3 never: %s", (_, patterns) => {
    const found = paths.filter((path) => patterns.some((pattern) => pattern.test(path)));
    expect(found.length).toBeGreaterThan(0);
    for (const path of found)
      for (const method of ["GET", "HEAD", "POST"])
        expect(isRefused(ruleOf(method, filledIn(path))), `${method} ${path}`).toBe(true);
  });

  test("A3 a page that is only read refuses its forms, and says so", () => {
    expect(ruleOf("GET", "/money")).toEqual({ allowed: "see" });
    expect(ruleOf("POST", "/money")).toMatchObject({ refused: expect.stringContaining("only the member") });
    expect(ruleOf("GET", "/money/claims/new")).toEqual({ allowed: "see" });
    expect(ruleOf("POST", "/money/claims/new")).toEqual({ allowed: "change" });
  });

  test("A3 no page that only visitors have is opened as a member", () => {
    for (const [path, facts] of pageEntries.filter(([, one]) => accessOf(one) === "visitor"))
      expect(isRefused(ruleOf("GET", filledIn(path))), `${path} ${facts.file}`).toBe(true);
  });

  // However an address is written, the router finds the same page.
  test.each([
    "/money/withdraw",
    "/money/withdraw/",
    "//money/withdraw".slice(1),
    "/MONEY/Withdraw",
    "/money/%77ithdraw",
    "/money/withdraw.data",
    "/profile/privacy/export.data",
    "/profile/security/_.data",
  ])("A3 %s is refused", (path) => {
    expect(isRefused(ruleOf("GET", path))).toBe(true);
    expect(isRefused(ruleOf("POST", path))).toBe(true);
  });

  test("A3 a code of an offer is not revealed, and no shop visited", () => {
    expect(ruleOf("GET", "/offers/boots", "?offer=abc")).toEqual({ allowed: "see" });
    for (const search of ["?offer=abc&reveal_code=t", "?reveal%5Fcode=t", "?reveal_code"])
      expect(isRefused(ruleOf("GET", "/offers/boots", search)), search).toBe(true);
    for (const path of ["/go/offers/abc", "/go/retailers/x/pre-flight", "/go", "/go/app/x"])
      expect(isRefused(ruleOf("GET", path)), path).toBe(true);
  });

  test("A3 the log has the page and its record, never what was typed or a name that is no page's", () => {
    const text = (path: string, search = "") => actedRequestText({ method: "GET", pathname: path, search });
    expect(text("/money/purchases", "?q=a+present+for+rosa")).toBe("GET /money/purchases");
    expect(text("/money/claims/abc")).toBe("GET /money/claims/abc");
    expect(text("/rosa-quillfeather")).toBe("GET /*");
    expect(text(`/retailers/${"x".repeat(900)}`).length).toBe(300);
  });
});
