import {
  afterJoining,
  planFalseClaims,
  planFriends,
  type PlannedFalseClaim,
  type PlannedFriend,
} from "./plan-friends.ts";
import { networks, shops, type NetworkSlug, type Shop } from "./shops.ts";
import { randomOf } from "./random.ts";
import type { BankFate, Scale } from "./scale.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Days after a click from which the simulated shops take claims. */
export const CLAIMS_OPEN_AFTER_DAYS = 2;

/** What goes wrong at a network during one step. */
export interface Trouble {
  down?: true;
  refuse?: number;
  fail?: number;
  hang?: number;
  half?: number;
  malform?: number;
  clockSkewSeconds?: number;
}

export interface Step {
  index: number;
  at: Date;
  troubles: Partial<Record<NetworkSlug, Trouble>>;
  /** Pushes are held back, and released newest first at the next step. */
  holdsPushes: boolean;
  /** Every push is sent twice. */
  doublesPushes: boolean;
  /** Networks whose pushes somebody forges. */
  forges: readonly ("awin" | "rakuten" | "impact")[];
  pays: readonly NetworkSlug[];
  batch: boolean;
  kill: "app" | "database" | "operator" | null;
}

/** What happens to a purchase after it was reported, in order. Each waits until the club could see what came before. */
export type PlannedEvent =
  | { what: "approve" | "lose-reference"; afterDays: number }
  | { what: "decline"; afterDays: number; reason: string }
  | { what: "amend"; afterDays: number; salePence: number }
  /** The network pays on its next payment day. */
  | { what: "await-payment" };

export interface PlannedPurchase {
  number: number;
  member: number;
  shop: Shop;
  /** The index of the step in which the member clicks. */
  clickStep: number;
  minutesAfterClick: number;
  salePence: number;
  /** Steps by which the network reports it late. */
  lateSteps: number;
  /** How the reference of the click arrives: as it was, not at all, or another shop's. */
  reference: "own" | "lost" | "other-shop";
  /** Whether the network reports the sale only when its retailer has seen the member's claim. */
  isUntold: boolean;
  /** Days after the click on which the member claims what they can't see; null: they never notice. */
  claimAfterDays: number | null;
  events: readonly PlannedEvent[];
}

export interface Plan {
  scale: Scale;
  steps: readonly Step[];
  purchases: readonly PlannedPurchase[];
  friends: readonly PlannedFriend[];
  falseClaims: readonly PlannedFalseClaim[];
  /** What the bank does with each payment, in the order in which it decides. */
  bankFates: readonly BankFate[];
}

export const declineReasons = ["order returned", "order cancelled", "duplicate order", "breach of terms"] as const;

/** Returns everything that will happen outside the club. A function of the scale alone. */
export function makePlan(scale: Scale): Plan {
  const steps = makeSteps(scale);
  const friends = planFriends(scale, steps.length);
  return {
    ...{ scale, steps, friends },
    purchases: afterJoining(makePurchases(scale, steps), friends),
    falseClaims: planFalseClaims(scale, steps.length),
    bankFates: planBankFates(scale),
  };
}

/** More fates than payments: each payment has a purchase of its own. */
function planBankFates({
  seed,
  members,
  months,
  purchasesPerMemberMonth,
  bankFailChance,
  firstFates,
}: Scale): BankFate[] {
  const random = randomOf(seed, "bank");
  const payments = Math.round(members * months * purchasesPerMemberMonth);
  return Array.from({ length: payments }, (_, payment): BankFate => {
    const [fails, comesBack] = [random.chance(bankFailChance), random.chance(bankFailChance)];
    return firstFates[payment] ?? (fails ? "fails" : comesBack ? "comes back" : "pays");
  });
}

function makeSteps(scale: Scale): Step[] {
  const random = randomOf(scale.seed, "steps");
  const moments = momentsOf(scale);
  const [paydays, batchDays] = [scale.payEveryDays, scale.batchEveryDays].map((days) => every(days, moments));
  const kills = pickKills(scale, moments.length, batchDays!);
  const outages = pickOutages(scale, moments);
  return moments.map((at, index): Step => {
    const troubles: Step["troubles"] = {};
    for (const network of networks) {
      if (outages.get(index) === network) troubles[network] = { down: true };
      else if (random.chance(0.25)) troubles[network] = someTrouble(random.between(0, 6));
    }
    return {
      index,
      at,
      troubles,
      holdsPushes: random.chance(0.2),
      doublesPushes: random.chance(0.3),
      forges: (["awin", "rakuten", "impact"] as const).filter(() => random.chance(0.25)),
      pays: paydays!.has(index) ? networks : [],
      batch: batchDays!.has(index),
      kill: kills.get(index) ?? null,
    };
  });
}

function someTrouble(kind: number): Trouble {
  const troubles: readonly Trouble[] = [
    { refuse: 2 },
    { fail: 1 },
    { hang: 1 },
    { half: 1 },
    { malform: 1 },
    { clockSkewSeconds: 240 },
    { clockSkewSeconds: -240 },
  ];
  return troubles[kind]!;
}

/**
 * Steps are by day, at another hour each time, so that no wait of whole days ends on a step. Where London's or Los Angeles' clocks change, a step
 * begins shortly before.
 */
function momentsOf({ start, months, stepDays }: Scale): Date[] {
  const end = new Date(start);
  end.setUTCMonth(end.getUTCMonth() + months);
  const moments: Date[] = [];
  for (let day = 0, index = 0; start.getTime() + day * DAY_MS < end.getTime(); day += stepDays, index += 1) {
    const midnight = start.getTime() + day * DAY_MS;
    moments.push(new Date(midnight + (6 + ((index * 3) % 11)) * 60 * MINUTE_MS + ((index * 35) % 60) * MINUTE_MS));
    for (let extra = 0; extra < stepDays; extra += 1) {
      const change = clockChangeOn(new Date(midnight + extra * DAY_MS));
      if (change === null) continue;
      if (extra === 0) moments.pop();
      moments.push(change);
    }
  }
  return moments;
}

/** Returns five minutes before the clocks of London or Los Angeles change on a day; null on most days. */
export function clockChangeOn(midnight: Date): Date | null {
  const [month, date] = [midnight.getUTCMonth(), midnight.getUTCDate()];
  if (midnight.getUTCDay() !== 0) return null;
  const at = (minutes: number) => new Date(midnight.getTime() + minutes * MINUTE_MS);
  if ((month === 2 || month === 9) && date > 24) return at(55);
  if (month === 2 && date >= 8 && date <= 14) return at(9 * 60 + 55);
  if (month === 10 && date <= 7) return at(8 * 60 + 55);
  return null;
}

/** Each network is down for a step, which is two days or three, once in four months. */
function pickOutages({ seed, months }: Scale, moments: readonly Date[]): Map<number, NetworkSlug> {
  const random = randomOf(seed, "outages");
  const turns = Array.from({ length: Math.max(1, Math.floor(months / 4)) }, () => networks).flat();
  const room = Math.floor((moments.length - 4) / turns.length);
  return new Map(turns.map((network, index) => [2 + index * room + random.between(0, Math.max(room - 2, 0)), network]));
}

/** Returns the indices of steps that are so many days apart at least. */
function every(days: number, moments: readonly Date[]): ReadonlySet<number> {
  let last = moments[0]!.getTime();
  return new Set(
    moments.flatMap((at, index) => {
      if (at.getTime() - last < (days - 0.5) * DAY_MS) return [];
      last = at.getTime();
      return [index];
    }),
  );
}

/** The operator's commands are killed on days on which they run. */
function pickKills({ seed, kills }: Scale, steps: number, batchDays: ReadonlySet<number>): Map<number, Step["kill"]> {
  const random = randomOf(seed, "kills");
  const free = new Set(Array.from({ length: steps - 4 }, (_, index) => index + 3));
  const picked = new Map<number, Step["kill"]>();
  for (let count = 0; count < kills; count += 1) {
    const kind = (["app", "database", "operator"] as const)[count % 3]!;
    const room = [...free].filter((index) => kind !== "operator" || batchDays.has(index));
    if (room.length === 0) continue;
    const step = random.pick(room);
    free.delete(step);
    picked.set(step, kind);
  }
  return picked;
}

function makePurchases(scale: Scale, steps: readonly Step[]): PlannedPurchase[] {
  const random = randomOf(scale.seed, "purchases");
  const wanted = Math.round(scale.members * scale.months * scale.purchasesPerMemberMonth);
  const maxLateDays = 24;
  const { lostChance } = scale;
  return Array.from({ length: wanted }, (_, number): PlannedPurchase => {
    const shop = random.pick(shops);
    const salePence = random.between(900, 26_000);
    const fate = random.next();
    const reference = fate < lostChance ? "lost" : fate < lostChance + 0.02 ? "other-shop" : "own";
    const claim = randomOf(scale.seed, `claim ${number}`);
    const isClaimed = reference === "lost" && claim.chance(0.8);
    return {
      number,
      member: random.between(0, scale.members - 1),
      shop,
      clickStep: random.between(0, steps.length - 1),
      minutesAfterClick: random.pick([3, 8]),
      salePence,
      lateSteps: random.chance(0.1) ? random.between(1, Math.max(1, Math.floor(maxLateDays / scale.stepDays / 3))) : 0,
      reference,
      isUntold: isClaimed && claim.chance(0.5),
      claimAfterDays: isClaimed ? claim.between(CLAIMS_OPEN_AFTER_DAYS + 1, 12) : null,
      // A network can't forget a reference that it had lost; forgetting another shop's would only change why the sale is held.
      events: makeEvents(scale, shop, salePence, random).filter(
        ({ what }) => what !== "lose-reference" || reference === "own",
      ),
    };
  });
}

function makeEvents(
  { decideDays, regretDays, regretChances }: Scale,
  shop: Shop,
  salePence: number,
  random: ReturnType<typeof randomOf>,
): PlannedEvent[] {
  // Rakuten's rows can only take back: a row that adds is another sale to it.
  const changed = (from: number) =>
    shop.network === "rakuten" || random.chance(0.7)
      ? Math.max(200, Math.floor((from * random.between(30, 90)) / 100))
      : from + random.between(100, 4_000);
  const decline = (days: readonly [number, number]): PlannedEvent => ({
    what: "decline",
    afterDays: random.between(...days),
    reason: random.pick(declineReasons),
  });
  const events: PlannedEvent[] = [];
  let sale = salePence;
  const amend = (days: readonly [number, number]) => {
    sale = changed(sale);
    events.push({ what: "amend", afterDays: random.between(...days), salePence: sale });
  };
  if (random.chance(0.12)) amend([1, decideDays[0]]);
  if (random.chance(0.05)) events.push({ what: "lose-reference", afterDays: 1 });
  if (random.chance(0.15)) return [...events, decline(decideDays)];
  // Rakuten approves nothing: what is not corrected within its hold stands.
  if (shop.network !== "rakuten") {
    events.push({ what: "approve", afterDays: random.between(...decideDays) });
    if (random.chance(0.06)) amend([1, 3]);
    if (random.chance(0.05)) return [...events, decline([1, 3])];
  }
  events.push({ what: "await-payment" });
  if (random.chance(regretChances.amended)) amend(regretDays);
  if (random.chance(regretChances.reversed)) events.push(decline(regretDays));
  return events;
}
