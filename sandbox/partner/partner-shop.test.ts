import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { partnerShop } from "./partner-shop.ts";

const API_KEY = "fpk_shopshop_secret";
const asked: {
  authorization: string | undefined;
  body: { origin: string; reference: string; amountPence?: number };
}[] = [];
let refuse = false;

/** A stand-in for the payment service, with what this shop's server uses. */
const service = createServer((request: IncomingMessage, response) => {
  let text = "";
  request.on("data", (chunk: Buffer) => (text += chunk.toString()));
  request.on("end", () => {
    asked.push({ authorization: request.headers.authorization, body: JSON.parse(text) as never });
    response
      .writeHead(refuse ? 401 : 201, { "Content-Type": "application/json" })
      .end(JSON.stringify(refuse ? { title: "Unknown API key", detail: "Ask us." } : { token: `t-${asked.length}` }));
  });
});
let serviceUrl = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(() => {
  service.close();
  service.closeAllConnections();
});
beforeEach(() => {
  asked.length = 0;
  refuse = false;
});

const CARDS_ORIGIN = "http://localhost:9001";
const open = (path: string, init?: RequestInit) =>
  partnerShop(
    { serviceUrl, apiKey: API_KEY },
    { serviceUrl, publishableKey: "pk_test_1", cardScriptUrl: `${CARDS_ORIGIN}/cards/v3/` },
  ).request(`http://localhost:9002${path}`, init);

describe("Z7 the demo partner", () => {
  for (const path of ["/", "/react", "/shadow", "/gift-cards", "/playground"]) {
    test(`W10 ${path} has a new token for each view, fetched by the server; its key is in no page`, async () => {
      const texts = [await (await open(path)).text(), await (await open(path)).text()];
      expect(texts[0]).toContain('token="t-1"');
      expect(texts[1]).toContain('token="t-2"');
      expect(asked.map(({ authorization }) => authorization)).toEqual([`Bearer ${API_KEY}`, `Bearer ${API_KEY}`]);
      expect(asked[0]?.body).toMatchObject({ origin: "http://localhost:9002" });
      expect(texts[0]).toContain(asked[0]?.body.reference);
      // The shop's server fixes the price of the hamper, which the playground and the gift cards do without.
      const isPriced = path !== "/playground" && path !== "/gift-cards";
      expect(asked[0]?.body.amountPence).toBe(isPriced ? 3420 : undefined);
      expect(texts.join()).not.toContain("fpk_");
    });

    test(`W10 ${path} allows what the widget needs and nothing else, and is never cached`, async () => {
      const { headers } = await open(path);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain(`frame-src ${serviceUrl} ${CARDS_ORIGIN};`);
      expect(policy).not.toMatch(/unsafe|\*/);
      expect(headers.get("cache-control")).toBe("no-store");
    });
  }

  test("W10 without a token a page with an error replaces the widget", async () => {
    refuse = true;
    const answer = await open("/");
    const text = await answer.text();
    expect(answer.status).toBe(502);
    expect(text).toContain("Unknown API key");
    expect(text).not.toContain("<farthing-widget");
  });

  test("W10 another site's page can't get a token of this shop", async () => {
    const answer = await open("/token", { method: "POST", headers: { Origin: "http://evil.example" } });
    expect(answer.status).toBe(403);
    expect(asked).toEqual([]);
  });

  test.each([
    ["", "/portal"],
    ["?order=0123456789abcdef", "/portal/orders/0123456789abcdef"],
    ["?order=..%2F..%2Fpay%2Fxxxx", "/portal"],
    ["?order=%22%3E%3Cscript%3Exxx", "/portal"],
  ])("W8 G1 /gift-cards%s opens %s, and has payers come back to itself with the order", async (query, path) => {
    const text = await (await open(`/gift-cards${query}`)).text();
    expect(text).toContain(`path="${path}"`);
    expect(text).toContain("http://localhost:9002/gift-cards?order=ORDER&quot;");
    expect(text).not.toContain("<script>");
  });

  test("W6 /thanks escapes its parameters, and shows no thanks for a failed payment", async () => {
    const text = await (await open("/thanks?payment=%3Cb%3Ex&redirect_status=failed")).text();
    expect(text).toContain("Your payment was not made");
    expect(text).toContain("&lt;b&gt;x");
    expect(text).not.toContain("Thank you");
  });
});
