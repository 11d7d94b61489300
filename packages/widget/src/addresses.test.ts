import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { defineEnvironments, findEnvironment } from "./environments.ts";
import { frameAddress } from "./frame-address.ts";
import { isHttpUrl } from "./http-url.ts";
import { readReturn, returnUrl, withoutReturn } from "./return-url.ts";

describe("W2 the frame's address", () => {
  test("is {base URL}/redirect with path and token URL-encoded", () => {
    expect(frameAddress("https://club.example", "/gift-cards?sort=new&x=é#top", "a+b/c=&d").href).toBe(
      "https://club.example/redirect?path=%2Fgift-cards%3Fsort%3Dnew%26x%3D%C3%A9%23top&token=a%2Bb%2Fc%3D%26d",
    );
    expect(frameAddress("https://club.example/", "/", "t").href).toBe("https://club.example/redirect?path=%2F&token=t");
    expect(frameAddress("https://example/club", "/", "t").href).toBe("https://example/club/redirect?path=%2F&token=t");
  });

  const bad = [
    "",
    "gift-cards",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n//evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/%2fevil.example",
    "/%5cevil.example",
    "/a\\..\\b",
    "/\u0000",
    "/%00",
    "/%0a",
    "/%",
    " /x",
    "@evil.example",
  ];
  test.each(bad)("refuses the path %j with a message that says what is expected", (path) => {
    expect(() => frameAddress("https://club.example", path, "t")).toThrow(/path must be like "\/pay"/);
  });

  test("every accepted path stays on the service's origin, before and after one decoding", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webPath(),
          fc.string().map((text) => `/${text}`),
        ),
        (path) => {
          let address: URL;
          try {
            address = frameAddress("https://club.example", path, "t");
          } catch {
            return;
          }
          expect(address.origin).toBe("https://club.example");
          expect(address.searchParams.get("path")).toBe(path);
          expect(new URL(decodeURIComponent(path), "https://club.example").origin).toBe("https://club.example");
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("W5 URLs that may be opened", () => {
  test.each([
    "https://a.example",
    "http://a.example:8080/p?q=1#f",
    "HTTPS://A.example/x@y",
    "http://localhost:3000/?u=a@b",
  ])("%j", (url) => {
    expect(isHttpUrl(url)).toBe(true);
  });
  test.each([
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "java\tscript:alert(1)",
    " javascript:alert(1)",
    "\u0001javascript:alert(1)",
    "data:text/html,x",
    "blob:https://a.example/1",
    "file:///etc/passwd",
    "vbscript:x",
    "//a.example",
    "/path",
    "path",
    "",
    "https:",
    "https://",
    "https:a.example",
    "https:/a.example",
    "http\ts://a.example",
    "https://a.example\\@b.example",
    "https://user@a.example",
    "https://user:pw@a.example",
    "https://a.example/\n",
    "ftp://a.example",
    "https://a b.example",
    "view-source:https://a.example",
    "about:blank",
  ])("never %j", (url) => {
    expect(isHttpUrl(url)).toBe(false);
  });
});

describe("W8 the return URL", () => {
  const redirect = {
    paymentSuccess: { templateUrl: "https://shop.example/{id}/thanks?order={id}", idPlaceholder: "{id}" },
  };
  test("is the success template with the placeholder replaced by the encoded context token", () => {
    expect(returnUrl(redirect, "ctx 1/é", "https://page.example")).toBe(
      "https://shop.example/ctx%201%2F%C3%A9/thanks?order=ctx%201%2F%C3%A9",
    );
  });
  test("inserts the token literally, including characters that String.replace interprets", () => {
    expect(returnUrl({ paymentSuccess: { templateUrl: "https://a.example/$1", idPlaceholder: "$1" } }, "$&", "p")).toBe(
      "https://a.example/%24%26",
    );
  });
  test("is the template itself without a placeholder, and the page without a configuration", () => {
    expect(returnUrl({ paymentSuccess: { templateUrl: "https://a.example/", idPlaceholder: "" } }, "t", "p")).toBe(
      "https://a.example/",
    );
    expect(returnUrl(undefined, "t", "https://page.example/x")).toBe("https://page.example/x?farthing_payment=t");
  });
});

describe("P4 environments", () => {
  const production = { baseUrl: "https://club.example", publishableKey: "pk_live_1" };
  test("dev is built in; an undefined one says what to do", () => {
    expect(findEnvironment("dev").baseUrl).toBe("http://localhost:3000");
    expect(() => findEnvironment("staging")).toThrow(/environment "staging" needs .* defineEnvironments/);
    expect(() => findEnvironment("constructor" as "dev")).toThrow(/see defineEnvironments/);
  });
  test("a build with its own addresses has them instead of the built-in ones", async () => {
    vi.stubGlobal("FARTHING_ENVIRONMENTS", { production });
    vi.resetModules();
    const built = await import("./environments.ts");
    vi.unstubAllGlobals();
    expect(built.findEnvironment("production")).toEqual(production);
    expect(() => built.findEnvironment("dev")).toThrow(/environment "dev" needs/);
  });
  test("defineEnvironments adds environments and keeps the others", () => {
    defineEnvironments({ production });
    expect(findEnvironment("production")).toEqual(production);
    expect(findEnvironment("dev").publishableKey).toBe("pk_test_farthing");
  });
  test("a missing environment and a secret key say what to write", () => {
    expect(() => findEnvironment(undefined as never)).toThrow(/write environment="production"/);
    for (const publishableKey of ["sk_live_1", "rk_test_1"]) {
      defineEnvironments({ staging: { ...production, publishableKey } });
      expect(() => findEnvironment("staging")).toThrow(/write the publishable key/);
    }
  });
  test.each(["club.example", "javascript:alert(1)", "//club.example", "https://user@club.example", ""])(
    "a baseUrl must be http(s), not %j",
    (baseUrl) => {
      defineEnvironments({ staging: { ...production, baseUrl } });
      expect(() => findEnvironment("staging")).toThrow(/http\(s\) baseUrl/);
    },
  );
});

describe("W8 a payer's return to the page they left", () => {
  const page = "https://page.example/x?basket=a+b%20c&x=&farthing#top";
  const left = returnUrl(undefined, "ctx 1/é", page);
  const back = left.replace(
    "#",
    "&payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2&redirect_status=succeeded#",
  );

  test("the address has the token, and is the page's own otherwise", () => {
    expect(left).toBe("https://page.example/x?basket=a+b%20c&x=&farthing&farthing_payment=ctx%201%2F%C3%A9#top");
  });

  test("is read, and leaves the page's parameters and hash as they were written", () => {
    expect(readReturn(back)).toEqual({ token: "ctx 1/é", clientSecret: "pi_1_secret_2" });
    expect(withoutReturn(back).href).toBe(page);
    expect(withoutReturn("https://page.example/?farthing_payment=t").href).toBe("https://page.example/");
  });

  test("a second payment from there has one token", () => {
    expect(returnUrl(undefined, "next", back)).toBe(
      "https://page.example/x?basket=a+b%20c&x=&farthing&farthing_payment=next#top",
    );
  });

  test("a return of the page's own payments, with the same provider, is not one", () => {
    expect(
      readReturn("https://page.example/?payment_intent=pi_1&payment_intent_client_secret=s&redirect_status=failed"),
    ).toBeUndefined();
    expect(readReturn(left)).toBeUndefined();
  });
});
