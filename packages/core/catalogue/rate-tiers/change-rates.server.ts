import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { boostFaults, boostState, lossOf, settledStart, valueOf, type KnownBoost } from "./boost-rules.ts";
import { lockRate, type RatePart, type RateRecord } from "./find-rates.server.ts";
import { writeMarks } from "./kept-marks.ts";
import type { BoostForm, RateTerms } from "./rate-schema.ts";

/** Words that continue a field's label, or sentences, by field; `form` is of no field. */
export type RateFaults = Partial<Record<"rate" | "startsAt" | "endsAt" | "form", string>>;

export type RateChange =
  | { outcome: "changed" | "unchanged" | "unknown" }
  /** Nothing was written: an import runs, and writes the rate. */
  | { outcome: "busy" }
  /** Of endBoost: members were shown the boost, or were not. */
  | { outcome: "ended" | "removed" }
  /** Somebody saved meanwhile, or an import wrote: what is stored now. */
  | { outcome: "stale"; rate: RateRecord }
  /** Nothing was written. */
  | { outcome: "refused"; faults: RateFaults }
  /** Nothing was written: the boost is above what the network pays, and nobody has said that it may be. */
  | { outcome: "loses"; rate: RateRecord; value: number; lossPence: number };

/** The rate that is changed: by its retailer's slug and its id, with the fingerprint of what the form showed. */
export interface RateAsked {
  retailer: string;
  rateId: string;
  seen: string;
  now: Date;
}

interface Done {
  /** What it set. */
  kept: readonly string[];
  did?: "changed" | "ended" | "removed";
}

/** Does something to a part of a rate that is still what the form showed. What it changes is the club's from then on: imports leave it. */
async function changeRate(
  db: Db,
  part: RatePart,
  { retailer, rateId, seen, now }: RateAsked,
  change: (trx: Trx, rate: RateRecord) => Promise<RateChange | Done>,
): Promise<RateChange> {
  return await db.transaction().execute(async (trx): Promise<RateChange> => {
    const rate = await lockRate(trx, { retailer, id: rateId });
    if (rate === "busy") return { outcome: "busy" };
    if (!rate) return { outcome: "unknown" };
    if (rate.fingerprints[part] !== seen) return { outcome: "stale", rate };
    const changed = await change(trx, rate);
    if ("outcome" in changed) return changed;
    const kept = writeMarks({ kept: [...rate.kept, ...changed.kept], released: rate.released });
    await trx.updateTable("rate_tiers").set({ kept, updated_at: now }).where("id", "=", rate.id).execute();
    return { outcome: changed.did ?? "changed" };
  });
}

/** Sets a rate's basis and its cap (C5). */
export async function setRateTerms(db: Db, asked: RateAsked, { basis, cap }: RateTerms): Promise<RateChange> {
  return await changeRate(db, "terms", asked, async (trx, rate) => {
    const kept = [...(basis === rate.basis ? [] : ["basis"]), ...(cap === rate.capPence ? [] : ["cap_pence"])];
    if (kept.length === 0) return { outcome: "unchanged" };
    await trx.updateTable("rate_tiers").set({ basis, cap_pence: cap }).where("id", "=", rate.id).execute();
    return { kept };
  });
}

/**
 * Adds a boost, or changes the one with `boostId`. One that runs keeps its start; one that is over can't be changed. What members clicked before keeps the
 * rate of its click.
 * @param mayLose whether it may be above what the network pays
 */
export async function writeBoost(
  db: Db,
  asked: RateAsked,
  { boostId, form, mayLose }: { boostId: string | null; form: BoostForm; mayLose: boolean },
): Promise<RateChange> {
  return await changeRate(db, "boosts", asked, async (trx, rate) => {
    const changes = rate.boosts.find(({ id }) => id === boostId) ?? null;
    if (boostId !== null && (!changes || boostState(changes, asked.now) === "over")) return noSuchBoost;
    const startsAt = startOf(changes, form, asked.now);
    const terms = { value: form.rate, startsAt, endsAt: form.endsAt };
    if (changes && isSame(rate, changes, terms)) return { outcome: "unchanged" };
    const faults = boostFaults(rate, terms, { now: asked.now, changes });
    if (Object.keys(faults).length > 0) return { outcome: "refused", faults };
    const lossPence = lossOf(rate, form.rate);
    if (lossPence !== null && !mayLose) return { outcome: "loses", rate, value: form.rate, lossPence };
    const columns = {
      member_rate_bp: rate.rateKind === "percent" ? form.rate : null,
      member_rate_pence: rate.rateKind === "fixed" ? form.rate : null,
      ...{ starts_at: startsAt, ends_at: form.endsAt },
    };
    if (changes) await trx.updateTable("boosts").set(columns).where("id", "=", changes.id).execute();
    else
      await trx
        .insertInto("boosts")
        .values({ id: newId(), rate_tier_id: rate.id, ...columns, created_at: asked.now })
        .execute();
    return { kept: ["boosts"] };
  });
}

const noSuchBoost: RateChange = {
  outcome: "refused",
  faults: { form: "Nothing was changed: the boost has ended or is gone. Add another one." },
};

function startOf(changes: KnownBoost | null, { startsAt }: BoostForm, now: Date): Date {
  return changes && boostState(changes, now) === "running" ? changes.startsAt : settledStart(startsAt, now);
}

function isSame(rate: RateRecord, boost: KnownBoost, wanted: { value: number; startsAt: Date; endsAt: Date }): boolean {
  const toSecond = (moment: Date) => Math.floor(moment.getTime() / 1000);
  return (
    valueOf(rate, boost) === wanted.value &&
    toSecond(boost.startsAt) === toSecond(wanted.startsAt) &&
    toSecond(boost.endsAt) === toSecond(wanted.endsAt)
  );
}

/** Ends a boost that runs. One that has not begun is removed: nobody was shown it. */
export async function endBoost(db: Db, asked: RateAsked, { boostId }: { boostId: string }): Promise<RateChange> {
  return await changeRate(db, "boosts", asked, async (trx, rate) => {
    const boost = rate.boosts.find(({ id }) => id === boostId);
    if (!boost || boostState(boost, asked.now) === "over") return noSuchBoost;
    const hasBegun = boost.startsAt < asked.now;
    if (hasBegun) await trx.updateTable("boosts").set({ ends_at: asked.now }).where("id", "=", boost.id).execute();
    else await trx.deleteFrom("boosts").where("id", "=", boost.id).execute();
    return { kept: ["boosts"], did: hasBegun ? "ended" : "removed" };
  });
}

/** Lets imports write everything of a rate again that operators have set. It stays as it is until the next one that describes the retailer. */
export async function releaseRate(db: Db, { retailer, rateId, seen, now }: RateAsked): Promise<RateChange> {
  return await db.transaction().execute(async (trx): Promise<RateChange> => {
    const rate = await lockRate(trx, { retailer, id: rateId });
    if (rate === "busy") return { outcome: "busy" };
    if (!rate) return { outcome: "unknown" };
    if (rate.kept.length === 0) return { outcome: "unchanged" };
    if (rate.fingerprints.release !== seen) return { outcome: "stale", rate };
    const kept = writeMarks({ kept: [], released: [...rate.released, ...rate.kept] });
    await trx.updateTable("rate_tiers").set({ kept, updated_at: now }).where("id", "=", rate.id).execute();
    return { outcome: "changed" };
  });
}
