import { createSandbox } from "../create-sandbox.ts";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TransactionRow } from "../network/transactions.ts";
import { pushShape } from "../testing/awin-shapes.ts";
import { sampleProgrammes } from "../testing/sample-catalogue.ts";
import { shapeProblems } from "../testing/shape-problems.ts";
import { startTestSandbox, TEST_PUBLISHER_ID, TEST_TOKEN, type TestSandbox } from "../testing/start-test-sandbox.ts";
import { buyFirst, clickThrough, Visitor } from "../testing/visitor.ts";

let testSandbox: TestSandbox;
beforeAll(async () => {
  testSandbox = await startTestSandbox();
});
afterAll(() => testSandbox.end());
beforeEach(async () => {
  await testSandbox.json("POST", "/control/reset");
  testSandbox.receiver.received.length = 0;
});

const transactions = (): Promise<TransactionRow[]> => testSandbox.json("GET", "/control/transactions");

const withoutVat = (pence: number) => Math.round(pence / 1.2);

describe("C2 a retailer's shop", () => {
  test.each(sampleProgrammes.map((one) => [one.name, new URL(one.displayUrl).hostname.split(".")[1] ?? ""]))(
    "C2 %s has a shop with a dozen products, without inline script",
    async (name, slug) => {
      const visitor = await new Visitor(testSandbox).get(`/shops/${slug}/`);
      expect(visitor.status).toBe(200);
      expect(visitor.text).toContain(`<h1>${name.replace("&", "&amp;")}</h1>`);
      expect(visitor.text.match(/<h3>/g)).toHaveLength(12);
      expect(visitor.text).not.toMatch(/<script|style=|\son\w+=/);
    },
  );

  test("C2 the shop has a stylesheet, pictures and a policy that allows no script", async () => {
    const page = await testSandbox.call("/shops/bluebottle/");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    const picture = /src="([^"]+\.svg)"/.exec(await page.text())?.[1] ?? "";
    expect((await testSandbox.call(picture)).headers.get("content-type")).toBe("image/svg+xml");
    expect((await testSandbox.call("/shops/bluebottle/shop.css")).headers.get("content-type")).toContain("text/css");
  });

  test("C2 a purchase after a click is recorded as pending and pushed in Awin's format", async () => {
    const visitor = await clickThrough(new Visitor(testSandbox), 5001, "member-click", "&clickref3=extra");
    const orderRef = await buyFirst(visitor);
    expect(orderRef).toMatch(/^FB-\d{8}$/);
    const [row] = await transactions();
    expect(row).toMatchObject({
      order_ref: orderRef,
      status: "pending",
      click_ref: "member-click",
      advertiser_id: 5001,
    });
    expect(row?.commission_pence).toBe(Math.floor((row!.sale_pence * 600 + 5000) / 10_000));
    await testSandbox.settle();
    expect(testSandbox.receiver.received).toHaveLength(1);
    const [push] = testSandbox.receiver.received;
    expect(push?.contentType).toContain("application/x-www-form-urlencoded");
    expect([...(push?.fields.keys() ?? [])]).toEqual(["AwinTransactionPush"]);
    expect(shapeProblems(push?.message, pushShape)).toEqual([]);
    expect(push?.message).toMatchObject({
      transactionId: String(row?.id),
      clickRef: "member-click",
      clickRef3: "extra",
      merchantId: "5001",
      affiliateId: "100001",
    });
  });

  test("C2 a purchase without a click, or after refusing cookies, is not reported", async () => {
    const passerBy = await new Visitor(testSandbox).get("/shops/fernhollow-boots/");
    expect(await buyFirst(passerBy)).not.toBe("");
    const shy = await clickThrough(new Visitor(testSandbox), 5001, "shy");
    await shy.post("/shops/fernhollow-boots/cookies", { choice: "necessary", back: "/shops/fernhollow-boots/" });
    expect(await buyFirst(shy)).not.toBe("");
    expect(shy.text).toContain("you allowed only necessary cookies");
    expect(await transactions()).toEqual([]);
  });

  test("C2 an invented checksum, or another shop's, is not reported", async () => {
    const forger = await new Visitor(testSandbox).get(
      "/shops/fernhollow-boots/?awc=5001_1700000000_0123456789abcdef0123456789abcdef",
    );
    await buyFirst(forger);
    const elsewhere = await clickThrough(new Visitor(testSandbox), 5003, "elsewhere");
    const awc = elsewhere.url.searchParams.get("awc");
    await buyFirst(await new Visitor(testSandbox).get(`/shops/fernhollow-boots/?awc=${awc}`));
    expect(await transactions()).toEqual([]);
  });

  test("C2 the same purchase sent twice is one order", async () => {
    const visitor = await clickThrough(new Visitor(testSandbox), 5001, "twice");
    await visitor.post("/shops/fernhollow-boots/basket", { sku: visitor.field("sku") });
    const once = visitor.field("once");
    await visitor.post("/shops/fernhollow-boots/orders", { once });
    const first = visitor.url.pathname;
    await visitor.post("/shops/fernhollow-boots/orders", { once });
    expect(visitor.url.pathname).toBe(first);
    expect(await transactions()).toHaveLength(1);
  });

  test("O3 a published code reduces the price and is reported to the network", async () => {
    const visitor = await clickThrough(new Visitor(testSandbox), 5001, "with-code");
    await buyFirst(visitor, { voucher: " fern15 " });
    const [row] = await transactions();
    const products = JSON.parse(row?.products ?? "[]") as { unitPence: number }[];
    const goods = products.reduce((sum, one) => sum + one.unitPence, 0);
    expect(row).toMatchObject({
      voucher_code: "FERN15",
      sale_pence: withoutVat(goods - Math.floor((goods * 15) / 100)),
    });
  });

  test("C5 the network gets the price without VAT and delivery, which basket and order show beside the total", async () => {
    const visitor = await clickThrough(new Visitor(testSandbox), 5001, "with-vat");
    await buyFirst(visitor);
    const [row] = await transactions();
    const [{ unitPence: goods }] = JSON.parse(row?.products ?? "[]") as [{ unitPence: number }];
    expect(row?.sale_pence).toBe(withoutVat(goods));
    const shown = (name: string) =>
      new RegExp(`<dt[^>]*>${name}</dt>\\s*<dd[^>]*>(£[\\d.]+|Free)</dd>`).exec(visitor.text)?.[1];
    expect(shown("Price without VAT and delivery")).toBe(`£${((row?.sale_pence ?? 0) / 100).toFixed(2)}`);
    const delivery = goods < 40_00 ? 3_95 : 0;
    expect(shown("Total")).toBe(`£${((goods + delivery) / 100).toFixed(2)}`);
    expect(shown("Delivery")).toBe(delivery ? "£3.95" : "Free");
  });

  test.each([
    ["an expired code", "OLDBOOT", "has expired"],
    ["another shop's code", "LATER", "recognise"],
    ["an invented code", "<b>FREE</b>", "recognise"],
  ])("O3 refuses %s and says why", async (_what, code, words) => {
    const visitor = await new Visitor(testSandbox).get("/shops/fernhollow-boots/");
    await visitor.post("/shops/fernhollow-boots/basket", { sku: visitor.field("sku") });
    await visitor.post("/shops/fernhollow-boots/basket/voucher", { code });
    expect(visitor.text).toContain(words);
    expect(visitor.text).not.toContain("<b>FREE</b>");
  });

  test("O4 a personal code is accepted once", async () => {
    const first = await new Visitor(testSandbox).get("/shops/otterly-and-pike/");
    await buyFirst(first, { voucher: "otte-yhpx-6xu8" });
    expect(first.text).toContain("Discount with OTTE-YHPX-6XU8");
    const second = await new Visitor(testSandbox).get("/shops/otterly-and-pike/");
    await second.post("/shops/otterly-and-pike/basket", { sku: second.field("sku") });
    await second.post("/shops/otterly-and-pike/basket/voucher", { code: "OTTE-YHPX-6XU8" });
    expect(second.text).toContain("has been used");
  });

  test("C5 new and existing customers have their own commission groups", async () => {
    for (const customer of ["new", "existing"])
      await buyFirst(await clickThrough(new Visitor(testSandbox), 5003, customer), { customer });
    const codes = (await transactions()).map((row) => [
      row.click_ref,
      (JSON.parse(row.parts) as { groupCode: string }[])[0]?.groupCode,
    ]);
    expect(Object.fromEntries(codes)).toEqual({ new: "NEW", existing: "EXISTING" });
  });

  test("C2 the shop sells in the advertiser's currency", async () => {
    await buyFirst(await clickThrough(new Visitor(testSandbox), 5004, "euro"));
    expect((await transactions())[0]?.currency).toBe("EUR");
  });

  test("S1 only the visitor who placed an order can see it", async () => {
    const buyer = await clickThrough(new Visitor(testSandbox), 5001, "mine");
    await buyFirst(buyer);
    const stranger = await new Visitor(testSandbox).get(buyer.url.pathname);
    expect(stranger.text).not.toContain("Thank you for your order");
  });

  test("S1 the cookie form redirects within the shop only, and posts from other sites are refused", async () => {
    const visitor = await new Visitor(testSandbox).post("/shops/bluebottle/cookies", {
      choice: "all",
      back: "https://evil.example/",
    });
    expect(visitor.url.pathname).toBe("/shops/bluebottle/");
    const foreign = await testSandbox.call("/network/reset", {
      method: "POST",
      headers: { Origin: "https://evil.example" },
    });
    expect(foreign.status).toBe(403);
  });

  test("C2 an unknown shop returns 404", async () => {
    expect((await testSandbox.call("/shops/nobody/")).status).toBe(404);
  });
});

describe("R1 the sandbox's state", () => {
  test("R1 a click before a restart is tracked after it, and an unsent push is sent", async () => {
    const first = await startTestSandbox();
    await first.json("PUT", "/control/switches", { delaySeconds: 3600 });
    const visitor = await clickThrough(new Visitor(first), 5001, "before-restart");
    await buyFirst(visitor);
    await first.sandbox.close();
    const later = Date.now() + 2 * 3600_000;
    const again = await createSandbox({
      dataDir: first.folder,
      catalogueDir: join(first.folder, "catalogue"),
      pushUrl: first.receiver.url,
      publisherId: TEST_PUBLISHER_ID,
      apiToken: TEST_TOKEN,
      now: () => later,
    });
    first.sandbox = again;
    await again.fetch(new Request("http://sandbox.test/control/pushes/settle", { method: "POST" }));
    expect(first.receiver.received.map((push) => push.message.clickRef)).toEqual(["before-restart"]);
    const rows = (await (
      await again.fetch(new Request("http://sandbox.test/control/transactions"))
    ).json()) as TransactionRow[];
    expect(rows).toHaveLength(1);
    await again.close();
    await first.receiver.close();
  });
});
