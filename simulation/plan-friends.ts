import type { PlannedPurchase } from "./plan.ts";
import { randomOf } from "./random.ts";
import type { Scale } from "./scale.ts";
import { shops, type Shop } from "./shops.ts";

/** Somebody who joins during the simulation, by a member's link. */
export interface PlannedFriend {
  member: number;
  inviter: number;
  joinStep: number;
  /** Registers in the inviter's browser: both bonuses are held until the operator has looked. */
  sharesBrowser: boolean;
  /** What the operator finds. */
  verdict: "lift" | "refuse";
}

/** The last members of the club are those who join: the others are there from the first day. */
export function planFriends({ seed, members, months, friends }: Scale, steps: number): PlannedFriend[] {
  const random = randomOf(seed, "friends");
  const isLong = months > 11; // who joins later than half a year in stays verified until the end
  const [first, last] = [Math.floor(steps * (isLong ? 0.4 : 0.07)), Math.floor(steps * (isLong ? 0.7 : 0.3))];
  const inviters = Array.from({ length: members - friends }, (_, member) => member);
  return Array.from({ length: friends }, (_, index) => ({
    member: members - friends + index,
    inviter: inviters.splice(random.between(0, inviters.length - 1), 1)[0]!,
    joinStep: random.between(first, last),
    sharesBrowser: index % 4 >= 2,
    verdict: index % 4 === 3 ? "refuse" : "lift",
  }));
}

/** Moves what friends buy behind the step in which they join. */
export function afterJoining(purchases: PlannedPurchase[], friends: readonly PlannedFriend[]): PlannedPurchase[] {
  const joinStep = new Map(friends.map((friend) => [friend.member, friend.joinStep]));
  return purchases.map((purchase) => ({
    ...purchase,
    clickStep: Math.max(purchase.clickStep, (joinStep.get(purchase.member) ?? -1) + 1),
  }));
}

/** A claim about an order that is not the member's: nobody placed it, or somebody else did. */
export interface PlannedFalseClaim {
  number: number;
  member: number;
  shop: Shop;
  clickStep: number;
  /** Names an order that another member's purchase has, where the shop has one. */
  isSomebodyElses: boolean;
}

export function planFalseClaims({ seed, members, months, friends }: Scale, steps: number): PlannedFalseClaim[] {
  const random = randomOf(seed, "false claims");
  return Array.from({ length: Math.max(3, Math.round((members * months) / 200)) }, (_, number) => ({
    number,
    member: random.between(0, members - friends - 1),
    shop: random.pick(shops),
    clickStep: random.between(1, Math.max(1, Math.floor(steps * 0.6))),
    isSomebodyElses: number % 2 === 0,
  }));
}
