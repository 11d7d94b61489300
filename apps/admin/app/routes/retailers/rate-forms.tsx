import { boostState, type KnownBoost } from "@farthing/core/catalogue/rate-tiers/boost-rules.ts";
import type { RateRecord } from "@farthing/core/catalogue/rate-tiers/find-rates.server.ts";
import { TextField, VersionField } from "../../kit/fields.tsx";
import { Moment } from "../../kit/moment.tsx";
import type { Faults, Typed } from "../../kit/read-form.ts";
import { rateLabels, typedOfBoost, typedOfTerms } from "./rate-words.ts";
import { ratesPath } from "./rates-answer.ts";

interface Forms {
  rate: RateRecord;
  slug: string;
  now: Date;
  /** The boost that is to be changed; null: the form adds one. */
  boost: KnownBoost | null;
  stale: object | null;
  typed: Typed | null;
  faults: Faults | undefined;
}

/** The forms of the rate that is open: a boost, and its basis and cap. */
export function RateForms(forms: Forms) {
  return (
    <div className="split">
      <BoostForm {...forms} />
      <TermsForm {...forms} />
    </div>
  );
}

/** Returns what was typed into one of the two forms; null: nothing. */
function typedInto(act: string, typed: Typed | null): Typed | null {
  return typed?.["act"] === act ? typed : null;
}

const hasSeconds = (typed: string | undefined) => /:\d\d:\d\d$/.test(typed ?? "");

function BoostForm({ rate, slug, now, boost, stale, typed: posted, faults }: Forms) {
  const typed = typedInto("boost", posted);
  const changes = boost && boostState(boost, now) !== "over" ? boost : null;
  const isRunning = changes !== null && boostState(changes, now) === "running";
  const shown = typed ?? typedOfBoost(rate, changes);
  const field = (name: "rate" | "startsAt" | "endsAt") => ({ name, label: rateLabels[name], typed: shown, faults });
  const moment = (name: "startsAt" | "endsAt") => ({
    ...field(name),
    type: "datetime-local",
    step: hasSeconds(shown[name]) ? 1 : 60,
  });
  const isPercent = rate.rateKind === "percent";
  return (
    <form
      method="post"
      action={ratesPath(slug, { rate: rate.id, boost: changes?.id })}
      className="stack"
      aria-labelledby="boost-title"
    >
      <h4 id="boost-title">{changes ? "Change the boost" : "Add a boost"}</h4>
      <VersionField current={rate.fingerprints.boosts} {...{ typed, stale }} />
      {changes && <input type="hidden" name="boost" value={changes.id} />}
      <TextField
        {...field("rate")}
        label={`${rateLabels.rate}, in ${isPercent ? "per cent" : "pounds"}`}
        inputMode="decimal"
        help={
          isPercent
            ? "The whole rate that members get meanwhile: 12 or 7.5"
            : "The whole amount that members get meanwhile: 25 or 12.50"
        }
        max={12}
      />
      {isRunning ? (
        <p className="soft">
          It began <Moment at={changes.startsAt} />. Clicks until now keep the rate that they were promised.
        </p>
      ) : (
        <TextField {...moment("startsAt")} help="London’s time. Empty: at once." isRequired={false} />
      )}
      <TextField
        {...moment("endsAt")}
        help="London’s time. Members are told the day. Until the end of a Sunday: Monday, 00:00."
      />
      <p className="acts">
        <button className="button is-main" name="act" value="boost">
          {changes ? "Save the boost" : "Add the boost"}
        </button>
        {changes && <a href={ratesPath(slug, { rate: rate.id })}>Add another one instead</a>}
      </p>
    </form>
  );
}

function TermsForm({ rate, slug, stale, typed: posted, faults }: Forms) {
  const typed = typedInto("terms", posted);
  const shown = typed ?? typedOfTerms(rate);
  const field = (name: "basis" | "cap") => ({ name, label: rateLabels[name], typed: shown, faults });
  return (
    <form method="post" action={ratesPath(slug, { rate: rate.id })} className="stack" aria-labelledby="terms-title">
      <h4 id="terms-title">Basis and cap</h4>
      <VersionField current={rate.fingerprints.terms} {...{ typed, stale }} />
      <TextField
        {...field("basis")}
        help="Continues “6% cashback”: on the price without VAT and delivery. Where it says “without VAT”, examples leave out 20% VAT."
        max={200}
      />
      <TextField
        {...field("cap")}
        inputMode="decimal"
        help="What one purchase earns at most, also during a boost. Empty: no cap."
        max={12}
        isRequired={false}
      />
      <p>
        <button className="button is-main" name="act" value="terms">
          Save
        </button>
      </p>
    </form>
  );
}
