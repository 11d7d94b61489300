import { giveDetails } from "./bank-details.ts";
import type { PlannedPurchase, Step } from "./plan.ts";
import { randomOf } from "./random.ts";
import { emailOf, THRESHOLD_PENCE } from "./seed.ts";
import { memberName } from "./truth.ts";
import { payableOf, type World } from "./world.ts";

/** Steps for which an account is suspended. */
const SUSPENDED_STEPS = 2;

/** The operator holds payouts on a suspicion and suspends accounts, and lifts both later. Money waits meanwhile, and nothing of it is lost. */
export class Guarding {
  readonly #world: World;
  readonly #clicks: ReadonlySet<string>;
  #held: { member: number; untilStep: number }[] = [];
  #suspended: { member: number; untilStep: number }[] = [];

  readonly #spared: ReadonlySet<number>;

  constructor(world: World, purchases: readonly PlannedPurchase[], spared: ReadonlySet<number>) {
    this.#world = world;
    this.#spared = spared;
    this.#clicks = new Set(purchases.map(({ member, clickStep }) => `${member} ${clickStep}`));
  }

  /** Lifts what ends at a step; everything, without one. Returns the members whose account opens again. */
  async lift(step: Step | null): Promise<number[]> {
    const isOver = ({ untilStep }: { untilStep: number }) => step === null || untilStep <= step.index;
    for (const { member } of this.#held.filter(isOver)) {
      await this.#world.operator.lift(await this.#world.books.memberNumber(memberName(member)));
      this.#world.members[member]!.isHeld = false;
    }
    const restored = this.#suspended.filter(isOver).map(({ member }) => member);
    for (const member of restored) {
      await this.#world.operator.restore(emailOf(member));
      this.#world.members[member]!.isSuspended = false;
    }
    this.#held = this.#held.filter((one) => !isOver(one));
    this.#suspended = this.#suspended.filter((one) => !isOver(one));
    return restored;
  }

  /** Before the operator pays: somebody who is about to be paid is held, or somebody who could ask; now and then an account is suspended. */
  async guard(step: Step): Promise<void> {
    const chance = randomOf(this.#world.scale.seed, `guard ${step.index}`);
    const candidates = [...this.#world.members.keys()].filter((member) => {
      const { isHeld, isSuspended } = this.#world.members[member]!;
      return !isHeld && !isSuspended;
    });
    const waiting = candidates.filter((member) => (step.batch ? this.#isAboutToBePaid(member) : this.#canAsk(member)));
    if (waiting.length > 0 && chance.chance(step.batch ? 0.7 : 0.3)) await this.#hold(chance.pick(waiting), step);
    const away = candidates.filter(
      (member) =>
        !this.#spared.has(member) &&
        !this.#clicks.has(`${member} ${step.index + 1}`) &&
        this.#world.sales.some(({ plan, lines }) => plan.member === member && lines.length > 0),
    );
    if (away.length > 0 && chance.chance(0.2)) await this.#suspend(chance.pick(away), step);
  }

  #isAboutToBePaid(member: number): boolean {
    const { bank } = this.#world.members[member]!;
    return (
      bank !== null &&
      bank.usableFrom <= this.#world.stack.now() &&
      this.#world.payouts.some((payout) => payout.member === member && payout.state === "requested")
    );
  }

  #canAsk(member: number): boolean {
    const isOpen = this.#world.payouts.some(
      (payout) => payout.member === member && (payout.state === "requested" || payout.state === "processing"),
    );
    return !isOpen && payableOf(this.#world, member) >= THRESHOLD_PENCE;
  }

  async #hold(member: number, step: Step): Promise<void> {
    const own = this.#world.members[member]!;
    const canAsk = this.#canAsk(member);
    await own.browser.logIn();
    if (canAsk && own.bank === null) await giveDetails(this.#world, member); // only the hold must stand in the way
    const reason = `Three accounts share a device, step ${step.index}`;
    const listed = await this.#world.operator.hold(await this.#world.books.memberNumber(memberName(member)), reason);
    if (!listed)
      this.#world.differences.push({ what: "unexplained", text: `The hold of ${memberName(member)} has no reason` });
    own.isHeld = true;
    this.#held.push({ member, untilStep: step.index + 1 });
    this.#world.tally.add("a payout was held on a suspicion", 1);
    if (canAsk) this.#world.tally.add("a member on hold asked in vain for what they have", 1);
    // Asking changes nothing, and the page says why.
    const answer = await own.browser.post("/money/withdraw", { intent: "withdraw" });
    const { text } = await own.browser.getSignedIn("/money/withdraw");
    if (answer.location.includes("note=requested") || !/on hold/i.test(text))
      this.#world.differences.push({
        what: "payout",
        text: `${memberName(member)} is on hold, could ask for a payout, or does not read why not: ${answer.location}`,
      });
  }

  async #suspend(member: number, step: Step): Promise<void> {
    await this.#world.operator.suspend(emailOf(member));
    const own = this.#world.members[member]!;
    own.isSuspended = true;
    this.#suspended.push({ member, untilStep: step.index + SUSPENDED_STEPS });
    this.#world.tally.add("an account was suspended", 1);
    if (await own.browser.canLogIn())
      this.#world.differences.push({ what: "page", text: `${memberName(member)} is suspended and could log in` });
  }
}
