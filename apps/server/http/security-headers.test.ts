import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testApp } from "../app.testing.ts";
import { one, openTinySite } from "../tiny-site.testing.ts";
import { securityHeaders } from "./security-headers.ts";

const { tinySite, get } = openTinySite();

describe("S1 headers of every answer", () => {
  test.each(["/", "/gone", "/broken", "/healthz", "/api/nothing", "/assets/nothing.js"])(
    "S1 %s has every security header",
    async (path) => {
      const { headers } = await get(path);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
      expect(headers.get("permissions-policy")).toContain("camera=()");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("content-security-policy")).not.toContain("unsafe");
      expect(headers.get("x-request-id")).toMatch(/^[\w.-]{8,64}$/);
      expect(headers.get("strict-transport-security"), "only over https").toBeNull();
    },
  );

  test("S1 over https browsers get HSTS and upgrade-insecure-requests", async () => {
    const secure = testApp([one], tinySite, {
      config: { publicScheme: "https", trustProxy: false, metricsToken: null },
    });
    const answer = await secure.app.request("http://one.test/", { headers: { host: "one.test" } });
    expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
    expect(answer.headers.get("content-security-policy")).toContain("upgrade-insecure-requests");
  });

  test.each([true, false])("S1 HSTS covers the hosts below a brand's: %s, on every answer", async (hstsSubdomains) => {
    const config = { publicScheme: "https", hstsSubdomains, trustProxy: false, metricsToken: null } as const;
    const { app } = testApp([one], tinySite, { config });
    for (const path of ["/", "/gone", "/healthz", "/api/nothing", "/assets/nothing.js"]) {
      const { headers } = await app.request(`http://one.test${path}`, { headers: { host: "one.test" } });
      expect(headers.get("strict-transport-security"), path).toBe(
        hstsSubdomains ? "max-age=31536000; includeSubDomains" : "max-age=31536000",
      );
    }
    expect(securityHeaders(config)["Strict-Transport-Security"]?.includes("includeSubDomains")).toBe(hstsSubdomains);
  });

  test("S1 a page's policy names its own script and the page does not show the nonce", async () => {
    const answer = await get("/");
    const hash = createHash("sha256").update("hydrate()").digest("base64");
    expect(answer.headers.get("content-security-policy")).toContain(`script-src 'self' 'sha256-${hash}'`);
    expect(await answer.text()).toContain("<script>hydrate()</script>");
  });
});

describe("S1 headers of files", () => {
  const file = (type: string) => {
    const files = async () => new Response("x", { headers: { "Content-Type": type } });
    return testApp([one], tinySite, { files }).app.request("http://one.test/assets/x", {
      headers: { host: "one.test" },
    });
  };

  test.each(["text/javascript; charset=utf-8", "text/css", "font/woff2", "image/png"])(
    "S1 %s has nosniff, and no header that concerns documents only",
    async (type) => {
      const { headers } = await file(type);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toBeNull();
      expect(headers.get("permissions-policy")).toBeNull();
    },
  );

  test.each(["image/svg+xml", "text/html", "application/json", "text/plain", "application/pdf"])(
    "S1 %s, which a browser may display directly, has every security header",
    async (type) => {
      const { headers } = await file(type);
      expect(headers.get("content-security-policy")).toContain("sandbox");
      expect(headers.get("x-frame-options")).toBe("DENY");
    },
  );
});
