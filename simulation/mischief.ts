import { setTimeout as delay } from "node:timers/promises";
import type { Step } from "./plan.ts";
import { networks, type NetworkSlug } from "./shops.ts";
import { NO_FAULTS, type World } from "./world.ts";

const MINUTE_MS = 60_000;

/** What goes wrong between the networks and the club. */
export class Mischief {
  readonly #world: World;
  #holdsPushes = false;

  constructor(world: World) {
    this.#world = world;
  }

  async makeTrouble(step: Step, up: readonly NetworkSlug[]): Promise<void> {
    const faults: Record<string, unknown> = {};
    for (const network of up) {
      const trouble = step.troubles[network];
      if (!trouble) continue;
      faults[network] = { faults: trouble };
      if (trouble.refuse) this.#world.tally.add("a report was refused with 429 and Retry-After", trouble.refuse);
      if (trouble.fail) this.#world.tally.add("a report failed with 500", trouble.fail);
      if (trouble.hang) this.#world.tally.add("a report was never answered", trouble.hang);
      if (trouble.half) this.#world.tally.add("a report ended half way", trouble.half);
      if (trouble.malform) this.#world.tally.add("a row was malformed", trouble.malform);
      if (trouble.clockSkewSeconds) this.#world.tally.add("a network's clock was wrong by four minutes", 1);
    }
    await this.#world.console.scenario(faults);
    await this.#world.console.switches({ holdPushes: step.holdsPushes, sendTwice: step.doublesPushes });
  }

  /** Pushes come late, in reverse order, twice, again, and from forgers. */
  async push(step: Step): Promise<void> {
    if (step.doublesPushes) this.#world.tally.add("every push of a step came twice", 1);
    if (this.#holdsPushes && !step.holdsPushes)
      this.#world.tally.add("a push came late, the newest first", await this.#world.console.releaseNewestFirst());
    this.#holdsPushes = step.holdsPushes;
    for (const network of step.forges) {
      await this.#world.console.forge(network);
      this.#world.tally.add("a push was forged", 1);
    }
    const known = this.#world.sales.filter(({ networkId, plan }) => networkId !== null && plan.shop.network === "awin");
    const victim = known.at(-1);
    if (victim && step.forges.includes("awin")) {
      await this.#world.console.forge("awin", { transactionId: String(victim.networkId), commission: "9999.00" });
      await this.#forgeByHand(
        "awin",
        `AwinTransactionPush=${encodeURIComponent(JSON.stringify({ transactionId: 1 }))}`,
      );
      this.#world.tally.add("a push told of ten times the money", 1);
    }
    if (step.doublesPushes)
      for (const sale of this.#world.sales.filter(({ networkId }) => networkId !== null).slice(-3)) {
        await this.#world.console.move(sale.networkId!, "push").catch(() => undefined);
        this.#world.tally.add("a push came again", 1);
      }
    if (!step.holdsPushes) await this.#world.console.pushesSettled();
  }

  /** A stranger guesses the address of the webhook. */
  async #forgeByHand(network: string, body: string): Promise<void> {
    const answer = await fetch(`${this.#world.stack.appUrl}/webhooks/${network}/guessed-${"0".repeat(24)}`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body,
    });
    await answer.body?.cancel();
    if (answer.status !== 404)
      this.#world.differences.push({ what: "mischief", text: `A guessed webhook was answered ${answer.status}` });
  }

  /** A day later every push is confirmed by its network's report, or given up because the report does not know it. */
  async endPushes(): Promise<void> {
    await this.#world.console.switches({ holdPushes: false, sendTwice: false });
    await this.#world.console.scenario(Object.fromEntries(networks.map((network) => [network, { faults: NO_FAULTS }])));
    await this.#world.console.releaseNewestFirst();
    await this.#world.console.pushesSettled();
    const forged = this.#world.tally.counts.get("a push was forged") ?? 0;
    let [waiting, given] = [0, 0];
    // One that was given up before a slow machine had read its report is confirmed when it has.
    for (let round = 0; round < 40; round += 1) {
      const pushes = await this.#world.books.pushes();
      [waiting, given] = [pushes.get("received") ?? 0, pushes.get("unconfirmed") ?? 0];
      if (waiting === 0 && given === forged) return;
      await this.#world.stack.setClock(new Date(this.#world.stack.now().getTime() + 60 * MINUTE_MS));
      await delay(300);
    }
    this.#world.differences.push({
      what: "unexplained",
      text: `${waiting} pushes still wait; ${given} were given up, and ${forged} were forged`,
    });
  }
}
