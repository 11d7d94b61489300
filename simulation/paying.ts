import { giveDetails } from "./bank-details.ts";
import type { Payment } from "./operator.ts";
import type { Step } from "./plan.ts";
import { randomOf } from "./random.ts";
import type { BankFate } from "./scale.ts";
import { THRESHOLD_PENCE } from "./seed.ts";
import { dayOf, memberName, type Payout } from "./truth.ts";
import { payableOf, type World } from "./world.ts";

/** Members withdraw, the operator pays, and the bank sends some of it back. */
export class Paying {
  readonly #world: World;
  readonly #payoutChance;
  readonly #open: { number: number; processingDay: string }[] = [];
  readonly #payments = new Map<string, { payment: Payment; payout: Payout }>();
  readonly #detailsOf = new Map<Payout, number>();
  #comingBack: string[] = [];
  /** What becomes of the payments that the bank has not decided about. */
  readonly #fates: BankFate[];

  constructor(world: World, fates: readonly BankFate[]) {
    this.#world = world;
    this.#fates = [...fates];
    this.#payoutChance = randomOf(world.scale.seed, "payouts");
  }

  async withdraw(touched: Set<number>): Promise<void> {
    const chance = this.#payoutChance;
    for (const [member, own] of this.#world.members.entries()) {
      const payable = payableOf(this.#world, member);
      const isOpen = this.#world.payouts.some(
        (payout) => payout.member === member && (payout.state === "requested" || payout.state === "processing"),
      );
      if (payable < THRESHOLD_PENCE || isOpen || own.isHeld || own.isSuspended || !chance.chance(0.5)) continue;
      touched.add(member);
      await own.browser.logIn();
      if (own.bank === null || chance.chance(0.1)) await giveDetails(this.#world, member);
      const answer = await own.browser.post("/money/withdraw", { intent: "withdraw" });
      if (answer.status !== 303)
        this.#world.differences.push({
          what: "payout",
          text: `${memberName(member)} could not withdraw: ${answer.status}`,
        });
      this.#world.payouts.push({
        member,
        amountPence: payable,
        lines: this.#world.sales
          .filter(({ plan }) => plan.member === member)
          .flatMap((sale) => sale.lines)
          .filter(({ state }) => state === "payable"),
        state: "requested",
        batch: null,
        reference: null,
      });
    }
  }

  async runPayouts(step: Step): Promise<void> {
    await this.#reportReturns();
    await this.#confirmBatches();
    if (step.batch) await this.#makeBatch();
  }

  async #makeBatch(): Promise<void> {
    const now = this.#world.stack.now();
    const wanted: Payout[] = [];
    for (const payout of this.#world.payouts.filter(({ state }) => state === "requested")) {
      const { bank, isHeld } = this.#world.members[payout.member]!;
      if (payableOf(this.#world, payout.member) < 0) payout.state = "over";
      else if (!isHeld && bank !== null && bank.usableFrom <= now) wanted.push(payout);
    }
    const payments = await this.#world.operator.makeBatch();
    for (const payout of wanted) {
      const at = payments.findIndex(
        ({ name, amountPence }) => name === memberName(payout.member) && amountPence === payout.amountPence,
      );
      const [payment] = at < 0 ? [] : payments.splice(at, 1);
      payout.state = "processing";
      this.#detailsOf.set(payout, this.#world.members[payout.member]!.bank?.version ?? 0);
      if (!payment) {
        this.#differPayout(
          `${memberName(payout.member)}'s £${(payout.amountPence / 100).toFixed(2)} is in no file for the bank`,
        );
        continue;
      }
      payout.batch = payment.batch;
      payout.reference = payment.reference;
      this.#payments.set(payment.reference, { payment, payout });
      if (!this.#open.some(({ number }) => number === payment.batch))
        this.#open.push({ number: payment.batch, processingDay: payment.processingDay });
    }
    for (const { name, amountPence } of payments)
      this.#differPayout(
        `the bank is told to pay ${name} £${(amountPence / 100).toFixed(2)}, which must not leave now`,
      );
  }

  async #confirmBatches(): Promise<void> {
    const today = dayOf(this.#world.stack.now());
    for (const batch of this.#open.filter(({ processingDay }) => processingDay < today)) {
      this.#open.splice(this.#open.indexOf(batch), 1);
      const own = [...this.#payments.values()].filter(({ payout }) => payout.batch === batch.number);
      const fates = new Map(own.map((one) => [one.payout, this.#fates.shift() ?? "pays"]));
      const failing = own.filter(({ payout }) => fates.get(payout) === "fails");
      if (failing.length > 0) await this.#fail(failing);
      await this.#world.operator.confirm(batch.number);
      for (const { payout } of own.filter(({ payout: { state } }) => state === "processing")) {
        payout.state = "paid";
        for (const line of payout.lines) {
          line.state = "paid";
          line.on.paid = today;
        }
        if (payout.reference !== null && fates.get(payout) === "comes back") this.#comingBack.push(payout.reference);
      }
    }
  }

  /** Payments that the bank sends back after it had paid them. */
  async #reportReturns(): Promise<void> {
    const back = this.#comingBack.map((reference) => this.#payments.get(reference)!);
    this.#comingBack = [];
    if (back.length > 0) await this.#fail(back);
  }

  async #fail(failing: readonly { payment: Payment; payout: Payout }[]): Promise<void> {
    const failures = failing.map(({ payment, payout }) => ({
      payment,
      payout,
      code: this.#payoutChance.pick(["0", "B", "C"]),
    }));
    await this.#world.operator.reportFailures(failures);
    for (const { payout, code } of failures) {
      this.#world.tally.add(
        payout.state === "paid" ? "a payment came back from the bank" : "a payment failed at the bank",
        1,
      );
      payout.state = "over";
      // Details that can't be paid to are removed, unless the member has given others since.
      if (code !== "C" && payout.reference !== null) this.#forgetDetails(payout);
    }
  }

  #forgetDetails(payout: Payout): void {
    const own = this.#world.members[payout.member]!;
    if (own.bank !== null && own.bank.version === this.#detailsOf.get(payout)) own.bank = null;
  }

  #differPayout(text: string): void {
    this.#world.differences.push({ what: "payout", text });
  }
}
