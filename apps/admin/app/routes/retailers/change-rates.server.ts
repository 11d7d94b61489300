import { act, type Actor } from "@farthing/core/audit/act.server.ts";
import type { Action } from "@farthing/core/audit/actions.ts";
import { findLastChange } from "@farthing/core/audit/queries.server.ts";
import { boostText, lossInWords, lossOf } from "@farthing/core/catalogue/rate-tiers/boost-rules.ts";
import {
  endBoost,
  releaseRate,
  setRateTerms,
  writeBoost,
  type RateAsked,
  type RateChange,
} from "@farthing/core/catalogue/rate-tiers/change-rates.server.ts";
import { findRates, type RateRecord } from "@farthing/core/catalogue/rate-tiers/find-rates.server.ts";
import { boostSchemas, rateTermsSchema } from "@farthing/core/catalogue/rate-tiers/rate-schema.ts";
import { findRetailerRecord } from "@farthing/core/catalogue/retailers/find-retailer-record.server.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { data, redirect, type RouterContextProvider } from "react-router";
import { z } from "zod";
import { servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import type { AdminServices } from "../../../server/admin-handler.ts";
import { rateFaults, staleFields } from "./rate-words.ts";
import { ratesPath, type RatesAnswer, type RatesDone } from "./rates-answer.ts";

type Answer = ReturnType<typeof data<RatesAnswer>> | Response;
const answer = (changed: Partial<RatesAnswer>, status = 422): Answer =>
  data<RatesAnswer>({ ask: null, stale: null, typed: null, lost: null, faults: {}, ...changed }, { status });

/** What is posted, to which rate, by whom. */
interface Posted {
  db: AdminServices["db"];
  actor: Actor;
  rate: RateRecord;
  asked: RateAsked;
  typed: Typed;
}

const acts = new Map<string, (posted: Posted) => Promise<Answer>>([
  ["terms", saveTerms],
  ["boost", saveBoost],
  ["end", (posted) => finishBoost(posted, "end")],
  ["remove", (posted) => finishBoost(posted, "remove")],
  ["release", release],
]);

/** Answers a post to the page of a retailer's rates. The rate is in the address, what is done to it in the field `act`. */
export async function changeRates(
  context: Readonly<RouterContextProvider>,
  { retailer, request }: { retailer: string; request: Request },
): Promise<Answer> {
  const { db } = context.get(servicesContext);
  const typed = typedIn(await request.formData());
  const rateId = new URL(request.url).searchParams.get("rate") ?? "";
  const record = await findRetailerRecord(db, { slug: retailer });
  if (!record) throw refused(404, { title: "No such retailer", text: "Go back to the list of retailers." });
  const programmes = await findRates(db, { retailerId: record.id });
  const rate = programmes.flatMap(({ rates }) => rates).find(({ id }) => id === rateId);
  if (!rate) return gone(typed, record.mergedInto);
  const actor = actorOf(context);
  const asked = { retailer, rateId, seen: typed["version"] ?? "", now: actor.now };
  const chosen = acts.get(typed["act"] ?? "");
  if (!chosen) return answer({ faults: { form: "Choose what to do." } });
  return await chosen({ db, actor, rate, asked, typed });
}

/** Answers where the retailer has no such rate any more. What was typed is shown beside it: its form is gone. */
function gone(typed: Typed, mergedInto: { name: string } | null): Answer {
  const why = mergedInto
    ? `This retailer was merged into ${mergedInto.name} meanwhile. Change the rate there.`
    : "Meanwhile the network has taken this rate away, or the programme is no longer joined.";
  return answer({ lost: typed, faults: { form: `Nothing was changed. ${why}` } }, 409);
}

async function saveTerms({ db, actor, rate, asked, typed }: Posted): Promise<Answer> {
  const form = checkForm(typed, rateTermsSchema);
  if (!form.ok) return answer({ typed, faults: rateFaults(form.faults) });
  const what = actOn(rate, "rate-tier.change");
  const changed = await act(db, actor, what, (joined) => setRateTerms(joined, asked, form.value));
  return await answerTo(changed, { db, rate, asked, typed }, "terms");
}

async function saveBoost({ db, actor, rate, asked, typed }: Posted): Promise<Answer> {
  const form = checkForm(typed, boostSchemas[rate.rateKind]);
  if (!form.ok) return answer({ typed, faults: rateFaults(form.faults) });
  const boostId = typed["boost"] || null;
  const yes = yesTo(typed);
  const what = { ...actOn(rate, boostId ? "rate-tier.change-boost" : "rate-tier.add-boost"), why: yes.why };
  const wanted = { boostId, form: form.value, mayLose: yes.why !== null };
  const changed = await act(db, actor, what, (joined) => writeBoost(joined, asked, wanted));
  if (changed.outcome === "loses") return askFor(lossQuestion(changed.rate, changed), { typed, ...yes });
  const lossPence = lossOf(rate, form.value.rate);
  if (changed.outcome === "busy" && yes.why !== null && lossPence !== null)
    return askLater(lossQuestion(rate, { value: form.value.rate, lossPence }), typed);
  return await answerTo(changed, { db, rate, asked, typed }, "boost");
}

function lossQuestion(rate: RateRecord, { value, lossPence }: { value: number; lossPence: number }): Question {
  return {
    title: "Let the club pay for this boost?",
    what: `${lossInWords(rate, value, lossPence)} The network’s commission stays as it is; the books show the loss as a negative share of the club.`,
    button: "Save the boost at a loss",
  };
}

/** Ends a boost that runs, or removes one that has not begun, after a question. */
async function finishBoost({ db, actor, rate, asked, typed }: Posted, name: "end" | "remove"): Promise<Answer> {
  const boost = rate.boosts.find(({ id }) => id === typed["boost"]);
  if (!boost) return answer({ faults: { form: "Nothing was changed: the boost is gone." } }, 409);
  const yes = yesTo(typed);
  const question = questions[name](`The boost ${boostText(boost)}`);
  if (yes.why === null) return askFor(question, { typed, ...yes });
  // What begins while its question is open is ended, not removed.
  const did = ({ outcome }: RateChange) => (outcome === "ended" ? "end" : outcome === "removed" ? "remove" : name);
  const actionOf = (change: RateChange) => `rate-tier.${did(change)}-boost` as const;
  const what = { ...actOn(rate, `rate-tier.${name}-boost`), actionOf, why: yes.why };
  const changed = await act(db, actor, what, (joined) => endBoost(joined, asked, { boostId: boost.id }));
  if (changed.outcome === "busy") return askLater(question, typed);
  if (changed.outcome === "stale") return answer({ faults: { form: LATE } }, 409);
  return await answerTo(changed, { db, rate, asked, typed }, did(changed));
}

const questions = {
  end: (boost: string) => ({
    title: "End this boost now?",
    what: `${boost} ends at once for everyone, before the end that members were told. Clicks until now keep its rate.`,
    button: "End it now",
  }),
  remove: (boost: string) => ({ title: "Remove this boost?", what: `${boost} never begins.`, button: "Remove it" }),
};

const LATE =
  "Nothing was changed: somebody changed this rate meanwhile, or an import did. Look at what is here now, and ask again.";

const releaseQuestion = {
  title: "Let imports write this rate again?",
  what: "The next editorial file that describes the retailer replaces the words, the cap and the boosts that operators have set. Where it gives none, the words are the usual ones and there is no cap; a boost that it does not list is removed, also one that runs. Until then all stays as it is.",
  button: "Let imports write it",
};

async function release({ db, actor, rate, asked, typed }: Posted): Promise<Answer> {
  const yes = yesTo(typed);
  if (yes.why === null) return askFor(releaseQuestion, { typed, ...yes });
  const what = { ...actOn(rate, "rate-tier.release"), why: yes.why };
  const changed = await act(db, actor, what, (joined) => releaseRate(joined, asked));
  if (changed.outcome === "busy") return askLater(releaseQuestion, typed);
  if (changed.outcome === "stale") return answer({ faults: { form: LATE } }, 409);
  if (changed.outcome === "unchanged")
    return answer({ faults: { form: "Nothing was changed: imports write this rate already." } }, 409);
  return await answerTo(changed, { db, rate, asked, typed }, "release");
}

function actOn({ id }: RateRecord, action: Action) {
  return {
    permission: "catalogue.change",
    action,
    subject: { type: "rate-tier", id },
    changed: ({ outcome }: RateChange) => ["changed", "ended", "removed"].includes(outcome),
  } as const;
}

/** Returns the reason that was given with the yes to a question; null: nothing was confirmed yet, or without a reason. */
function yesTo(typed: Typed): { isConfirmed: boolean; why: string | null; faults: Faults } {
  if (typed["confirmed"] !== "yes") return { isConfirmed: false, why: null, faults: {} };
  const form = checkForm(typed, z.object({ why: whySchema }));
  return form.ok
    ? { isConfirmed: true, why: form.value.why, faults: {} }
    : { isConfirmed: true, why: null, faults: form.faults };
}

const BUSY = "An import is running, and writes rates. Wait until it has ended, and";

/** Asks again what was confirmed while an import ran. */
function askLater(question: Question, typed: Typed): Answer {
  const faults = { form: `${BUSY} confirm again.` };
  return answer({ ask: { ...question, keep: kept(typed) }, typed, faults }, 409);
}

interface Question {
  title: string;
  what: string;
  button: string;
}

/** Asks, or asks again for the reason. */
function askFor(
  question: Question,
  { typed, isConfirmed, faults }: { typed: Typed; isConfirmed: boolean; faults: Faults },
): Answer {
  return answer({ ask: { ...question, keep: kept(typed) }, typed, faults }, isConfirmed ? 422 : 200);
}

/** What a question posts again; the answer to it is new. */
function kept(typed: Typed): [string, string][] {
  return Object.entries(typed).filter(([name]) => name !== "confirmed" && name !== "why");
}

async function answerTo(
  change: RateChange,
  { db, rate, asked, typed }: Pick<Posted, "db" | "rate" | "asked" | "typed">,
  done: RatesDone,
): Promise<Answer> {
  switch (change.outcome) {
    case "changed":
    case "ended":
    case "removed":
      return redirect(ratesPath(asked.retailer, { rate: rate.id, done }), 303);
    case "unchanged":
      return answer({ typed, faults: { form: "Nothing was changed: the rate has these values already." } }, 409);
    case "busy":
      return answer({ typed, faults: { form: `${BUSY} save again.` } }, 409);
    case "refused":
      return answer({ typed, faults: rateFaults(change.faults as Faults) });
    case "stale": {
      const part = done === "terms" ? "terms" : "boosts";
      const last = await findRateChange(db, { id: rate.id, part });
      const fields = staleFields(change.rate, typed, asked.now);
      const version = change.rate.fingerprints[part];
      const by = last?.actor ?? "An import or somebody";
      // A yes to a loss was to the rate as it was.
      const again = Object.fromEntries(kept(typed));
      return answer({ typed: again, stale: { by, at: last?.at ?? null, fields, version } }, 409);
    }
    case "unknown":
    case "loses":
      return gone(typed, null);
  }
}

const actionsOf: Record<"terms" | "boosts", readonly Action[]> = {
  terms: ["rate-tier.change"],
  boosts: ["rate-tier.add-boost", "rate-tier.change-boost", "rate-tier.end-boost", "rate-tier.remove-boost"],
};

/** Returns the operator who changed a part of a rate last; null: nobody has, or an import has written the rate since. For a save that came too late. */
async function findRateChange(
  db: AdminServices["db"],
  { id, part }: { id: string; part: "terms" | "boosts" },
): Promise<{ actor: string; at: Date } | null> {
  const subject = { type: "rate-tier", id };
  const [ofPart, ofAny, tier] = await Promise.all([
    findLastChange(db, { ...subject, actions: actionsOf[part] }),
    findLastChange(db, subject),
    db.selectFrom("rate_tiers").select("updated_at").where("id", "=", id).executeTakeFirst(),
  ]);
  return ofAny && tier && tier.updated_at <= ofAny.at ? ofPart : null;
}
