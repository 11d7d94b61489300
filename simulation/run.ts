import { createHash } from "node:crypto";
import type { Fault } from "./breaks/faults.ts";
import { compareBooks, compareMischief, comparePage, compareTimeline, type Difference } from "./compare.ts";
import { Decisions } from "./decisions.ts";
import { Claiming } from "./claiming.ts";
import { Guarding } from "./guarding.ts";
import { Inviting } from "./inviting.ts";
import { startStopwatch } from "./stopwatch.ts";
import type { Tally } from "./tally.ts";
import { Paying } from "./paying.ts";
import { makePlan, type Plan, type Step } from "./plan.ts";
import { Mischief } from "./mischief.ts";
import { POLL_MS, untilRead } from "./reading.ts";
import type { Scale } from "./scale.ts";
import { seedClub } from "./seed.ts";
import { Shopping } from "./shopping.ts";
import { networks, type NetworkSlug } from "./shops.ts";
import { openStack } from "./stack.ts";
import { accountsOf, bonusesOf, see, settle, sum, type Payout, type Sale } from "./truth.ts";
import { inParallel, makeWorld, NO_FAULTS, type Claim, type World } from "./world.ts";

const MINUTE_MS = 60_000;
/** Differences of one step that are told at once; the report has them all. */
const MAX_TOLD = 10;

export interface StepRecord {
  at: Date;
  /** What members have, by account. */
  pence: Record<"tracked" | "confirmed" | "payable" | "in transit" | "paid", number>;
  rounds: number;
  seconds: number;
  mischief: number;
  kill: Step["kill"];
}

export interface Result {
  scale: Scale;
  steps: StepRecord[];
  differences: Difference[];
  tally: Tally;
  comparisons: { accounts: number; timelines: number; pages: number };
  sales: readonly Sale[];
  payouts: readonly Payout[];
  claims: readonly Claim[];
  /** Bonuses that are worth money at the end, and people who joined by a link. */
  bonuses: number;
  seconds: number;
  /** Where the time went, in seconds. */
  parts: ReadonlyMap<string, number>;
  /** Of everything that members have at the end: equal for equal seeds. */
  fingerprint: string;
  ledgerCheck: string;
  /** Files of the club's code in which a fault was planted. */
  plantedFiles: readonly string[];
}

export interface RunOptions {
  tell(line: string): void;
  faults?: readonly Fault[];
  /** Ends the run at the first difference. */
  stopsEarly?: boolean;
}

/** Simulates a club's months on the real server, and compares it with what must be true. */
export async function simulate(scale: Scale, { tell, faults = [], stopsEarly = false }: RunOptions): Promise<Result> {
  const began = performance.now();
  const plan = makePlan(scale);
  const stopwatch = startStopwatch();
  const stack = await stopwatch.time("start", () =>
    openStack({
      start: scale.start,
      rakutenHoldDays: scale.rakutenHoldDays,
      faults,
      seed: (url) => seedClub(url, scale),
    }),
  );
  const world = makeWorld(scale, stack, stopwatch);
  try {
    tell(`The club is open: ${scale.members} members, ${plan.purchases.length} purchases, ${plan.steps.length} steps.`);
    const run = new Run(world, plan);
    await world.operator.startProgramme();
    await stopwatch.time("first reading", () => untilRead(world, scale.start, networks, { isFirst: true }));
    for (const step of plan.steps) {
      const known = world.differences.length;
      await run.step(step);
      const last = run.steps.at(-1)!;
      tell(
        `${step.at.toISOString().slice(0, 10)}  step ${step.index + 1} of ${plan.steps.length}  ` +
          `payable £${(last.pence.payable / 100).toFixed(2)}, paid £${(last.pence.paid / 100).toFixed(2)}  ` +
          `${last.rounds} rounds, ${last.seconds.toFixed(1)} s${world.differences.length > 0 ? `  DIFFERENCES: ${world.differences.length}` : ""}`,
      );
      for (const { what, text } of world.differences.slice(known, known + MAX_TOLD)) tell(`  ${what}: ${text}`);
      // A club with a broken rule may not be able to end in order, and its sign is all that was asked for.
      if (stopsEarly && world.differences.length > 0) return run.result(began);
    }
    return await run.finish(began);
  } finally {
    await world.books.close();
    await stack.stop();
  }
}

class Run {
  readonly steps: StepRecord[] = [];
  readonly #world: World;
  readonly #shopping: Shopping;
  readonly #decisions: Decisions;
  readonly #mischief: Mischief;
  readonly #paying: Paying;
  readonly #guarding: Guarding;

  readonly #claiming: Claiming;
  readonly #inviting: Inviting;

  constructor(world: World, { purchases, friends, falseClaims, bankFates }: Plan) {
    this.#world = world;
    this.#claiming = new Claiming(world, falseClaims);
    this.#inviting = new Inviting(world, friends);
    this.#shopping = new Shopping(world, purchases);
    this.#decisions = new Decisions(world);
    this.#mischief = new Mischief(world);
    this.#paying = new Paying(world, bankFates);
    this.#guarding = new Guarding(world, purchases, this.#inviting.people);
  }

  /** What happens outside the club, then what the club makes of it, then the comparison. */
  async step(step: Step): Promise<void> {
    const world = this.#world;
    const began = performance.now();
    const before = world.tally.total;
    world.step = step;
    const up = networks.filter((network) => !step.troubles[network]?.down);
    await world.console.scenario(
      Object.fromEntries(
        networks.map((network) => [network, { faults: { ...NO_FAULTS, down: !up.includes(network) } }]),
      ),
    );
    world.tally.add("a network was down for a step", networks.length - up.length);
    const part = <T>(name: string, work: () => Promise<T>) => world.stopwatch.time(name, work);
    const found = await this.#claiming.answer(step, up);
    await this.#shopping.reportFound(found);
    const late = [...found, ...(await this.#shopping.reportLate(step, up))];

    await part("clock", () => world.stack.setClock(step.at));
    const restored = await part("the operator", () => this.#guarding.lift(step));
    await part("the operator", () => this.#claiming.operate(step, up));
    await part("registrations", () => this.#inviting.join(step));
    const clicked = await part("clicks", async () => {
      await this.#claiming.visit(step, (member, shop) =>
        this.#shopping.follow(member, shop.slug, up.includes(shop.network)),
      );
      return this.#shopping.click(step, up);
    });
    let rounds = await part("first reading", () => untilRead(world, step.at, up, { isFirst: true }));
    for (const sale of late) see(sale);
    this.#settleAll(up);

    // Before the next poll: what happens now is read by it.
    const lastPoll = step.at.getTime() + (rounds - 1) * POLL_MS;
    await part("clock", () => world.stack.setClock(new Date(lastPoll + 9 * MINUTE_MS)));
    const touched = new Set([...late.map(({ plan }) => plan.member), ...restored]);
    await part("networks and retailers", async () => {
      await this.#mischief.makeTrouble(step, up);
      for (const sale of await this.#shopping.report(step, clicked)) touched.add(sale.plan.member);
      for (const sale of await this.#decisions.decide(step, up)) touched.add(sale.plan.member);
      for (const member of await this.#claiming.claim(step, up)) touched.add(member);
    });
    await part("pushes", () => this.#mischief.push(step));
    rounds += await part("second reading", () =>
      untilRead(world, new Date(lastPoll + 22 * MINUTE_MS), up, { isFirst: false }),
    );
    for (const sale of world.sales) if (sale.networkId !== null && up.includes(sale.plan.shop.network)) see(sale);
    this.#settleAll(up);

    await part("withdrawals", () => this.#paying.withdraw(touched));
    await part("the operator", async () => {
      await this.#inviting.decideHolds();
      await this.#guarding.guard(step);
      await this.#paying.runPayouts(step);
    });
    await part("comparisons", () => this.#compare(step, touched));
    this.steps.push({
      at: step.at,
      pence: this.#totals(),
      rounds,
      seconds: (performance.now() - began) / 1000,
      mischief: world.tally.total - before,
      kill: step.kill,
    });
  }

  /** While a network is down its calendar stands still: a correction may be among what it can't say. */
  #settleAll(up: readonly NetworkSlug[]): void {
    const now = this.#world.stack.now();
    for (const sale of this.#world.sales)
      if (up.includes(sale.plan.shop.network)) settle(sale, now, this.#world.scale.rakutenHoldDays);
  }

  async #compare(step: Step, touched: ReadonlySet<number>): Promise<void> {
    this.#world.differences.push(...(await compareBooks(this.#world.books, this.#world)));
    this.#world.differences.push(...(await compareMischief(this.#world.books, this.#world.sales)));
    this.#world.comparisons.accounts += accountsOf(this.#world).size;
    const everyone = step.index % 10 === 9;
    await this.#compareMembers(everyone ? this.#world.members.keys() : touched);
  }

  async #compareMembers(members: Iterable<number>, withPages = false): Promise<void> {
    const accounts = accountsOf(this.#world);
    const byMember = Map.groupBy(this.#world.sales, ({ plan }) => plan.member);
    await inParallel([...members], async (member) => {
      const { browser, isSuspended, hasJoined } = this.#world.members[member]!;
      if (isSuspended || !hasJoined) return; // their table is compared when the account opens again
      this.#world.differences.push(...(await compareTimeline(browser, member, byMember.get(member) ?? [])));
      this.#world.comparisons.timelines += 1;
      if (!withPages) return;
      this.#world.differences.push(...(await comparePage(browser, member, accounts)));
      this.#world.comparisons.pages += 1;
    });
  }

  #totals(): StepRecord["pence"] {
    const accounts = [...accountsOf(this.#world)];
    const of = (kind: string) =>
      sum(accounts.filter(([account]) => account.startsWith(`${kind} `)).map(([, pence]) => pence));
    return {
      tracked: of("member_tracked"),
      confirmed: of("member_confirmed"),
      payable: of("member_payable"),
      "in transit": of("member_in_transit"),
      paid: of("member_paid"),
    };
  }

  /** The last comparison: every member's table and page, every click, and the server's own check of its books. */
  async finish(began: number): Promise<Result> {
    await this.#guarding.lift(null);
    await this.#world.stopwatch.time("comparisons", () => this.#compareMembers(this.#world.members.keys(), true));
    await this.#claiming.compare();
    await this.#world.stopwatch.time("pushes", () => this.#mischief.endPushes());
    const stored = await this.#world.books.clicks();
    const lost = [...this.#world.tally.clicks].filter((reference) => !stored.has(reference));
    if (lost.length > 0)
      this.#world.differences.push({ what: "lost", text: `${lost.length} clicks that were answered` });
    const { code, text } = await this.#world.stack.command("check-ledger.ts", []);
    if (code !== 0) this.#world.differences.push({ what: "books", text: `ledger:check: ${text.trim()}` });
    return this.result(began, text.trim().split("\n").at(-1));
  }

  /** Returns what is known now. */
  result(began: number, ledgerCheck = ""): Result {
    this.#world.tally.kills.operator = this.#world.operator.kills;
    const lines = this.#world.sales.map(({ plan, lines: own }) => [
      plan.number,
      own.map(({ state, salePence, cashbackPence, on }) => [state, salePence, cashbackPence, on]),
    ]);
    const payouts = this.#world.payouts.map(({ member, amountPence, state }) => [member, amountPence, state]);
    return {
      scale: this.#world.scale,
      steps: this.steps,
      differences: this.#world.differences,
      tally: this.#world.tally,
      comparisons: this.#world.comparisons,
      sales: this.#world.sales,
      payouts: this.#world.payouts,
      claims: this.#world.claims,
      bonuses: bonusesOf(this.#world.sales, this.#world.invitations).length,
      fingerprint: createHash("sha256")
        .update(JSON.stringify([lines, payouts]))
        .digest("hex")
        .slice(0, 16),
      plantedFiles: this.#world.stack.plantedFiles(),
      ledgerCheck,
      seconds: (performance.now() - began) / 1000,
      parts: this.#world.stopwatch.seconds,
    };
  }
}
