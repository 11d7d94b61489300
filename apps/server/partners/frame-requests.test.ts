import { suspendPartner } from "@farthing/core/partners/operations.server.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { setCookieOf } from "./frames.testing.ts";
import { directive, reportOf, redirectServer } from "./redirect.testing.ts";

const { db } = await testDatabase();
const { get, post, mint, address, clock, partner, asked, openFrame } = await redirectServer(db);

describe("W9 later requests of the frame", () => {
  test.each(["/pay", "/pay/done", "/%70ay", "/PAY", "/pay.data"])(
    "W9 %s without a session is 401, for members too, and never cached",
    async (path) => {
      const before = asked.length;
      const response = await get(path, { cookie: "farthing_session=good" });
      expect(response.status).toBe(401);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(directive(response, "frame-ancestors")).toBe("frame-ancestors 'none'");
      expect(asked.length).toBe(before);
    },
  );

  test("W9 with the cookie, or with the bearer token alone, the page answers the same visitor, framed by the same origin only", async () => {
    const { bearer } = await openFrame();
    for (const headers of [{ cookie: `a=b; farthing_widget=${bearer}` }, { authorization: `Bearer ${bearer}` }]) {
      const response = await get("/pay", headers as Record<string, string>);
      expect(response.status).toBe(200);
      expect(directive(response, "frame-ancestors")).toBe("frame-ancestors https://shop.example");
      expect(response.headers.has("x-frame-options")).toBe(false);
      expect(response.headers.get("cache-control")).toBe("no-store");
      const html = await response.text();
      expect(html).toContain(`"publicId":"${partner.publicId}"`);
      expect(html).not.toContain(bearer);
    }
  });

  test("W9 the next visitor gets none of the last one's pages, and a wrong bearer token gets 401", async () => {
    const one = await openFrame();
    const two = await openFrame();
    await get("/pay", { cookie: `farthing_widget=${one.bearer}` });
    const html = await (await get("/pay", { cookie: `farthing_widget=${two.bearer}` })).text();
    const idOf = (text: string) => /"sessionId":"([^"]+)"/.exec(text)?.[1];
    expect(idOf(html)).toBe(idOf(two.html));
    expect(idOf(html)).not.toBe(idOf(one.html));
    expect((await get("/pay")).status).toBe(401);
    expect(
      (await get("/pay", { authorization: `Bearer ${"A".repeat(43)}`, cookie: `farthing_widget=${two.bearer}` }))
        .status,
    ).toBe(401);
  });

  test("W9 the frame's cookie does not make other pages frameable, and does not sign in", async () => {
    const { bearer } = await openFrame();
    const response = await get("/retailers", { cookie: `farthing_widget=${bearer}` });
    expect(directive(response, "frame-ancestors")).toBe("frame-ancestors 'none'");
    expect(response.headers.get("x-frame-options")).toBe("DENY");
    expect(await response.text()).toContain("for a stranger, no widget");
  });

  const walk = (path: string, bearer: string, more: Record<string, string> = {}) =>
    get(path, { cookie: `farthing_widget=${bearer}; farthing_session=good`, "sec-fetch-dest": "iframe", ...more });

  test("W9 a person walks on in the frame: its session shows the product's pages, to that partner's page only, without the member", async () => {
    const { bearer } = await openFrame("/search?q=tea");
    for (const path of ["/", "/search?q=tea", "/retailers/boots", "/offers/boots"]) {
      const response = await walk(path, bearer);
      expect(response.status, path).toBe(200);
      expect(directive(response, "frame-ancestors")).toBe("frame-ancestors https://shop.example");
      expect(response.headers.has("x-frame-options")).toBe(false);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.text()).toContain(`for a stranger, {"sessionId":`);
    }
  });

  test("W9 a page with Cross-Origin-Embedder-Policy can show every page of the frame, errors too", async () => {
    const { bearer, token, response } = await openFrame();
    const refused = await walk("/login", bearer);
    for (const framed of [response, await walk("/retailers", bearer), await get(address("/pay", token)), refused]) {
      expect(framed.headers.get("cross-origin-embedder-policy")).toBe("require-corp");
      expect(framed.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    }
  });

  test.each(["/login", "/profile", "/register", "/forgotten-password", "/partners", "/nonsense"])(
    "W9 %s never shows in the frame: a link to it does, and the page around is told",
    async (path) => {
      const { bearer } = await openFrame();
      const before = asked.length;
      const response = await walk(`${path}?a=%22%3E`, bearer);
      const html = await response.text();
      expect(asked.length).toBe(before);
      expect(response.status).toBe(403);
      expect(html).toContain(`<a href="http://one.test${path}?a=%22%3E" target="_blank" rel="noopener noreferrer">`);
      expect(reportOf(html, response)).toEqual({ status: 403, reason: "not-framed", to: "https://shop.example" });
    },
  );

  test("W9 a second token opens a second page in a frame that has a session already", async () => {
    const { bearer } = await openFrame();
    const response = await walk(address("/pay", await mint(partner)), bearer);
    expect(response.status).toBe(200);
  });

  test("W9 outside a frame, its session lets no page be framed", async () => {
    const { bearer } = await openFrame();
    const response = await walk("/retailers", bearer, { "sec-fetch-dest": "document" });
    expect(directive(response, "frame-ancestors")).toBe("frame-ancestors 'none'");
    expect(response.headers.get("x-frame-options")).toBe("DENY");
  });

  test.each(["/login", "/profile", "/register", "/partners", "/nonsense"])(
    "W9 %s stays blocked in a frame without a session",
    async (path) => {
      const response = await get(path, { "sec-fetch-dest": "iframe" });
      expect(directive(response, "frame-ancestors")).toBe("frame-ancestors 'none'");
      expect(response.headers.get("x-frame-options")).toBe("DENY");
    },
  );

  test("W9 a frame without a session, or whose session is over, shows a sentence instead of a page, and the page around it is told", async () => {
    const { bearer } = await openFrame();
    const before = asked.length;
    const invented = await walk("/retailers", "A".repeat(43));
    const without = await get("/retailers", { "sec-fetch-dest": "iframe", cookie: "farthing_session=good" });
    clock.now = new Date(clock.now.getTime() + 31 * 60_000);
    for (const response of [invented, without, await walk("/pay", bearer), await walk("/retailers", bearer)]) {
      expect(response.status).toBe(401);
      expect(response.headers.get("cache-control")).toBe("no-store");
      const html = await response.text();
      expect(html).toContain("Reload the page around it");
      // Of a browser that keeps no cookies in frames, another load alone is no help.
      expect(html).toContain("allow cookies for this site");
      expect(reportOf(html, response)).toEqual({ status: 401, reason: "session-ended", to: "*" });
    }
    expect(asked.length).toBe(before);
  });

  test("W9 a suspended partner's frame goes no further", async () => {
    const other = await makePartner(db);
    const opened = await get(address("/search", await mint(other)));
    const bearer = setCookieOf(opened)?.value ?? "";
    await suspendPartner(db, { partnerId: other.id, now: clock.now });
    const response = await walk("/search", bearer);
    expect(reportOf(await response.text(), response)).toMatchObject({ reason: "session-ended" });
  });

  test("W9 a page that fails to render is reported to the page around the frame", async () => {
    const response = await get(address("/search/broken", await mint(partner)));
    expect(response.status).toBe(500);
    expect(directive(response, "frame-ancestors")).toBe("frame-ancestors https://shop.example");
    expect(reportOf(await response.text(), response)).toEqual({
      status: 500,
      reason: "error",
      to: "https://shop.example",
    });
  });

  test("W9 a post of another site with the frame's cookie is refused", async () => {
    const { bearer } = await openFrame();
    const form = { "content-type": "application/x-www-form-urlencoded", cookie: `farthing_widget=${bearer}` };
    const before = asked.length;
    for (const from of ["cross-site", "same-site"])
      expect((await post("/pay", "a=b", { ...form, "sec-fetch-site": from })).status).toBe(403);
    expect(asked.length).toBe(before);
    expect((await post("/pay", "a=b", { ...form, "sec-fetch-site": "same-origin" })).status).toBe(200);
  });

  test("W9 the session ends after half an hour", async () => {
    const { bearer } = await openFrame();
    clock.now = new Date(clock.now.getTime() + 30 * 60_000);
    expect((await get("/pay", { cookie: `farthing_widget=${bearer}` })).status).toBe(401);
  });
});
