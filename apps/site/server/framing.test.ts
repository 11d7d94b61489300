import { describe, expect, test } from "vitest";
import { pageEntries } from "../pages.ts";
import { framedStarts, isFramePage, mayBeFramed } from "./framing.ts";

describe("W9 frame pages", () => {
  test.each(["/pay", "/pay.data", "/pay/done", "/%70ay", "/PAY", "//pay", "/pay?amount=1"])(
    "W9 %s is made for frames",
    (path) => {
      expect(isFramePage(path)).toBe(true);
    },
  );

  test.each(["/", "/payments", "/profile", "/login", "/paying"])("W9 %s is not made for frames", (path) => {
    expect(isFramePage(path)).toBe(false);
  });
});

describe("W9 pages that no frame shows", () => {
  test.each(["/login", "/login?next=/", "/LOGIN", "/%6cogin", "/profile", "/profile.data", "/redirect?path=/pay"])(
    "W9 %s is never framed",
    (path) => {
      expect(mayBeFramed(path)).toBe(false);
    },
  );

  test.each(["/register", "/register/details", "/forgotten-password", "/reset-password?token=x", "/verification"])(
    "W9 %s is never framed: people type there what is theirs",
    (path) => {
      expect(mayBeFramed(path)).toBe(false);
    },
  );

  test.each(["/", "/pay", "/retailers", "/RETAILERS/x", "/offers/boots?offer=a", "/search.data?q=tea"])(
    "W9 %s may be framed",
    (path) => {
      expect(mayBeFramed(path)).toBe(true);
    },
  );

  test.each(["/go/offers/x", "/api/payments", "/art/x", "/nonsense", "/loginsight", "/partners", "/check?c=x", "/go"])(
    "W9 %s is never framed: frames show only what is listed",
    (path) => {
      expect(mayBeFramed(path)).toBe(false);
    },
  );

  test("W9 the list that pages in a frame carry is the one that the server goes by", () => {
    expect(framedStarts.toSorted()).toEqual(
      ["", "categories", "faq", "legal", "offers", "pay", "portal", "retailers", "search"].toSorted(),
    );
    for (const start of framedStarts) expect(mayBeFramed(`/${start}`)).toBe(true);
  });

  test("W9 no page for members, and no page with a form about the visitor's account, may be framed", () => {
    const framed = pageEntries.filter(([path]) => mayBeFramed(path)).map(([path]) => path);
    expect(framed.sort()).toEqual([
      "/",
      "/categories/:slug",
      "/faq/:category?/:question?",
      "/legal/:page",
      "/offers/:slug",
      "/pay",
      "/portal",
      "/portal/basket",
      "/portal/cards/:slug",
      "/portal/categories/:slug",
      "/portal/orders",
      "/portal/orders/:order",
      "/portal/orders/:order/payment",
      "/portal/search",
      "/retailers",
      "/retailers/:slug",
      "/search",
    ]);
  });

  test("W9 pages with the same first segment agree, because framing is decided by it", () => {
    for (const [path, { framing }] of pageEntries.filter(([name]) => name !== "/*"))
      expect({ path, isFramed: mayBeFramed(path), isOnlyFramed: isFramePage(path) }).toEqual({
        path,
        isFramed: framing !== undefined,
        isOnlyFramed: framing === "only",
      });
  });
});
