import {
  boostState,
  boostText,
  networkOf,
  rateText,
  usualOf,
  valueOf,
  type KnownBoost,
} from "@farthing/core/catalogue/rate-tiers/boost-rules.ts";
import type { RateRecord } from "@farthing/core/catalogue/rate-tiers/find-rates.server.ts";
import { toLondon } from "@farthing/core/catalogue/london-time.ts";
import { decimalPounds, formatRate } from "@farthing/core/money/money.ts";
import type { Faults, Typed } from "../../kit/read-form.ts";
import type { StaleField } from "../../kit/stale-save.tsx";
import { placedFaults } from "../offers/placement-fields.tsx";

/** The labels of the fields, which also begin the sentences about what is wrong with them. */
export const rateLabels = {
  basis: "Basis",
  cap: "Cap, in pounds",
  rate: "Rate of the boost",
  startsAt: "Start",
  endsAt: "End",
} as const;

/** Makes whole sentences of faults that continue one. */
export const rateFaults = (faults: Faults): Faults => placedFaults(faults, rateLabels);

/** Returns the terms of a rate as the fields of its form. */
export function typedOfTerms({ basis, capPence }: RateRecord): Typed {
  return { basis, cap: capPence === null ? "" : decimalPounds(capPence) };
}

/** Returns a boost as the fields of its form; without one, the empty form. */
export function typedOfBoost(rate: RateRecord, boost: KnownBoost | null): Typed {
  if (!boost) return { rate: "", startsAt: "", endsAt: "" };
  const value = valueOf(rate, boost);
  return {
    rate: value === null ? "" : rate.rateKind === "percent" ? formatRate(value).replace("%", "") : decimalPounds(value),
    startsAt: typedMoment(boost.startsAt),
    endsAt: typedMoment(boost.endsAt),
  };
}

/** Returns a moment as its field shows it: with seconds only where it has some, such as 23:59:59 of a file. */
function typedMoment(moment: Date): string {
  return toLondon(moment).replace(/:00$/, "");
}

/** Returns what StaleSave shows: the fields of the form that was posted, and of a boost what it depends on. */
export function staleFields(rate: RateRecord, typed: Typed, now: Date): StaleField[] {
  const boost = rate.boosts.find(({ id }) => id === typed["boost"]) ?? null;
  const stored = typed["act"] === "terms" ? typedOfTerms(rate) : typedOfBoost(rate, boost);
  const fields = (["basis", "cap", "rate", "startsAt", "endsAt"] as const).flatMap((name) => {
    const theirs = stored[name];
    const yours = typed[name];
    return theirs === undefined || yours === undefined ? [] : [{ name, label: rateLabels[name], theirs, yours }];
  });
  return typed["act"] === "terms" ? fields : [...fields, ...stateOf(rate, now)];
}

/** What a boost depends on, as it is now. */
function stateOf(rate: RateRecord, now: Date): StaleField[] {
  const boosts = rate.boosts.filter((each) => boostState(each, now) !== "over").map((each) => boostText(each));
  const pays = networkOf(rate);
  return [
    { name: "usual", label: "Usual rate", value: rateText(rate, usualOf(rate)) },
    { name: "network", label: "The network pays", value: pays === null ? "unknown" : rateText(rate, pays) },
    { name: "boosts", label: "Boosts", value: boosts.join("; ") || "none" },
  ].map(({ name, label, value }) => ({ name, label, theirs: value, yours: value }));
}
