import { afterAll, expect, test } from "vitest";
import { startTestSandbox } from "../testing/start-test-sandbox.ts";

const stand = await startTestSandbox();
afterAll(() => stand.end());

const post = (path: string, fields: Record<string, string>) =>
  stand.call(path, { method: "POST", body: new URLSearchParams(fields) });
const page = async () => (await stand.call("/issuer")).text();

test("G5 the console sets each fault and the float, and says what was done", async () => {
  expect(await page()).toContain("Nobody has ordered a card.");
  const saved = await post("/issuer/faults", {
    ...{ down: "on", tooLate: "on", loseAnswers: "2", hang: "1", pendingSeconds: "14400" },
    ...{ outOfStock: "one, two", goneAmounts: "one:25.00", withdrawn: "three", discounts: "one=2.00 two=lots" },
  });
  expect(saved.headers.get("location")).toMatch(/^\/issuer\?done=Faults/);
  expect(await stand.json("GET", "/control/issuer/faults")).toEqual({
    ...{ down: true, tooLate: true, refuseDuplicates: false, loseAnswers: 2, hang: 1, pendingSeconds: 14_400 },
    ...{ outOfStock: ["one", "two"], goneAmounts: ["one:25.00"], withdrawn: ["three"], discounts: { one: "2.00" } },
  });
  await post("/issuer/float", { pounds: "12.34" });
  expect(await page()).toContain('value="12.34"');
  expect((await stand.call("/tillo/api/v2/brands")).status).toBe(503);
  await post("/issuer/reset", {});
  expect(await stand.json("GET", "/control/issuer/faults")).toMatchObject({ down: false, outOfStock: [] });
  expect(await page()).toContain('value="10000.00"');
});

test("S1 an unsigned call, and a form from another site, change nothing", async () => {
  expect((await stand.call("/tillo/api/v2/brands")).status).toBe(401);
  const foreign = await stand.call("/issuer/float", {
    method: "POST",
    headers: { origin: "https://evil.example" },
    body: new URLSearchParams({ pounds: "0" }),
  });
  expect(foreign.status).toBe(403);
  expect(await page()).toContain('value="10000.00"');
});
