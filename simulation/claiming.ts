import { CLAIMS_OPEN_AFTER_DAYS, type Step } from "./plan.ts";
import type { PlannedFalseClaim } from "./plan-friends.ts";
import { REFUSAL_WORDS, type NetworkSlug, type Shop } from "./shops.ts";
import { dayOf, memberName, type Sale } from "./truth.ts";
import type { Claim, World } from "./world.ts";

const DAY_MS = 86_400_000;

/** Networks that take claims by their API; for the others, an operator writes them into a pack. */
const FILED_BY_API: readonly NetworkSlug[] = ["impact", "partnerize"];

/** Members claim what they can't see, retailers answer, and some claim what is not theirs. */
export class Claiming {
  readonly #world: World;
  readonly #falseClaims: PlannedFalseClaim[];
  /** Clicks that a false claim is about. */
  readonly #visits = new Map<PlannedFalseClaim, { reference: string; at: Date }>();

  constructor(world: World, falseClaims: readonly PlannedFalseClaim[]) {
    this.#world = world;
    this.#falseClaims = [...falseClaims];
  }

  /** Members who will claim what they did not buy follow links too. */
  async visit(step: Step, follow: (member: number, shop: Shop) => Promise<string>): Promise<void> {
    for (const claim of this.#falseClaims)
      if (claim.clickStep === step.index && !this.#world.members[claim.member]!.isSuspended) {
        const at = this.#world.stack.now();
        this.#visits.set(claim, { reference: await follow(claim.member, claim.shop), at });
      }
  }

  /** Retailers answer by their network's API what was filed in an earlier step. Returns the sales that they have found. */
  async answer(step: Step, up: readonly NetworkSlug[]): Promise<Sale[]> {
    const found: Sale[] = [];
    for (const claim of this.#open(step, up)) {
      if (claim.sale) {
        found.push(claim.sale);
        claim.state = "answered";
        claim.must = "credited";
        claim.sale.isClaimed = true;
      }
      if (!FILED_BY_API.includes(claim.network)) continue;
      await this.#world.console.answerClaim(claim.network, claim.order, claim.sale ? null : REFUSAL_WORDS);
      claim.state = "answered";
      claim.must ??= "declined";
    }
    return found;
  }

  /** The operator sends packs to networks without an API for claims, and records what they answer. */
  async operate(step: Step, up: readonly NetworkSlug[]): Promise<void> {
    for (const claim of this.#open(step, up))
      if (!FILED_BY_API.includes(claim.network)) {
        await this.#world.operator.declineClaim(claim.publicId, REFUSAL_WORDS);
        claim.state = "answered";
        claim.must = "declined";
      }
    const made = this.#world.claims.filter(
      (claim) => claim.state === "made" && claim.madeStep < step.index && up.includes(claim.network),
    );
    for (const network of new Set(made.map((claim) => claim.network))) {
      await this.#world.operator.packClaims(network);
      for (const claim of made.filter((one) => one.network === network)) this.#filed(claim, step);
    }
  }

  /** Claims whose retailer has not answered yet. */
  #open(step: Step, up: readonly NetworkSlug[]): Claim[] {
    return this.#world.claims.filter(
      ({ state, madeStep, network }) => state === "filed" && madeStep < step.index && up.includes(network),
    );
  }

  /** With the network, a claim ties a sale that it has reported without the click. */
  #filed(claim: Claim, step: Step): void {
    claim.state = "filed";
    claim.madeStep = step.index;
    if (claim.sale?.networkId == null) return;
    claim.state = "answered";
    claim.must = "credited";
    claim.sale.isClaimed = true;
  }

  /** Members look for what they bought, do not find it, and claim it. Returns those who did. */
  async claim(step: Step, up: readonly NetworkSlug[]): Promise<number[]> {
    const before = this.#world.claims.length;
    const now = this.#world.stack.now().getTime();
    const isOld = (at: Date, days: number) => now >= at.getTime() + days * DAY_MS;
    for (const sale of this.#world.sales) {
      const { plan, clickedAt, status } = sale;
      if (plan.claimAfterDays === null || !isOld(clickedAt, plan.claimAfterDays) || status === "declined") continue;
      // What is reported late is still to come: nobody claims it twice.
      if (plan.isUntold === (sale.networkId !== null) || (!plan.isUntold && !sale.isSeen)) continue;
      if (!this.#mayClaim(plan.member, plan.shop.network, up, `ORDER-${plan.number}`)) continue;
      const about = { member: plan.member, network: plan.shop.network, order: `ORDER-${plan.number}` };
      await this.#make(step, { ...about, sale, reference: this.#world.references.get(sale)!, at: sale.purchasedAt });
      this.#world.tally.add(
        plan.isUntold ? "a sale was reported only when it was claimed" : "a sale without its reference was claimed",
        1,
      );
    }
    for (const planned of this.#falseClaims) {
      const visit = this.#visits.get(planned);
      if (!visit || !isOld(visit.at, CLAIMS_OPEN_AFTER_DAYS + 1)) continue;
      const { member, shop } = planned;
      const theirs = this.#world.sales.find(
        (sale) =>
          sale.plan.shop === shop &&
          sale.plan.member !== member &&
          sale.plan.reference === "own" &&
          sale.lines.length > 0,
      );
      const order =
        planned.isSomebodyElses && theirs ? `ORDER-${theirs.plan.number}` : `NEVER-PLACED-${planned.number}`;
      if (!this.#mayClaim(member, shop.network, up, order)) continue;
      this.#visits.delete(planned);
      await this.#make(step, { ...{ member, network: shop.network, order, sale: null }, ...visit });
      this.#world.tally.add(
        theirs && planned.isSomebodyElses
          ? "somebody else's order was claimed"
          : "an order that nobody placed was claimed",
        1,
      );
    }
    return this.#world.claims.slice(before).map(({ member }) => member);
  }

  #mayClaim(member: number, network: NetworkSlug, up: readonly NetworkSlug[], order: string): boolean {
    return (
      up.includes(network) &&
      !this.#world.members[member]!.isSuspended &&
      !this.#world.claims.some((claim) => claim.order === order && claim.member === member)
    );
  }

  async #make(
    step: Step,
    about: Pick<Claim, "member" | "network" | "order" | "sale"> & { reference: string; at: Date },
  ): Promise<void> {
    const { member, network, order, sale, reference, at } = about;
    const { browser } = this.#world.members[member]!;
    const click = await this.#world.books.clickNumber(reference);
    const [year = "", month, day] = dayOf(at).split("-");
    await browser.logIn();
    const answer = await browser.post(`/money/claims/new?click=${click}`, {
      order_number: order,
      purchased_on: `${day}-${month}-${year.slice(2)}`,
      amount: ((sale?.saleMinor ?? 4_200) / 100).toFixed(2),
    });
    const publicId = /\/money\/claims\/([^/?]+)\?note=(?:made|already)/.exec(answer.location)?.[1];
    if (answer.status !== 303 || publicId === undefined)
      throw new Error(
        `The claim of ${memberName(member)} about ${order} was answered ${answer.status}: ${answer.text}`,
      );
    const page = await browser.getSignedIn(`/money/claims/${publicId}`);
    // Shops that want to see the order confirmation get it. Elsewhere the claim may be done before the file is there.
    if (page.text.includes(`/money/claims/${publicId}/evidence`)) {
      const sent = await browser.postFile(`/money/claims/${publicId}/evidence`, {});
      if (sent.status !== 303 && sent.status !== 409)
        throw new Error(`The evidence about ${order} was answered ${sent.status}.`);
    }
    const claim: Claim = { member, network, order, sale, madeStep: step.index, publicId, state: "made", must: null };
    this.#world.claims.push(claim);
    if (FILED_BY_API.includes(network)) this.#filed(claim, step);
  }

  /** At the end, each claim stands where it must, and a member who was refused reads why. */
  async compare(): Promise<void> {
    const stored = await this.#world.books.claimStates();
    for (const { publicId, order, member, must } of this.#world.claims) {
      if (must === null) continue; // its retailer has not answered when the simulation ends
      const state = stored.get(publicId);
      if (state !== must)
        this.#world.differences.push({
          what: "claim",
          text: `the claim of ${memberName(member)} about ${order} is ${state} instead of ${must}`,
        });
      if (must !== "declined") continue;
      const { text } = await this.#world.members[member]!.browser.getSignedIn(`/money/claims/${publicId}`);
      if (!text.includes(REFUSAL_WORDS))
        this.#world.differences.push({
          what: "unexplained",
          text: `${memberName(member)} does not read why the claim about ${order} was declined`,
        });
    }
  }
}
