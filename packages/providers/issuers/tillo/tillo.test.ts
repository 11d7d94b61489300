import { IssuerUnavailableError } from "@farthing/core/gift-cards/issuer.ts";
import { expect, test } from "vitest";
import { startTestSandbox } from "../../../../sandbox/testing/start-test-sandbox.ts";
import { endlessAnswer } from "../../endless-answer.testing.ts";
import { issuerContract } from "../contract.testing.ts";
import { createTilloIssuer } from "./tillo-issuer.ts";
import { penceToPounds, poundsToPence } from "./tillo-money.ts";
import { signTillo } from "./tillo-signature.ts";

const keys = { apiKey: "key-of-tests", secret: "secret-of-tests" };
const settings = { ...keys, apiUrl: "http://sandbox.test/tillo", sector: "gift-card-mall" };
const order = { clientReference: "line-of-a-test", issuerProductId: "sandbox-fixed", faceValuePence: 2500 };

issuerContract("Tillo", async () => {
  const stand = await startTestSandbox({ issuer: keys });
  const asked: typeof fetch = async (url, init) => stand.sandbox.fetch(new Request(url as URL, init));
  const faults = (changes: object) => stand.json("PUT", "/control/issuer/faults", changes).then(() => {});
  return {
    issuer: createTilloIssuer(settings, { fetch: asked }),
    unreachable: createTilloIssuer({ ...settings, apiUrl: "http://127.0.0.1:1" }),
    products: {
      fixed: { id: "sandbox-fixed", amountPence: 2500, wrongPence: 2600 },
      range: { id: "sandbox-range", amountPence: 1234, wrongPence: 100 },
      final: { id: "sandbox-final", amountPence: 2000, wrongPence: 100 },
    },
    async reset() {
      await stand.json("POST", "/control/issuer/reset");
      await stand.json("PUT", "/control/scenario", { clock: null });
    },
    outOfStock: (id) => faults({ outOfStock: [id] }),
    amountGone: (id, amountPence) => faults({ goneAmounts: [`${id}:${penceToPounds(amountPence)}`] }),
    setFloat: async (pence) => void (await stand.json("PUT", "/control/issuer/float", { pence })),
    holdOrders: () => faults({ pendingSeconds: 4 * 3600 }),
    async finishOrders() {
      const at = new Date(Date.now() + 5 * 3600_000).toISOString();
      await stand.json("PUT", "/control/scenario", { clock: { at } });
    },
    loseNextAnswer: () => faults({ loseAnswers: 1 }),
    refuseDuplicates: () => faults({ refuseDuplicates: true }),
    tooLateToReverse: () => faults({ tooLate: true }),
    withdraw: (id) => faults({ withdrawn: [id] }),
    changeDiscount: (id, bp) => faults({ discounts: { [id]: (bp / 100).toFixed(2) } }),
    async liveCards() {
      const cards = await stand.json<{ reversed_at: number | null }[]>("GET", "/control/issuer/cards");
      return cards.filter(({ reversed_at }) => reversed_at === null).length;
    },
    end: () => stand.end(),
  };
});

test("G5 requests are signed over key, method, endpoint, values and time", () => {
  const request = { method: "POST", endpoint: "digital-issue", values: ["ref-1", "brand", "GBP", "10.00"] };
  // openssl dgst -sha256 -hmac secret <<< "key-POST-digital-issue-ref-1-brand-GBP-10.00-1700000000000" (without newline)
  expect(signTillo({ apiKey: "key", secret: "secret" }, { ...request, timestamp: 1_700_000_000_000 })).toBe(
    "d4f76b49344f5594bcd9e642ffbb930c90a03022634eec73c1356f0fe2dee884",
  );
});

test("S1 a wrong secret is refused, and the message names the settings and quotes no answer", async () => {
  const stand = await startTestSandbox({ issuer: keys });
  const asked: typeof fetch = async (url, init) => stand.sandbox.fetch(new Request(url as URL, init));
  const wrong = createTilloIssuer({ ...settings, secret: "another" }, { fetch: asked });
  await expect(wrong.issue(order)).rejects.toThrow(/TILLO_API_SECRET/);
  const late = createTilloIssuer(settings, { fetch: asked, now: () => new Date(Date.now() - 3_600_000) });
  await expect(late.issue(order)).rejects.toThrow(IssuerUnavailableError);
  await stand.end();
});

const answering = (status: number, body: string) =>
  createTilloIssuer(settings, { fetch: async () => new Response(body, { status }) });

test.each([
  ["an HTML page", 200, "<h1>code SECRET-CODE</h1>"],
  ["half an answer", 200, '{"code":"000","data":{"code":"SECRET-CODE"'],
  ["a card without its cost", 200, '{"code":"000","data":{"status":"SUCCESS","code":"SECRET-CODE"}}'],
  ["a retailer that is down", 503, '{"code":"603","message":"SECRET-CODE"}'],
  ["a status of the future", 200, '{"code":"000","data":{"status":"DREAMING"}}'],
  ["too many requests", 429, '{"code":"610"}'],
])("G5 %s says nothing about the card, and its text is quoted nowhere", async (_, status, body) => {
  const error: unknown = await answering(status, body)
    .issue(order)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(IssuerUnavailableError);
  expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain("SECRET-CODE");
});

test("G5 R1 an answer that never ends is let go, and says nothing about the card", async () => {
  const { answer, response } = endlessAnswer();
  const issuer = createTilloIssuer(settings, { fetch: async () => response() });
  await expect(issuer.issue(order)).rejects.toThrow(IssuerUnavailableError);
  expect(answer.isCancelled).toBe(true);
  expect(answer.takenBytes).toBeLessThan(34_000_000);
});

test("G5 a card of another value or brand is never taken for ours", async () => {
  const data = { status: "SUCCESS", reference: "r", brand: "sandbox-fixed", code: "CODE" };
  for (const changed of [
    { face_value: { amount: "20.00", currency: "GBP" } },
    { brand: "another" },
    { face_value: { amount: "25.00", currency: "EUR" } },
  ]) {
    const face = { amount: "25.00", currency: "GBP" };
    const body = JSON.stringify({ code: "000", data: { ...data, face_value: face, cost_value: face, ...changed } });
    await expect(answering(200, body).issue(order)).rejects.toThrow(IssuerUnavailableError);
  }
});

test("G6 a balance can be asked for again: each question has an id of its own", async () => {
  const ids: string[] = [];
  const issuer = createTilloIssuer(settings, {
    fetch: async (_, init) => {
      const { client_request_id: id } = JSON.parse(String(init?.body)) as { client_request_id: string };
      if (ids.includes(id)) return Response.json({ code: "076", status: "error" }, { status: 409 });
      ids.push(id);
      return Response.json({ code: "000", data: { balance: { amount: "7.50", currency: "GBP" } } });
    },
  });
  const card = { ...order, issuerReference: "r" };
  expect([await issuer.balance(card), await issuer.balance(card)]).toEqual([750, 750]);
  for (const id of ids) expect(id).toMatch(/^[\w-]{5,50}$/);
});

test("G5 amounts are read to the penny, and nothing else is an amount", () => {
  expect(["10", "10.5", "10.50", "0.01", "1234567.89"].map(poundsToPence)).toEqual([1000, 1050, 1050, 1, 123_456_789]);
  for (const text of ["", "-1", "1e3", "10.505", "ten", "1,000", "12345678"]) expect(poundsToPence(text)).toBeNull();
  expect([5, 50, 1050].map(penceToPounds)).toEqual(["0.05", "0.50", "10.50"]);
});
