import type { ReactNode } from "react";
import {
  boostState,
  lossOf,
  networkOf,
  rateText,
  usualOf,
  valueOf,
  withoutEffect,
  type KnownBoost,
} from "@farthing/core/catalogue/rate-tiers/boost-rules.ts";
import type { RateRecord } from "@farthing/core/catalogue/rate-tiers/find-rates.server.ts";
import { rateExample } from "@farthing/core/catalogue/rate-card.ts";
import { describeCap } from "@farthing/core/catalogue/rate-wording.ts";
import { rateAt } from "@farthing/core/catalogue/rates.ts";
import { formatPence, formatPounds, formatRate } from "@farthing/core/money/money.ts";
import { Badge, Facts, type Tone } from "../../kit/facts.tsx";
import { VersionField } from "../../kit/fields.tsx";
import { Moment } from "../../kit/moment.tsx";
import { ratesPath } from "./rates-answer.ts";

interface Shown {
  rate: RateRecord;
  slug: string;
  now: Date;
  mayChange: boolean;
}

/** One rate: what the network pays, what members get, now and usually, and its boosts. Its forms are the children. */
export function RatePanel({ isOpen, children, ...shown }: Shown & { isOpen: boolean; children: ReactNode }) {
  const { rate, slug, now, mayChange } = shown;
  const [usual, current] = [rateAt({ ...rate, boosts: [] }, now), rateAt(rate, now)];
  const pays = networkOf(rate);
  return (
    <section className="panel" id={`rate-${rate.id}`} aria-labelledby={`label-${rate.id}`}>
      <div className="page-head-line">
        <h3 id={`label-${rate.id}`}>{rate.label}</h3>
        {mayChange && !isOpen && (
          <a className="button" href={`${ratesPath(slug, { rate: rate.id })}#rate-${rate.id}`}>
            Change or boost <span className="away">{rate.label}</span>
          </a>
        )}
      </div>
      <Facts
        facts={[
          // What the network pays is for those who decide on it.
          ...(mayChange
            ? [{ label: "The network pays", value: pays === null ? "it does not say" : rateText(rate, pays) }]
            : []),
          { label: "Members get, usually", value: rateText(rate, usualOf(rate)) },
          {
            label: "Members get now",
            value: current.boostedUntil ? (
              <>
                <strong>{rateText(rate, "rateBp" in current ? current.rateBp : current.ratePence)}</strong> until{" "}
                <Moment at={current.boostedUntil} />
              </>
            ) : (
              "the usual rate"
            ),
          },
          { label: "Basis", value: rate.basis },
          { label: "Cap", value: describeCap(usual) ?? "none" },
          { label: "For example", value: rateExample(current) ?? "nothing is earned" },
        ]}
      />
      <Boosts {...shown} />
      {rate.kept.length > 0 && <Kept {...shown} />}
      {rate.released.length > 0 && (
        <p>
          Given back: the next editorial import that describes the retailer writes {inWords(rate.released)}. Until then{" "}
          {rate.released.length === 1 ? "it stays" : "they stay"} as operators have set{" "}
          {rate.released.length === 1 ? "it" : "them"}.
        </p>
      )}
      {children}
    </section>
  );
}

const tones: Record<ReturnType<typeof boostState>, Tone> = { running: "good", "to come": "plain", over: "plain" };

/** The boosts that run or are to come, and the last that is over. */
function Boosts({ rate, slug, now, mayChange }: Shown) {
  const over = rate.boosts.filter((each) => boostState(each, now) === "over");
  const last = over.toSorted((one, other) => one.endsAt.getTime() - other.endsAt.getTime()).at(-1);
  const shown = rate.boosts.filter((each) => each === last || boostState(each, now) !== "over");
  if (shown.length === 0) return <p className="soft">No boost yet.</p>;
  return (
    <ul className="plain-list" aria-label={`Boosts of ${rate.label}`}>
      {shown.map((boost) => {
        const state = boostState(boost, now);
        const example = rateExample(rateAt({ ...rate, boosts: [boost] }, boost.startsAt));
        return (
          <li key={boost.id} className="page-head-line">
            <div>
              <p>
                Boost to <strong>{amountOf(boost)}</strong> from <Moment at={boost.startsAt} /> until{" "}
                <Moment at={boost.endsAt} /> <Badge tone={tones[state]}>{state}</Badge>{" "}
                {mayChange && state !== "over" && <Warning {...{ rate, boost }} />}
              </p>
              {example && <p className="soft">{example}</p>}
            </div>
            {mayChange && state !== "over" && <BoostActs {...{ rate, slug, boost }} isRunning={state === "running"} />}
          </li>
        );
      })}
    </ul>
  );
}

function amountOf({ memberRateBp, memberRatePence }: KnownBoost): string {
  return memberRateBp === null ? formatPounds(memberRatePence ?? 0) : formatRate(memberRateBp);
}

function Warning({ rate, boost }: { rate: RateRecord; boost: KnownBoost }) {
  const why = withoutEffect(rate, boost);
  if (why) return <Badge tone="warn">no effect: {why}</Badge>;
  const loss = lossOf(rate, valueOf(rate, boost) ?? 0);
  if (loss === null) return null;
  return (
    <Badge tone="warn">
      costs the club {formatPence(loss)} {rate.rateKind === "percent" ? "per £100" : "a purchase"}
    </Badge>
  );
}

function BoostActs({
  rate,
  slug,
  boost,
  isRunning,
}: {
  rate: RateRecord;
  slug: string;
  boost: KnownBoost;
  isRunning: boolean;
}) {
  return (
    <form method="post" action={ratesPath(slug, { rate: rate.id })} className="acts">
      <VersionField current={rate.fingerprints.boosts} />
      <input type="hidden" name="boost" value={boost.id} />
      <a href={`${ratesPath(slug, { rate: rate.id, boost: boost.id })}#rate-${rate.id}`}>
        Change <span className="away">the boost to {amountOf(boost)}</span>
      </a>
      {isRunning ? (
        <button className="button is-danger-quiet" name="act" value="end">
          End now …
        </button>
      ) : (
        <button className="button is-danger-quiet" name="act" value="remove">
          Remove …
        </button>
      )}
    </form>
  );
}

const keptWords: Record<string, string> = {
  basis: "the basis",
  cap_pence: "the cap",
  boosts: "the boosts",
};

const inWords = (names: readonly string[]) => names.map((name) => keptWords[name] ?? name).join(", ");

/** What imports leave as it is, with the way to give it back. */
function Kept({ rate, slug, mayChange }: Shown) {
  return (
    <form method="post" action={ratesPath(slug, { rate: rate.id })} className="acts">
      <VersionField current={rate.fingerprints.release} />
      <p>Set by operators, so that imports leave it: {inWords(rate.kept)}.</p>
      {mayChange && (
        <button className="button is-quiet" name="act" value="release">
          Let imports write it again …
        </button>
      )}
    </form>
  );
}
