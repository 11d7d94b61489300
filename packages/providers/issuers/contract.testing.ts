import { IssuerUnavailableError, type CardIssuer, type CardOrder } from "@farthing/core/gift-cards/issuer.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

/** An issuer under test, and what the world does to it. Every product here is reversible but `final`. */
export interface IssuerStand {
  issuer: CardIssuer;
  /** The same issuer, whose API does not answer. */
  unreachable: CardIssuer;
  /** Products on sale, with an amount that each has and one that it does not have. */
  products: Record<"fixed" | "range" | "final", { id: string; amountPence: number; wrongPence: number }>;
  /** Everything works again, and no order is known. */
  reset(): Promise<void>;
  outOfStock(productId: string): Promise<void>;
  amountGone(productId: string, amountPence: number): Promise<void>;
  setFloat(pence: number): Promise<void>;
  /** New orders stay in progress until `finishOrders`. */
  holdOrders(): Promise<void>;
  finishOrders(): Promise<void>;
  /** The next order is carried out, and its answer is lost. */
  loseNextAnswer(): Promise<void>;
  /** A repeated reference is refused instead of answered. */
  refuseDuplicates(): Promise<void>;
  tooLateToReverse(): Promise<void>;
  /** The product leaves the catalogue. */
  withdraw(productId: string): Promise<void>;
  changeDiscount(productId: string, basisPoints: number): Promise<void>;
  /** Cards that were made and not reversed. */
  liveCards(): Promise<number>;
  end(): Promise<void>;
}

/** What every issuer promises (G5). No case is optional. */
export function issuerContract(name: string, open: () => Promise<IssuerStand>): void {
  describe(`G5 ${name} as an issuer of gift cards`, () => {
    let stand: IssuerStand;
    let orders = 0;
    beforeAll(async () => {
      stand = await open();
    });
    beforeEach(() => stand.reset());
    afterAll(() => stand.end());

    const order = (kind: keyof IssuerStand["products"] = "fixed"): CardOrder => {
      const { id, amountPence } = stand.products[kind];
      orders += 1;
      return { clientReference: `line-${orders}-${kind}`, issuerProductId: id, faceValuePence: amountPence };
    };
    const issued = async (card: CardOrder) => {
      const answer = await stand.issuer.issue(card);
      if (answer.outcome !== "issued") throw new Error(`The order was answered with ${answer.outcome}.`);
      return answer.card;
    };

    test("G5 the catalogue has fixed amounts and ranges, discounts, terms and places", async () => {
      const catalogue = await stand.issuer.catalogue();
      const find = (kind: keyof IssuerStand["products"]) =>
        catalogue.find(({ issuerProductId }) => issuerProductId === stand.products[kind].id);
      expect(find("fixed")?.amounts).toMatchObject({
        kind: "fixed",
        amountsPence: expect.arrayContaining([stand.products.fixed.amountPence]) as unknown,
      });
      expect(find("range")?.amounts).toMatchObject({ kind: "range" });
      for (const product of catalogue) {
        expect(product.issuerDiscountBp).toBeGreaterThanOrEqual(0);
        expect(product.redeemableAt.length).toBeGreaterThan(0);
        expect(product.name).not.toBe("");
      }
      expect(find("fixed")).toMatchObject({ isOnSale: true, isReversible: true });
      expect(find("final")?.isReversible).toBe(false);
    });

    test("G5 a card is issued with its code and cost, and the cost leaves the float", async () => {
      const before = await stand.issuer.float();
      const card = await issued(order());
      expect(card.faceValuePence).toBe(stand.products.fixed.amountPence);
      expect(card.code.length).toBeGreaterThan(5);
      expect(card.costPence).toBeLessThanOrEqual(card.faceValuePence);
      expect(await stand.issuer.float()).toBe(before - card.costPence);
    });

    test("G5 the same reference is the same card, one after the other and at once", async () => {
      const card = order();
      const answers = await Promise.all([issued(card), issued(card), issued(card)]);
      answers.push(await issued(card));
      expect(new Set(answers.map(({ code }) => code)).size).toBe(1);
      expect(await stand.liveCards()).toBe(1);
    });

    test("G5 two references are two cards", async () => {
      const [first, second] = [await issued(order()), await issued(order())];
      expect(first.code).not.toBe(second.code);
      expect(await stand.liveCards()).toBe(2);
    });

    test("G5 a duplicate that is refused is read instead", async () => {
      const card = order();
      const first = await issued(card);
      await stand.refuseDuplicates();
      expect(await issued(card)).toEqual(first);
      expect(await stand.liveCards()).toBe(1);
    });

    test("G5 an order whose answer was lost is found by its reference", async () => {
      const card = order();
      await stand.loseNextAnswer();
      await expect(stand.issuer.issue(card)).rejects.toThrow(IssuerUnavailableError);
      await issued(card);
      expect(await stand.liveCards()).toBe(1);
    });

    test("G5 an order in progress is pending until it is done", async () => {
      const card = order();
      await stand.holdOrders();
      expect(await stand.issuer.issue(card)).toEqual({ outcome: "pending" });
      expect(await stand.issuer.issue(card)).toEqual({ outcome: "pending" });
      expect(await stand.issuer.reverse(card)).toBe("pending");
      await stand.finishOrders();
      await issued(card);
      expect(await stand.liveCards()).toBe(1);
    });

    test("G5 without stock there is no card, and the stock check says so", async () => {
      const { id, amountPence } = stand.products.fixed;
      const asked = { issuerProductId: id, faceValuePence: amountPence };
      expect(await stand.issuer.checkStock(asked)).toBe("in-stock");
      await stand.outOfStock(id);
      expect(await stand.issuer.checkStock(asked)).toBe("out-of-stock");
      expect(await stand.issuer.issue(order())).toEqual({ outcome: "out-of-stock" });
      expect(await stand.liveCards()).toBe(0);
    });

    test("G5 an amount that is gone, or never was, makes no card", async () => {
      const { id, amountPence, wrongPence } = stand.products.fixed;
      await stand.amountGone(id, amountPence);
      for (const faceValuePence of [amountPence, wrongPence]) {
        const asked = { issuerProductId: id, faceValuePence };
        expect(await stand.issuer.checkStock(asked)).toBe("denomination-unavailable");
        expect(await stand.issuer.issue({ ...order(), faceValuePence })).toEqual({
          outcome: "denomination-unavailable",
        });
      }
      expect(await stand.liveCards()).toBe(0);
    });

    test("G5 without float there is no card, and with float again there is", async () => {
      const card = order();
      await stand.setFloat(10);
      expect(await stand.issuer.issue(card)).toEqual({ outcome: "insufficient-float" });
      await stand.setFloat(100_000);
      await issued(card);
      expect(await stand.liveCards()).toBe(1);
    });

    test("G5 a card is reversed once, and its cost returns to the float", async () => {
      const before = await stand.issuer.float();
      const card = order();
      await issued(card);
      expect(await stand.issuer.reverse(card)).toBe("reversed");
      expect(await stand.issuer.reverse(card)).toBe("reversed");
      expect(await stand.issuer.float()).toBe(before);
      expect(await stand.liveCards()).toBe(0);
      // A reversed order is over: asking again makes no card.
      expect((await stand.issuer.issue(card)).outcome).toBe("refused");
      expect(await stand.liveCards()).toBe(0);
    });

    test("G5 what was never ordered is never reversed, and late or final cards stay", async () => {
      expect(await stand.issuer.reverse(order())).toBe("never-issued");
      const final = order("final");
      await issued(final);
      expect(await stand.issuer.reverse(final)).toBe("not-reversible");
      const late = order();
      await issued(late);
      await stand.tooLateToReverse();
      expect(await stand.issuer.reverse(late)).toBe("too-late");
      expect(await stand.liveCards()).toBe(2);
    });

    test("G5 the balance of a card is its face value until it is spent", async () => {
      const card = order("range");
      const { issuerReference, faceValuePence } = await issued(card);
      expect(await stand.issuer.balance({ ...card, issuerReference })).toBe(faceValuePence);
    });

    test("G5 the catalogue changes under way: a product goes, a discount falls", async () => {
      await stand.withdraw(stand.products.range.id);
      await stand.changeDiscount(stand.products.fixed.id, 100);
      const catalogue = await stand.issuer.catalogue();
      expect(catalogue.some(({ issuerProductId }) => issuerProductId === stand.products.range.id)).toBe(false);
      const fixed = catalogue.find(({ issuerProductId }) => issuerProductId === stand.products.fixed.id);
      expect(fixed?.issuerDiscountBp).toBe(100);
      expect((await stand.issuer.issue(order("range"))).outcome).not.toBe("issued");
      const { costPence, faceValuePence } = await issued(order());
      expect(costPence).toBe(faceValuePence * 0.99);
    });

    test("P6 an API that does not answer is reported as unavailable, and quotes nothing", async () => {
      const card = order();
      const calls = [
        () => stand.unreachable.catalogue(),
        () => stand.unreachable.checkStock(card),
        () => stand.unreachable.issue(card),
        () => stand.unreachable.reverse(card),
        () => stand.unreachable.balance({ ...card, issuerReference: "r" }),
        () => stand.unreachable.float(),
      ];
      for (const call of calls) await expect(call()).rejects.toThrow(IssuerUnavailableError);
    });
  });
}
