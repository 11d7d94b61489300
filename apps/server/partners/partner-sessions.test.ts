import { readFileSync } from "node:fs";
import { revokeApiKey, suspendPartner } from "@farthing/core/partners/operations.server.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { mintAnswerSchema } from "@farthing/core/partners/schema.ts";
import { webhookEventKinds } from "@farthing/core/partners/webhook-rules.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { htmlPage } from "../app.testing.ts";
import { frameServer } from "./frames.testing.ts";
import { partnerApiDocument } from "./partner-api-document.ts";

const { db } = await testDatabase();
const server = frameServer(db, async (_, visit) => htmlPage("the page", visit));
const { get, post, clock } = server;
const partner = await makePartner(db, { origins: ["https://shop.example", "http://localhost:3002"] });

const mint = (body: unknown, { key = partner.key, ...headers }: Record<string, string> = {}) =>
  post("/api/partner/sessions", typeof body === "string" ? body : JSON.stringify(body), {
    "content-type": "application/json",
    authorization: `Bearer ${key}`,
    ...headers,
  });

interface ProblemBody {
  status: number;
  title: string;
  detail: string;
  errors?: { field: string; message: string }[];
}

/** Asserts the shape of a refusal (Z5). */
async function problemOf(response: Response): Promise<ProblemBody> {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const problem = (await response.json()) as ProblemBody;
  expect(problem.status).toBe(response.status);
  expect(problem.detail).toMatch(/\.$/);
  return problem;
}

describe("W10 POST /api/partner/sessions", () => {
  test("W10 returns a token that opens a frame of that origin once, and its expiry", async () => {
    const response = await mint({ origin: "https://shop.example", reference: "basket-7" });
    expect(response.status).toBe(201);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const answer = mintAnswerSchema.parse(await response.json());
    expect(Object.keys(answer)).toEqual(["sessionId", "token", "expiresAt", "redirectUrl"]);
    expect(new Date(answer.expiresAt).getTime() - clock.now.getTime()).toBe(60_000);
    expect(answer.redirectUrl).toBe(`http://one.test/redirect?path=%2Fpay&token=${answer.token}`);
    const frame = await get(answer.redirectUrl.slice("http://one.test".length));
    expect(frame.status).toBe(200);
    expect(frame.headers.get("content-security-policy")).toContain("frame-ancestors https://shop.example;");
    expect((await get(answer.redirectUrl.slice("http://one.test".length))).status).toBe(410);
  });

  test("W10 redirectUrl opens the requested path, encoded once", async () => {
    const response = await mint({ origin: "http://localhost:3002", path: "/pay?amount=1234" });
    const { redirectUrl } = mintAnswerSchema.parse(await response.json());
    expect(new URL(redirectUrl).searchParams.get("path")).toBe("/pay?amount=1234");
  });

  test("W10 a missing, wrong or revoked key gets the same 401, which says how to send a key", async () => {
    const other = await makePartner(db);
    await revokeApiKey(db, { prefix: other.prefix, now: clock.now });
    const body = { origin: "https://shop.example" };
    const answers = [
      await post("/api/partner/sessions", JSON.stringify(body), { "content-type": "application/json" }),
      await mint(body, { key: "nonsense" }),
      await mint(body, { key: `fpk_${partner.prefix}_${"A".repeat(43)}` }),
      await mint(body, { key: other.key }),
      await mint(body, { authorization: `Basic ${partner.key}` }),
    ];
    const problems = await Promise.all(answers.map(problemOf));
    expect(new Set(problems.map((problem) => JSON.stringify(problem))).size).toBe(1);
    expect(problems[0]?.status).toBe(401);
    expect(answers[0]?.headers.get("www-authenticate")).toContain("Bearer");
  });

  test("W10 a wrong key is told so first, whatever else is wrong with the request", async () => {
    const wrong = { key: `fpk_nobody_${"A".repeat(43)}` };
    for (const body of [{ origin: "no origin" }, {}, { origin: "https://nobody.example" }])
      expect((await problemOf(await mint(body, wrong))).status).toBe(401);
  });

  test("W10 an origin of another partner, and an unknown one, are refused with 403", async () => {
    await makePartner(db, { origins: ["https://theirs.example"] });
    for (const origin of ["https://theirs.example", "https://nobody.example", "https://shop.example:8443"]) {
      const problem = await problemOf(await mint({ origin }));
      expect(problem.status).toBe(403);
      expect(problem.detail).toContain(origin);
    }
  });

  test("W10 a suspended partner is told so", async () => {
    const other = await makePartner(db);
    await suspendPartner(db, { partnerId: other.id, now: clock.now });
    const problem = await problemOf(await mint({ origin: other.origin }, { key: other.key }));
    expect(problem).toMatchObject({ status: 403, title: "Partner suspended" });
  });

  test("W10 a call from a browser is refused, whatever its key: a key in a page is public", async () => {
    for (const site of ["cross-site", "same-origin", "none"]) {
      const response = await mint({ origin: "https://shop.example" }, { "sec-fetch-site": site });
      expect((await problemOf(response)).status).toBe(403);
      expect(response.headers.has("access-control-allow-origin")).toBe(false);
    }
  });

  test.each([
    [{}, "origin"],
    [{ origin: "*" }, "origin"],
    [{ origin: "https://*.shop.example" }, "origin"],
    [{ origin: "https://shop.example/" }, "origin"],
    [{ origin: "http://shop.example" }, "origin"],
    [{ origin: ["https://shop.example"] }, "origin"],
    [{ origin: "https://shop.example", reference: "" }, "reference"],
    [{ origin: "https://shop.example", reference: "x".repeat(101) }, "reference"],
    [{ origin: "https://shop.example", reference: "two\nlines" }, "reference"],
    [{ origin: "https://shop.example", path: "//evil.example" }, "path"],
    [{ origin: "https://shop.example", path: "/login" }, "path"],
    [{ origin: "https://shop.example", path: "/api/partner/sessions" }, "path"],
    [{ origin: "https://shop.example", path: "/no-such-page" }, "path"],
    [{ origin: "https://shop.example", amount: 5 }, "amount"],
    [null, "body"],
    [[], "body"],
  ])("S2 %j is refused with 422, which names the wrong field", async (body, field) => {
    const problem = await problemOf(await mint(body));
    expect(problem.status).toBe(422);
    expect(problem.errors?.map((error) => error.field)).toContain(field);
  });

  test("Z5 each field that there is not is named, with what to do", async () => {
    const problem = await problemOf(await mint({ origin: "https://shop.example", amount: 5, currency: "GBP" }));
    expect(problem.errors).toEqual([
      { field: "amount", message: "There is no such field: leave it out." },
      { field: "currency", message: "There is no such field: leave it out." },
    ]);
  });

  test("W9 a page that no frame may show is refused before the token is minted; every page that one may show is not", async () => {
    const origin = "https://shop.example";
    const problem = await problemOf(await mint({ origin, path: "/account/password" }));
    expect(problem.errors?.[0]?.message).toMatch(/^No frame may show this page\./);
    for (const path of ["/", "/pay", "/portal/basket", "/retailers?page=2", "/search?q=boots", "/faq"])
      expect((await mint({ origin, path })).status).toBe(201);
  });

  test("S2 a body that is not JSON is refused with a specific status", async () => {
    const ok = JSON.stringify({ origin: "https://shop.example" });
    expect((await problemOf(await mint("{"))).status).toBe(400);
    expect((await problemOf(await mint(ok, { "content-type": "text/plain" }))).status).toBe(415);
    expect((await problemOf(await mint(JSON.stringify({ origin: "x".repeat(9000) })))).status).toBe(413);
    expect((await problemOf(await get("/api/partner/sessions"))).status).toBe(405);
    expect((await problemOf(await get("/api/partner/nothing"))).status).toBe(404);
  });

  test.each([
    ["payments", "GET, HEAD"],
    ["payments/p-1", "GET, HEAD"],
    ["payments/p-1/refunds", "GET, HEAD, POST"],
    ["sessions", "POST"],
    ["webhooks", "GET, HEAD"],
    ["webhooks/w-1/rotate", "POST"],
    ["webhooks/w-1/test", "POST"],
    ["webhook-deliveries", "GET, HEAD"],
    ["webhook-deliveries/d-1", "GET, HEAD"],
    ["webhook-deliveries/d-1/replay", "POST"],
    ["openapi.json", "GET, HEAD"],
  ])("Z5 /api/partner/%s answers %s, and says so to every other method", async (path, allow) => {
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const { status, headers } = await get(`/api/partner/${path}`, {}, method);
      expect([method, status === 405]).toEqual([method, !allow.split(", ").includes(method)]);
      if (status === 405) expect([method, headers.get("allow")]).toEqual([method, allow]);
    }
  });

  test("S2 a reference of a hundred characters of any script is accepted", async () => {
    expect((await mint({ origin: "https://shop.example", reference: "é".repeat(100) })).status).toBe(201);
  });

  test("W10 beyond its tokens of the minute a partner gets 429 and Retry-After", async () => {
    const small = await makePartner(db, { mintsPerMinute: 1 });
    const body = { origin: small.origin };
    expect((await mint(body, { key: small.key })).status).toBe(201);
    const response = await mint(body, { key: small.key });
    expect((await problemOf(response)).status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("W10 no token is minted at a host without a brand", async () => {
    const response = await mint({ origin: "https://shop.example" }, { host: "other.test" });
    expect((await problemOf(response)).status).toBe(421);
  });

  test("S1 the log contains neither keys nor tokens", async () => {
    const { token } = mintAnswerSchema.parse(await (await mint({ origin: "https://shop.example" })).json());
    const log = JSON.stringify(server.lines);
    expect(log).toContain("/api/*");
    expect(log).not.toContain(partner.key);
    expect(log).not.toContain(token);
  });
});

describe("W10 what a refusal says of each field", () => {
  const errorsOf = async (response: Promise<Response> | Response) => {
    const answer = await response;
    expect(answer.status).toBe(422);
    return (await answer.json()) as { detail: string; errors: { field: string; message: string }[] };
  };
  const list = (query: string) =>
    errorsOf(get(`/api/partner/payments?${query}`, { authorization: `Bearer ${partner.key}` }));

  test.each([
    [{}, [{ field: "origin", message: "This is required: give it." }]],
    [{ origin: 7 }, [{ field: "origin", message: "Give a text." }]],
    [[], [{ field: "body", message: "Give a JSON object." }]],
    [
      { origin: "https://shop.example", amountPence: 3420, reference: "" },
      [{ field: "reference", message: "Leave it out, or give 1 to 100 characters." }],
    ],
    [
      { origin: "https://shop.example", amountPence: 3420 },
      [{ field: "reference", message: "Give a reference as well: a payment of a fixed price carries it." }],
    ],
  ])("W10 %j is told what to do, once a field", async (body, errors) => {
    expect((await errorsOf(mint(body))).errors).toEqual(errors);
  });

  test("W10 a wrong parameter is told as one, with the values that there are", async () => {
    const state = await list("state=nope");
    expect(state.errors).toEqual([
      { field: "state", message: expect.stringMatching(/^Give one of: created, .*, paid, /) },
    ]);
    const long = await list(`reference=${"x".repeat(101)}`);
    expect(long.errors).toEqual([{ field: "reference", message: "Give at most 100 characters." }]);
    const cursor = await list("cursor=nope");
    expect(cursor.errors).toMatchObject([{ field: "cursor" }]);
    for (const { detail } of [state, long, cursor])
      expect(detail).toBe("Correct the parameters below and send it again.");
  });
});

describe("W10 the description of the API", () => {
  test("W10 is served to any origin, and equals the one in docs/api", async () => {
    const response = await get("/api/partner/openapi.json");
    expect(response.status).toBe(200);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const document: unknown = await response.json();
    const written: unknown = JSON.parse(
      readFileSync(new URL("../../../docs/api/partners.openapi.json", import.meta.url), "utf8"),
    );
    expect(document).toEqual(written);
  });

  test("W10 has every event that is sent, and no other", () => {
    const { webhooks } = partnerApiDocument();
    expect(Object.keys(webhooks)).toEqual([...webhookEventKinds]);
    for (const kind of webhookEventKinds) {
      const { schema } = webhooks[kind]!.post.requestBody.content["application/json"];
      expect(schema.properties?.["type"]).toMatchObject({ const: kind });
    }
  });

  test("W10 what we send may get new fields, and what we are sent may not have unknown ones", () => {
    const { paths, webhooks } = partnerApiDocument();
    const requests: unknown[] = [];
    const sent = JSON.stringify({ paths, webhooks }, (name, value: unknown) => {
      if (name !== "requestBody" || Object.values(webhooks).some(({ post }) => post.requestBody === value))
        return value;
      requests.push(value);
      return undefined;
    });
    expect(sent).toContain('"failureCode"');
    expect(sent.split('"additionalProperties":false')).toHaveLength(1);
    expect(requests).toHaveLength(3);
    for (const request of requests) expect(JSON.stringify(request)).toContain('"additionalProperties":false');
  });

  const operations = Object.entries(partnerApiDocument().paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { responses: Record<string, { headers?: object }> }>).map(
      ([method, { responses }]) => ({ path, method, responses }),
    ),
  );

  test.each(operations)(
    "W10 has what $method $path answers to an unreadable address and while the database restarts",
    async ({ method, path, responses }) => {
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(["400", "503"]));
      for (const status of ["409", "429", "503"])
        if (responses[status]) expect(responses[status].headers, status).toHaveProperty("Retry-After");
      const address = `${path.replace("{id}", "x")}?reference=%FF`;
      const headers = { authorization: `Bearer ${partner.key}` };
      const { status } = await (method === "get" ? get(address, headers) : post(address, "{}", headers));
      expect(Object.keys(responses)).toContain(String(status));
    },
  );

  test("W10 has the 500 of a refund that a person has to look at", () => {
    const { responses } = partnerApiDocument().paths["/api/partner/payments/{id}/refunds"].post;
    expect(responses).toHaveProperty("500");
  });

  test("W10 documents every status that the tests above saw", () => {
    const { responses } = partnerApiDocument().paths["/api/partner/sessions"].post;
    expect(Object.keys(responses)).toEqual([
      "201",
      "400",
      "401",
      "403",
      "405",
      "409",
      "413",
      "415",
      "421",
      "422",
      "429",
      "503",
    ]);
  });
});
