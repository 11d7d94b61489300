import { createHash } from "node:crypto";
import { suspendPartner } from "@farthing/core/partners/operations.server.ts";
import { foreignPaths } from "@farthing/core/partners/foreign-paths.testing.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { frameServer, setCookieOf } from "./frames.testing.ts";
import { directive, reportOf, redirectServer } from "./redirect.testing.ts";

const { db } = await testDatabase();
const { get, post, mint, address, clock, partner, asked, lines, site, openFrame } = await redirectServer(db);

describe("W9 /redirect with a valid token", () => {
  test("W9 answers with the page at path, without a redirect, for the partner's visitor", async () => {
    const { response, html, bearer } = await openFrame("/pay?amount=1234");
    expect(response.status).toBe(200);
    expect(html).toContain("/pay?amount=1234 for a stranger");
    expect(html).toContain(`"partner":{"publicId":"${partner.publicId}","name":"Larder Lane"}`);
    expect(html).toContain(`"origin":"https://shop.example","bearer":"${bearer}"`);
  });

  test("W9 only the token's origin may frame it, not the partner's other one nor *; there is no X-Frame-Options", async () => {
    const { response } = await openFrame();
    expect(directive(response, "frame-ancestors")).toBe("frame-ancestors https://shop.example");
    expect(response.headers.has("x-frame-options")).toBe(false);
  });

  test("W9 the page is not cached and sends no referrer, and the other security headers stay", async () => {
    const { response } = await openFrame();
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(directive(response, "script-src")).not.toContain("unsafe");
  });

  test("W9 the first script replaces the URL by path, and the answer does not contain the token", async () => {
    const { response, html, token } = await openFrame("/pay?amount=1234");
    const scripts = [...html.matchAll(/<script>(.*?)<\/script>/g)].map(([, body = ""]) => body);
    expect(scripts[0]).toContain('history.replaceState(history.state,"","/pay?amount=1234")');
    const hash = createHash("sha256")
      .update(scripts[0] ?? "")
      .digest("base64");
    expect(directive(response, "script-src")).toContain(`'sha256-${hash}'`);
    expect(html).not.toContain(token);
    expect([...response.headers].join("\n")).not.toContain(token);
    expect(asked.map(({ url }) => url).join("\n")).not.toContain("token");
  });

  test("W9 a path can't end the script that contains it", async () => {
    const { html } = await openFrame('/pay?a=</script><script>alert(1)</script>"');
    expect(html).not.toContain("<script>alert(1)");
    expect(html.match(/replaceState/g)).toHaveLength(1);
  });

  test("W9 sets a partitioned cookie for frames in other sites", async () => {
    const cookie = setCookieOf((await openFrame()).response);
    expect(cookie?.name).toBe("farthing_widget");
    expect(cookie?.value).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(cookie?.attributes.sort()).toEqual([
      "HttpOnly",
      "Max-Age=1800",
      "Partitioned",
      "Path=/",
      "SameSite=None",
      "Secure",
    ]);
  });

  test("W9 over https the cookie is bound to its host", async () => {
    const secure = frameServer(db, site, { publicScheme: "https" });
    const response = await secure.get(secure.address("/pay", await secure.mint(partner)));
    const cookie = setCookieOf(response);
    expect(cookie?.name).toBe("__Host-farthing_widget");
    expect(cookie?.attributes.some((attribute) => attribute.startsWith("Domain"))).toBe(false);
    expect(response.headers.has("strict-transport-security")).toBe(true);
  });

  test("W9 a frame is rendered without a member, and without a member's cookies", async () => {
    const response = await get(address("/retailers", await mint(partner)), { cookie: "farthing_session=good" });
    expect(await response.text()).toContain("/retailers for a stranger");
    expect(asked.at(-1)?.cookie).toBeNull();
  });

  test("W9 the status of the page is kept", async () => {
    expect((await get(address("/search/nothing", await mint(partner)))).status).toBe(404);
  });
});

describe("W9 redirects of the site itself", () => {
  test.each([
    ["/search/moved-path", "/pay/there"],
    ["/search/moved", null],
  ])("W9 %s is not answered with a redirect", async (path, ends) => {
    const response = await get(address(path, await mint(partner)));
    expect(response.status).toBe(ends === null ? 404 : 200);
    expect(response.headers.has("location")).toBe(false);
    if (ends !== null) expect(await response.text()).toContain(`replaceState(history.state,"","${ends}")`);
  });

  test.each(["/search/away", "/search/loop", "/search/to-login"])(
    "W9 %s shows no page and does not redirect",
    async (path) => {
      const response = await get(address(path, await mint(partner)));
      expect([400, 404]).toContain(response.status);
      expect(response.headers.has("location")).toBe(false);
      expect(directive(response, "frame-ancestors")).toBe("frame-ancestors https://shop.example");
    },
  );
});

describe("W9 pages that no frame shows", () => {
  test.each([
    ...["/login", "/%6Cogin", "/profile", "/register", "/forgotten-password", "/redirect?path=/pay", "/go/offers/x"],
    ...["/nonsense", "/art/x", "/api/payments"],
  ])("W9 %s is refused before the token is spent, and the page around the frame is told why", async (path) => {
    const token = await mint(partner);
    const response = await get(address(path, token));
    expect(response.status).toBe(404);
    expect(response.headers.has("set-cookie")).toBe(false);
    expect(reportOf(await response.text())).toEqual({ status: 404, reason: "not-found", to: "https://shop.example" });
    expect((await get(address("/pay", token))).status).toBe(200);
  });
});

describe("W9 open redirect", () => {
  // The server refuses text with NUL before it reads the token.
  const vectors = foreignPaths.filter((path) => !path.includes("\u0000"));

  test.each(vectors)(
    "W9 path %j is refused with 400, framed by the partner's page, and spends no token",
    async (path) => {
      const token = await mint(partner);
      const response = await get(address(path, token));
      expect(response.status).toBe(400);
      expect(response.headers.has("location")).toBe(false);
      expect(response.headers.has("set-cookie")).toBe(false);
      expect(await response.text()).not.toContain("evil.example");
      expect(directive(response, "frame-ancestors")).toBe("frame-ancestors https://shop.example");
      expect((await get(address("/pay", token))).status).toBe(200);
    },
  );

  test("W9 S2 a path with a NUL is refused before anything is looked up, and spends no token", async () => {
    const token = await mint(partner);
    const response = await get(address("/pay\u0000", token));
    expect(response.status).toBe(400);
    expect(response.headers.has("location")).toBe(false);
    expect((await get(address("/pay", token))).status).toBe(200);
  });

  test.each(["/redirect", "/redirect?token=x", "/redirect?path=/pay&path=//evil.example&token=x"])(
    "W9 %s is refused, and any page around the frame is told",
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(400);
      expect(directive(response, "frame-ancestors")).toBe("frame-ancestors *");
      expect(reportOf(await response.text(), response)).toEqual({ status: 400, reason: "path", to: "*" });
    },
  );
});

describe("W9 /redirect with an invalid token", () => {
  test("W9 an address that is not UTF-8 is refused before the route, and the answer may not be framed", async () => {
    const response = await get("/redirect?path=%E0%A4%A&token=x");
    expect(response.status).toBe(400);
    expect(directive(response, "frame-ancestors")).toBe("frame-ancestors 'none'");
    expect(response.headers.has("x-frame-options")).toBe(true);
  });

  test("W9 a missing, invented or altered token gets a clear page with 401, which tells the page around it and nothing else", async () => {
    const token = await mint(partner);
    const swapped = `${token.slice(0, 10)}${token[10] === "A" ? "B" : "A"}${token.slice(11)}`;
    const before = asked.length;
    for (const path of [
      "/redirect?path=/pay",
      address("/pay", "x"),
      address("/pay", swapped),
      `${address("/pay", token)}&token=x`,
    ]) {
      const response = await get(path);
      expect(response.status).toBe(401);
      expect(directive(response, "frame-ancestors")).toBe("frame-ancestors *");
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
      expect(response.headers.has("set-cookie")).toBe(false);
      const html = await response.text();
      expect(reportOf(html, response)).toEqual({ status: 401, reason: "token", to: "*" });
      expect(html).not.toContain("Larder Lane");
      expect(html).toContain("This page can&#39;t be opened");
      expect(html).not.toMatch(/\bat .*\.ts|stack/i);
    }
    expect(asked.length).toBe(before);
  });

  test("W9 a replay is answered with 410, without the page, its data or a session, and only the partner may frame it", async () => {
    const { token } = await openFrame();
    const before = asked.length;
    const replay = await get(address("/pay", token));
    expect(replay.status).toBe(410);
    expect(asked.length).toBe(before);
    const html = await replay.text();
    expect(html).not.toContain("bearer");
    expect(reportOf(html, replay)).toEqual({ status: 410, reason: "spent", to: "https://shop.example" });
    expect(replay.headers.has("set-cookie")).toBe(false);
    expect(directive(replay, "frame-ancestors")).toBe("frame-ancestors https://shop.example");
  });

  test("W9 a token that is a minute old is answered with 401 and an explanation", async () => {
    const token = await mint(partner);
    clock.now = new Date(clock.now.getTime() + 60_000);
    const response = await get(address("/pay", token));
    expect(response.status).toBe(401);
    const html = await response.text();
    expect(html).toContain("That took too long");
    expect(reportOf(html, response)).toEqual({ status: 401, reason: "expired", to: "https://shop.example" });
  });

  test("W9 a suspended partner's token is answered with 401, and the page around the frame is told", async () => {
    const other = await makePartner(db);
    const token = await mint(other);
    await suspendPartner(db, { partnerId: other.id, now: clock.now });
    const response = await get(address("/pay", token));
    expect(response.status).toBe(401);
    expect(reportOf(await response.text(), response)).toEqual({ status: 401, reason: "withdrawn", to: "*" });
  });

  test("P7 every page of this route has its controller on the body, whatever was refused", async () => {
    const spent = await openFrame();
    const late = await mint(partner);
    const answers = [
      await get(address("/pay", "x")),
      await get(address("https://evil.example", await mint(partner))),
      await get(address("/search/to-login", await mint(partner))),
      await get(address("/pay", spent.token)),
      await post("/redirect", "a=b", { "content-type": "application/x-www-form-urlencoded" }),
    ];
    clock.now = new Date(clock.now.getTime() + 60_000);
    answers.push(await get(address("/pay", late)));
    expect(answers.map(({ status }) => status)).toEqual([401, 400, 404, 410, 405, 401]);
    for (const answer of answers)
      expect.soft(await answer.text()).toContain('<body data-controller="redirects" data-action="show">');
  });

  test("W9 HEAD and POST spend no token", async () => {
    const token = await mint(partner);
    expect((await get(address("/pay", token), {}, "HEAD")).status).toBe(405);
    expect(
      (await post(address("/pay", token), "a=b", { "content-type": "application/x-www-form-urlencoded" })).status,
    ).toBe(405);
    expect((await get(address("/pay", token))).status).toBe(200);
  });
});

describe("W9 the log", () => {
  test("W9 no line contains token, bearer or path, whatever the outcome", async () => {
    const { token, bearer } = await openFrame("/pay?note=private-note");
    await get(address("/pay", token));
    await get("/pay", { authorization: `Bearer ${bearer}`, cookie: `farthing_widget=${bearer}` });
    await get(address("//evil.example", token));
    const broken = await mint(partner);
    expect((await get(address("/search/broken", broken))).status).toBe(500);
    expect(lines.filter(({ route }) => route === "/redirect").length).toBeGreaterThan(3);
    const log = JSON.stringify(lines);
    for (const secret of [token, broken, bearer, "private-note", "evil.example"]) expect(log).not.toContain(secret);
  });
});
