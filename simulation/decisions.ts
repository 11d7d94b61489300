import type { PlannedEvent, Step } from "./plan.ts";
import type { NetworkSlug } from "./shops.ts";
import { commissionOf, type Sale } from "./truth.ts";
import type { World } from "./world.ts";

const DAY_MS = 86_400_000;

/** Retailers decide on sales, and networks pay for them, as the plan says. */
export class Decisions {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Retailers decide and networks pay: at most one event of a sale at a step, so that the club can see each. */
  async decide(step: Step, up: readonly NetworkSlug[]): Promise<Sale[]> {
    const decided: Sale[] = [];
    for (const sale of this.#world.sales) {
      const event = sale.plan.events[sale.eventsDone];
      if (!event || sale.networkId === null || !sale.isSeen || !this.#isDue(event, sale, step)) continue;
      if (!up.includes(sale.plan.shop.network)) continue;
      await this.#play(event, sale, sale.networkId);
      decided.push(sale);
    }
    return decided;
  }

  #isDue(event: PlannedEvent, sale: Sale, step: Step): boolean {
    if (event.what === "await-payment")
      return sale.plan.shop.network === "rakuten"
        ? sale.lines[0]?.state === "payable" || sale.lines[0]?.state === "paid" || sale.plan.reference !== "own"
        : step.pays.includes(sale.plan.shop.network);
    return step.at.getTime() >= sale.eventAt.getTime() + event.afterDays * DAY_MS;
  }

  async #play(event: PlannedEvent, sale: Sale, id: number): Promise<void> {
    const isOver = sale.lines[0]?.state === "payable" || sale.lines[0]?.state === "paid";
    sale.eventsDone += 1;
    sale.eventAt = this.#world.step!.at;
    switch (event.what) {
      case "lose-reference":
        await this.#world.console.move(id, "lose-clickref");
        this.#world.tally.add("a network forgot a reference that it had reported", 1);
        return;
      case "approve":
        await this.#world.console.move(id, "approve");
        sale.status = "approved";
        break;
      case "await-payment":
        if (sale.plan.shop.network === "rakuten") return;
        await this.#world.console.move(id, "pay");
        sale.isPaid = true;
        break;
      case "decline":
        await this.#world.console.move(id, "decline", { reason: event.reason });
        sale.status = "declined";
        this.#world.tally.add(isOver ? "a sale was reversed after payment" : "a sale was declined", 1);
        break;
      case "amend":
        await this.#world.console.move(id, "amend", { salePence: event.salePence });
        sale.saleMinor = event.salePence;
        sale.commissionMinor = commissionOf(sale.plan, event.salePence);
        sale.changedAt = this.#world.stack.now();
        this.#world.tally.add(isOver ? "a sale was amended after payment" : "a sale was amended before payment", 1);
        break;
    }
    sale.isSeen = false;
  }
}
