import type { PlannedPurchase, Step } from "./plan.ts";
import { randomOf } from "./random.ts";
import { shops, type NetworkSlug } from "./shops.ts";
import { memberName, newSale, type Sale } from "./truth.ts";
import { inParallel, type World } from "./world.ts";

const MINUTE_MS = 60_000;

/** Members click and buy; networks report what they bought, in time or days late. */
export class Shopping {
  readonly #world: World;
  readonly #byClick: Map<number, PlannedPurchase[]>;
  #late: { sale: Sale; dueStep: number }[] = [];

  constructor(world: World, purchases: readonly PlannedPurchase[]) {
    this.#world = world;
    this.#byClick = Map.groupBy(purchases, ({ clickStep }) => clickStep);
  }

  /** Members click on links of the club and are sent on by the network. Returns the clicks' references, in the order of the plan. */
  async click(step: Step, up: readonly NetworkSlug[]): Promise<Sale[]> {
    const chance = randomOf(this.#world.scale.seed, `clicks ${step.index}`);
    const planned = (this.#byClick.get(step.index) ?? []).map((purchase) => ({
      purchase,
      shop: purchase.reference === "other-shop" ? otherShop(purchase) : purchase.shop,
    }));
    const idle = Array.from({ length: Math.ceil(planned.length / 4) }, () => ({
      member: chance.between(0, this.#world.scale.members - 1),
      shop: chance.pick(shops),
    })).filter(({ member }) => this.#world.members[member]!.hasJoined && !this.#world.members[member]!.isSuspended);
    const sales: Sale[] = [];
    await inParallel(planned, async ({ purchase, shop }) => {
      const clickedAt = this.#world.stack.now();
      const reference = await this.follow(purchase.member, shop.slug, up.includes(shop.network));
      const sale = newSale(purchase, clickedAt, purchasedAt(step, purchase));
      this.#world.references.set(sale, reference);
      sales.push(sale);
    });
    await inParallel(idle, async ({ member, shop }) => {
      await this.follow(member, shop.slug, up.includes(shop.network));
      this.#world.tally.clicksWithoutPurchase += 1;
    });
    return sales.sort((a, b) => a.plan.number - b.plan.number);
  }

  /** Follows the club's link to a shop. Returns the click's reference. */
  async follow(member: number, slug: string, isUp: boolean): Promise<string> {
    const answer = await this.#world.members[member]!.browser.getSignedIn(`/go/retailers/${slug}`);
    const { location } = answer;
    const reference = referenceIn(location);
    if (answer.status !== 302 || reference === null)
      throw new Error(`The click of ${memberName(member)} on ${slug} was answered ${answer.status}, ${location}`);
    const arrived = await fetch(location, { redirect: "manual" });
    await arrived.body?.cancel();
    if (arrived.status !== (isUp ? 302 : 503)) throw new Error(`The network answered ${arrived.status} to ${location}`);
    this.#world.tally.clicks.add(reference);
    return reference;
  }

  /** Sales of this step, or late ones that wait for a later one. */
  async report(step: Step, clicked: readonly Sale[]): Promise<Sale[]> {
    const reported: Sale[] = [];
    for (const sale of clicked) {
      this.#world.sales.push(sale);
      if (sale.plan.isUntold) continue;
      const isDown = step.troubles[sale.plan.shop.network]?.down === true;
      if (sale.plan.lateSteps > 0 || isDown) {
        this.#late.push({ sale, dueStep: step.index + Math.max(sale.plan.lateSteps, 1) });
        continue;
      }
      await this.#record(sale, !randomOf(this.#world.scale.seed, `push ${sale.plan.number}`).chance(0.15));
      reported.push(sale);
    }
    return reported;
  }

  async #record(sale: Sale, push: boolean): Promise<void> {
    const { plan } = sale;
    if (plan.reference !== "own")
      this.#world.tally.add(
        plan.reference === "lost" ? "a reference was lost" : "a reference of another shop came back",
        1,
      );
    if (!push) this.#world.tally.add("a push was lost", 1);
    if (plan.shop.currency !== "GBP") this.#world.tally.add("a sale was in foreign currency", 1);
    sale.networkId = await this.#world.console.record({
      network: plan.shop.network,
      advertiserId: plan.shop.advertiserId,
      salePence: plan.salePence,
      clickRef: plan.reference === "lost" ? null : this.#world.references.get(sale)!,
      orderRef: `ORDER-${plan.number}`,
      clickedAt: sale.clickedAt,
      transactedAt: sale.purchasedAt,
      currency: plan.shop.currency,
      push,
    });
    sale.eventAt = this.#world.step!.at;
  }

  /** Networks report sales that a claim brought to light, days late and still without the click. */
  async reportFound(sales: readonly Sale[]): Promise<void> {
    for (const sale of sales) await this.#record(sale, false);
  }

  /** Networks report some sales days late, without a push and under the day of the purchase. */
  async reportLate(step: Step, up: readonly NetworkSlug[]): Promise<Sale[]> {
    const isDue = ({ sale, dueStep }: { sale: Sale; dueStep: number }) =>
      dueStep <= step.index && up.includes(sale.plan.shop.network);
    const due = this.#late.filter(isDue);
    this.#late = this.#late.filter((one) => !isDue(one));
    for (const { sale } of due) {
      await this.#record(sale, false);
      this.#world.tally.add("a sale was reported days late", 1);
    }
    return due.map(({ sale }) => sale);
  }
}

function purchasedAt(step: Step, { minutesAfterClick }: PlannedPurchase): Date {
  return new Date(step.at.getTime() + minutesAfterClick * MINUTE_MS + 50_000);
}

function otherShop({ shop }: PlannedPurchase) {
  return shops.find((one) => one.network === shop.network && one !== shop)!;
}

/** Returns the reference that a network's link carries, at the place that is its own. */
function referenceIn(location: string): string | null {
  const link = URL.parse(location);
  if (!link) return null;
  const inPath = /\/pubref:([^/]+)/.exec(link.pathname)?.[1];
  if (inPath) return decodeURIComponent(inPath);
  return ["clickref", "sid", "u1", "subId1"].map((name) => link.searchParams.get(name)).find(Boolean) ?? null;
}
