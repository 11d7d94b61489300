import { createSandbox } from "../create-sandbox.ts";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TransactionRow } from "../network/transactions.ts";
import { pushShape } from "../testing/awin-shapes.ts";
import { sampleProgrammes } from "../testing/sample-catalogue.ts";
import { shapeProblems } from "../testing/shape-problems.ts";
import { startTestSandbox, testPublisherId, testToken, type TestSandbox } from "../testing/start-test-sandbox.ts";
import { buyFirst, clickThrough, Visitor } from "../testing/visitor.ts";

let test: TestSandbox;
beforeAll(async () => {
  test = await startTestSandbox();
});
afterAll(() => test.end());
beforeEach(async () => {
  await test.json("POST", "/control/reset");
  test.receiver.received.length = 0;
});

const transactions = (): Promise<TransactionRow[]> => test.json("GET", "/control/transactions");

const withoutVat = (pence: number) => Math.round(pence / 1.2);

describe("C2 a retailer's shop", () => {
  it.each(sampleProgrammes.map((one) => [one.name, new URL(one.displayUrl).hostname.split(".")[1] ?? ""]))(
    "C2 %s has a shop with a dozen products, without inline script",
    async (name, slug) => {
      const visitor = await new Visitor(test).get(`/shops/${slug}/`);
      expect(visitor.status).toBe(200);
      expect(visitor.text).toContain(`<h1>${name.replace("&", "&amp;")}</h1>`);
      expect(visitor.text.match(/<h3>/g)).toHaveLength(12);
      expect(visitor.text).not.toMatch(/<script|style=|\son\w+=/);
    },
  );

  it("C2 sends a stylesheet, pictures and a policy that allows no script", async () => {
    const page = await test.call("/shops/bluebottle/");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    const picture = /src="([^"]+\.svg)"/.exec(await page.text())?.[1] ?? "";
    expect((await test.call(picture)).headers.get("content-type")).toBe("image/svg+xml");
    expect((await test.call("/shops/bluebottle/shop.css")).headers.get("content-type")).toContain("text/css");
  });

  it("C2 a purchase after a click is recorded as pending and pushed in Awin's format", async () => {
    const visitor = await clickThrough(new Visitor(test), 5001, "member-click", "&clickref3=extra");
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
    await test.settle();
    expect(test.receiver.received).toHaveLength(1);
    const [push] = test.receiver.received;
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

  it("C2 a purchase without a click, or after refusing cookies, is not reported", async () => {
    const passerBy = await new Visitor(test).get("/shops/fernhollow-boots/");
    expect(await buyFirst(passerBy)).not.toBe("");
    const shy = await clickThrough(new Visitor(test), 5001, "shy");
    await shy.post("/shops/fernhollow-boots/cookies", { choice: "necessary", back: "/shops/fernhollow-boots/" });
    expect(await buyFirst(shy)).not.toBe("");
    expect(shy.text).toContain("you allowed only necessary cookies");
    expect(await transactions()).toEqual([]);
  });

  it("C2 an invented checksum, or another shop's, is not reported", async () => {
    const forger = await new Visitor(test).get(
      "/shops/fernhollow-boots/?awc=5001_1700000000_0123456789abcdef0123456789abcdef",
    );
    await buyFirst(forger);
    const elsewhere = await clickThrough(new Visitor(test), 5003, "elsewhere");
    const awc = elsewhere.url.searchParams.get("awc");
    await buyFirst(await new Visitor(test).get(`/shops/fernhollow-boots/?awc=${awc}`));
    expect(await transactions()).toEqual([]);
  });

  it("C2 the same purchase sent twice is one order", async () => {
    const visitor = await clickThrough(new Visitor(test), 5001, "twice");
    await visitor.post("/shops/fernhollow-boots/basket", { sku: visitor.field("sku") });
    const once = visitor.field("once");
    await visitor.post("/shops/fernhollow-boots/orders", { once });
    const first = visitor.url.pathname;
    await visitor.post("/shops/fernhollow-boots/orders", { once });
    expect(visitor.url.pathname).toBe(first);
    expect(await transactions()).toHaveLength(1);
  });

  it("O3 takes a published code off the price, and tells the network of it", async () => {
    const visitor = await clickThrough(new Visitor(test), 5001, "with-code");
    await buyFirst(visitor, { voucher: " fern15 " });
    const [row] = await transactions();
    const products = JSON.parse(row?.products ?? "[]") as { unitPence: number }[];
    const goods = products.reduce((sum, one) => sum + one.unitPence, 0);
    expect(row).toMatchObject({
      voucher_code: "FERN15",
      sale_pence: withoutVat(goods - Math.floor((goods * 15) / 100)),
    });
  });

  it("C5 the network hears the price without VAT and delivery, which basket and order show beside what was paid", async () => {
    const visitor = await clickThrough(new Visitor(test), 5001, "with-vat");
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

  it.each([
    ["an expired code", "OLDBOOT", "has expired"],
    ["another shop's code", "LATER", "recognise"],
    ["an invented code", "<b>FREE</b>", "recognise"],
  ])("O3 refuses %s and says why", async (_what, code, words) => {
    const visitor = await new Visitor(test).get("/shops/fernhollow-boots/");
    await visitor.post("/shops/fernhollow-boots/basket", { sku: visitor.field("sku") });
    await visitor.post("/shops/fernhollow-boots/basket/voucher", { code });
    expect(visitor.text).toContain(words);
    expect(visitor.text).not.toContain("<b>FREE</b>");
  });

  it("O4 takes a personal code once", async () => {
    const first = await new Visitor(test).get("/shops/otterly-and-pike/");
    await buyFirst(first, { voucher: "otte-yhpx-6xu8" });
    expect(first.text).toContain("Discount with OTTE-YHPX-6XU8");
    const second = await new Visitor(test).get("/shops/otterly-and-pike/");
    await second.post("/shops/otterly-and-pike/basket", { sku: second.field("sku") });
    await second.post("/shops/otterly-and-pike/basket/voucher", { code: "OTTE-YHPX-6XU8" });
    expect(second.text).toContain("has been used");
  });

  it("C5 new and existing customers fall in their own commission groups", async () => {
    for (const customer of ["new", "existing"])
      await buyFirst(await clickThrough(new Visitor(test), 5003, customer), { customer });
    const codes = (await transactions()).map((row) => [
      row.click_ref,
      (JSON.parse(row.parts) as { groupCode: string }[])[0]?.groupCode,
    ]);
    expect(Object.fromEntries(codes)).toEqual({ new: "NEW", existing: "EXISTING" });
  });

  it("C2 sells in the advertiser's currency", async () => {
    await buyFirst(await clickThrough(new Visitor(test), 5004, "euro"));
    expect((await transactions())[0]?.currency).toBe("EUR");
  });

  it("S1 shows an order only to the visitor who placed it", async () => {
    const buyer = await clickThrough(new Visitor(test), 5001, "mine");
    await buyFirst(buyer);
    const stranger = await new Visitor(test).get(buyer.url.pathname);
    expect(stranger.text).not.toContain("Thank you for your order");
  });

  it("S1 the cookie form goes nowhere else, and posts from other sites are refused", async () => {
    const visitor = await new Visitor(test).post("/shops/bluebottle/cookies", {
      choice: "all",
      back: "https://evil.example/",
    });
    expect(visitor.url.pathname).toBe("/shops/bluebottle/");
    const foreign = await test.call("/network/reset", { method: "POST", headers: { Origin: "https://evil.example" } });
    expect(foreign.status).toBe(403);
  });

  it("C2 an unknown shop is a 404", async () => {
    expect((await test.call("/shops/nobody/")).status).toBe(404);
  });
});

describe("R1 the sandbox's memory", () => {
  it("R1 a click made before a restart is tracked after it, and a push not sent yet is sent", async () => {
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
      publisherId: testPublisherId,
      apiToken: testToken,
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
