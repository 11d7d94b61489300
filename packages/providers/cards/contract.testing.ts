import {
  CardProviderRefusalError,
  CardProviderUnavailableError,
  type CardProvider,
} from "@farthing/core/payments/provider.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** A provider under test, and a payer. */
export interface CardStand {
  cards: CardProvider;
  /** The same provider, whose API does not answer. */
  unreachable: CardProvider;
  /** Confirms a payment, as the payer's browser does. */
  pay(payment: { providerPaymentId: string; clientSecret: string }, how: "good-card" | "declined-card"): Promise<void>;
  /** Answers at the bank's page, as the payer does. Returns the address that it sends the payer to. */
  answerAtBank(bankUrl: string, answer: "yes" | "no"): Promise<string>;
  cancel(providerPaymentId: string): Promise<void>;
  /** Creates a payment of the same account in euros, with our id in it. */
  payInEuros(paymentId: string): Promise<string>;
  /** Refunds some of a payment as a person does in the provider's dashboard. */
  refundElsewhere(providerPaymentId: string, amountPence: number): Promise<void>;
  /** Sends the newest refund of a payment back, as the payer's bank does. */
  failRefund(providerPaymentId: string): Promise<void>;
  /** Disputes a payment, as the payer's bank does, or takes its dispute a step further. */
  dispute(
    providerPaymentId: string,
    step: "inquire" | "open" | "escalate" | "respond" | "win" | "lose" | "close",
  ): Promise<void>;
  end(): Promise<void>;
}

/** Tests the contract of CardProvider (G3). */
export function cardProviderContract(name: string, open: () => Promise<CardStand>): void {
  describe(`G3 ${name} as a card provider`, () => {
    let stand: CardStand;
    beforeAll(async () => {
      stand = await open();
    });
    afterAll(() => stand.end());

    const start = async (amountPence = 1000, key: string = crypto.randomUUID()) => {
      const { customerId } = await stand.cards.createCustomer({ key: `customer:${key}` });
      return stand.cards.createPayment({
        key,
        paymentId: `payment-${key}`,
        customerId,
        amountPence,
        description: "Test",
      });
    };
    const observe = (payment: { providerPaymentId: string }) => stand.cards.findPayment(payment.providerPaymentId);

    test("G3 the same key makes one customer and one payment, also when both come at once", async () => {
      const [first, second] = await Promise.all([start(1000, "same-key"), start(1000, "same-key")]);
      expect(second).toEqual(first);
    });

    test("G3 the secret of a payment that was made can be read again", async () => {
      const { providerPaymentId, clientSecret } = await start(1000, "read-again");
      expect(await stand.cards.findClientSecret(providerPaymentId)).toBe(clientSecret);
    });

    test("G3 one key for two amounts is refused", async () => {
      await start(1000, "one-amount");
      await expect(start(1001, "one-amount")).rejects.toThrow(CardProviderRefusalError);
    });

    test("G3 a payment is seen as it is asked for, declined, taken, given back in part and whole", async () => {
      const payment = await start(1000, "whole-life");
      const asked = {
        providerPaymentId: payment.providerPaymentId,
        paymentId: "payment-whole-life",
        amountPence: 1000,
      };
      expect(await observe(payment)).toEqual({
        ...asked,
        status: "awaiting_payment",
        refundedPence: 0,
        failureCode: null,
      });
      await stand.pay(payment, "declined-card");
      expect(await observe(payment)).toEqual({
        ...asked,
        status: "failed",
        refundedPence: 0,
        failureCode: "generic_decline",
      });
      await stand.pay(payment, "good-card");
      expect(await observe(payment)).toEqual({ ...asked, status: "taken", refundedPence: 0, failureCode: null });
      await stand.cards.refund({
        key: "part",
        refundId: "ours",
        providerPaymentId: payment.providerPaymentId,
        amountPence: 400,
      });
      await stand.cards.refund({
        key: "part",
        refundId: "ours",
        providerPaymentId: payment.providerPaymentId,
        amountPence: 400,
      });
      expect(await observe(payment)).toMatchObject({ status: "taken", refundedPence: 400 });
      await stand.cards.refund({
        key: "rest",
        refundId: "ours-too",
        providerPaymentId: payment.providerPaymentId,
        amountPence: 600,
      });
      expect(await observe(payment)).toMatchObject({ status: "taken", refundedPence: 1000 });
    });

    test("G3 a cancelled payment is seen as such", async () => {
      const payment = await start();
      await stand.cancel(payment.providerPaymentId);
      expect(await observe(payment)).toMatchObject({ status: "cancelled" });
    });

    test("G3 a payment that waits is cancelled, once or twice; one that was paid stays paid", async () => {
      const payment = await start();
      const { providerPaymentId } = payment;
      await stand.cards.cancelPayment({ key: `cancel:${providerPaymentId}`, providerPaymentId });
      await stand.cards.cancelPayment({ key: `again:${providerPaymentId}`, providerPaymentId });
      expect(await observe(payment)).toMatchObject({ status: "cancelled" });
      const paid = await start();
      await stand.pay(paid, "good-card");
      const order = { key: `cancel:${paid.providerPaymentId}`, providerPaymentId: paid.providerPaymentId };
      await stand.cards.cancelPayment(order);
      expect(await observe(paid)).toMatchObject({ status: "taken" });
      const nobodys = { key: "cancel-nobodys", providerPaymentId: "pi_unknown" };
      await expect(stand.cards.cancelPayment(nobodys)).rejects.toThrow(CardProviderRefusalError);
    });

    test("G3 W8 a payment is made at the payer's bank, after one that the bank refused, and comes back to the address given", async () => {
      const payment = await start();
      const { providerPaymentId } = payment;
      const returnUrl = "https://shop.example/thanks?order=one";
      const atBank = async (key: string) => {
        const begun = await stand.cards.startAtBank({
          key: `${key}:${providerPaymentId}`,
          providerPaymentId,
          returnUrl,
        });
        return begun?.url ?? "";
      };
      expect(await stand.answerAtBank(await atBank("bank"), "no")).toContain(returnUrl);
      expect(await observe(payment)).toMatchObject({ status: "failed" });
      const url = await atBank("again");
      expect(await observe(payment)).toMatchObject({ status: "awaiting_payment" });
      expect(await stand.answerAtBank(url, "yes")).toContain(returnUrl);
      expect(await observe(payment)).toMatchObject({ status: "taken", amountPence: 1000 });
      const late = { key: `late:${providerPaymentId}`, providerPaymentId, returnUrl };
      expect(await stand.cards.startAtBank(late), "a payment that is made").toBeNull();
    });

    test("G3 more than was taken is not given back", async () => {
      const payment = await start();
      await stand.pay(payment, "good-card");
      const tooMuch = {
        key: "too-much",
        refundId: "ours",
        providerPaymentId: payment.providerPaymentId,
        amountPence: 1001,
      };
      await expect(stand.cards.refund(tooMuch)).rejects.toThrow(CardProviderRefusalError);
    });

    const paid = async (amountPence = 1000) => {
      const payment = await start(amountPence);
      await stand.pay(payment, "good-card");
      return payment.providerPaymentId;
    };

    test("G4 refunds are listed with our name, without one where a person made them, and as failed when they come back", async () => {
      const id = await paid();
      expect(await stand.cards.findRefunds(id)).toEqual([]);
      await stand.cards.refund({ key: `named:${id}`, refundId: "our-refund", providerPaymentId: id, amountPence: 300 });
      await stand.refundElsewhere(id, 200);
      const [ours, theirs, ...more] = await stand.cards.findRefunds(id);
      expect(ours).toMatchObject({ refundId: "our-refund", status: "done", amountPence: 300 });
      expect(theirs).toMatchObject({ refundId: null, status: "done", amountPence: 200 });
      expect(ours?.providerRefundId).not.toBe(theirs?.providerRefundId);
      expect(more).toEqual([]);
      await stand.failRefund(id);
      expect((await stand.cards.findRefunds(id)).map(({ status }) => status)).toEqual(["done", "failed"]);
      expect(await observe({ providerPaymentId: id })).toMatchObject({ refundedPence: 300 });
    });

    test("G3 a dispute is seen as it is opened, answered and lost, with the money and the fee that it takes", async () => {
      const id = await paid();
      expect(await stand.cards.findDisputes(id)).toEqual([]);
      await stand.dispute(id, "open");
      const [opened] = await stand.cards.findDisputes(id);
      expect(opened).toMatchObject({
        state: "needs_response",
        amountPence: 1000,
        withdrawnPence: 1000,
        hasEvidence: false,
      });
      expect(opened?.feePence).toBeGreaterThan(0);
      expect(opened?.evidenceDueAt?.getTime()).toBeGreaterThan(opened?.openedAt.getTime() ?? 0);
      await stand.dispute(id, "respond");
      expect(await stand.cards.findDisputes(id)).toMatchObject([{ state: "under_review", hasEvidence: true }]);
      await stand.dispute(id, "lose");
      expect(await stand.cards.findDisputes(id)).toMatchObject([{ state: "lost", withdrawnPence: 1000 }]);
    });

    test("G3 a won dispute brings the money back", async () => {
      const id = await paid();
      await stand.dispute(id, "open");
      await stand.dispute(id, "win");
      expect(await stand.cards.findDisputes(id)).toMatchObject([{ state: "won", withdrawnPence: 0 }]);
    });

    test("G3 an inquiry takes no money; it is dropped, or becomes a dispute", async () => {
      const [dropped, escalated] = [await paid(), await paid()];
      for (const id of [dropped, escalated]) {
        await stand.dispute(id, "inquire");
        expect(await stand.cards.findDisputes(id)).toMatchObject([
          { state: "inquiry", withdrawnPence: 0, feePence: 0 },
        ]);
      }
      await stand.dispute(dropped, "close");
      expect(await stand.cards.findDisputes(dropped)).toMatchObject([{ state: "closed", withdrawnPence: 0 }]);
      await stand.dispute(escalated, "escalate");
      expect(await stand.cards.findDisputes(escalated)).toMatchObject([
        { state: "needs_response", withdrawnPence: 1000 },
      ]);
    });

    test("C4 the balance is what was taken, less fees, refunds and disputes", async () => {
      const payment = await start(1000);
      const before = await stand.cards.findBalance();
      expect(await stand.cards.findFee(payment.providerPaymentId)).toBeNull();
      await stand.pay(payment, "good-card");
      const id = payment.providerPaymentId;
      const fee = (await stand.cards.findFee(id)) ?? 0;
      expect(fee).toBeGreaterThan(0);
      expect(await stand.cards.findBalance()).toBe(before + 1000 - fee);
      await stand.cards.refund({ key: `balance:${id}`, refundId: "balance", providerPaymentId: id, amountPence: 300 });
      expect(await stand.cards.findBalance()).toBe(before + 700 - fee);
      const disputed = await paid();
      const paidFee = (await stand.cards.findFee(disputed)) ?? 0;
      await stand.dispute(disputed, "open");
      const [dispute] = await stand.cards.findDisputes(disputed);
      expect(await stand.cards.findBalance()).toBe(before + 700 - fee - paidFee - (dispute?.feePence ?? 0));
      expect(await stand.cards.findFee("pi_unknown")).toBeNull();
    });

    test("G3 a refund beside a dispute is refused", async () => {
      const id = await paid();
      await stand.dispute(id, "open");
      const refund = { key: `beside:${id}`, refundId: "beside", providerPaymentId: id, amountPence: 100 };
      await expect(stand.cards.refund(refund)).rejects.toThrow(CardProviderRefusalError);
    });

    test("G3 disputed payments are listed from a moment on", async () => {
      const id = await paid();
      await stand.dispute(id, "open");
      const [dispute] = await stand.cards.findDisputes(id);
      const openedAt = dispute?.openedAt ?? new Date(0);
      expect(await stand.cards.listDisputedPayments({ since: openedAt })).toContain(id);
      const after = new Date(openedAt.getTime() + 24 * 60 * 60_000);
      expect(await stand.cards.listDisputedPayments({ since: after })).toEqual([]);
    });

    test("S1 an unknown payment is null, and one in another currency is not ours", async () => {
      expect(await observe({ providerPaymentId: "pi_unknown" })).toBeNull();
      const euros = await stand.payInEuros("payment-in-euros");
      expect(await observe({ providerPaymentId: euros })).toMatchObject({ paymentId: null });
    });

    test("G3 a customer's session is a secret of its own each time", async () => {
      const { customerId } = await stand.cards.createCustomer({ key: "customer-with-sessions" });
      const [first, second] = [
        await stand.cards.createCustomerSession({ customerId }),
        await stand.cards.createCustomerSession({ customerId }),
      ];
      expect(first.secret).not.toBe(second.secret);
    });

    test("P6 an API that does not answer is reported as unavailable", async () => {
      await expect(stand.unreachable.createCustomer({ key: "k" })).rejects.toThrow(CardProviderUnavailableError);
      const atBank = { key: "k", providerPaymentId: "pi_1", returnUrl: "https://shop.example/" };
      await expect(stand.unreachable.startAtBank(atBank)).rejects.toThrow(CardProviderUnavailableError);
      await expect(stand.unreachable.findPayment("pi_1")).rejects.toThrow(CardProviderUnavailableError);
      await expect(stand.unreachable.findRefunds("pi_1")).rejects.toThrow(CardProviderUnavailableError);
      await expect(stand.unreachable.findDisputes("pi_1")).rejects.toThrow(CardProviderUnavailableError);
      await expect(stand.unreachable.findFee("pi_1")).rejects.toThrow(CardProviderUnavailableError);
      await expect(stand.unreachable.findBalance()).rejects.toThrow(CardProviderUnavailableError);
      const since = new Date(0);
      await expect(stand.unreachable.listDisputedPayments({ since })).rejects.toThrow(CardProviderUnavailableError);
    });
  });
}
