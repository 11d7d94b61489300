import { formatPence } from "@farthing/core/money/money.ts";
import type { CurrencyRates } from "@farthing/core/networks/exchange-rates.server.ts";
import { decimalRate, exampleOf, roughnessOf, type RateDoubt } from "@farthing/core/networks/exchange-rates.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Notice } from "../../kit/facts.tsx";
import { counted, Moment } from "../../kit/moment.tsx";
import type { Faults, Typed } from "../../kit/read-form.ts";
import { minorAmount } from "./minor-amount.ts";

/** An exchange rate that is to be set, once it is confirmed. */
export interface AskedRate extends Omit<CurrencyRates, "rates"> {
  currency: string;
  /** The currency's English name. */
  name: string;
  rateMicros: number;
  validFrom: Date;
  doubt: RateDoubt | null;
  farDay: "past" | "ahead" | null;
  /** True where somebody has set a rate of the currency since the question was asked first. */
  isStale: boolean;
}

/** Says what a rate means and does, and what is doubtful about it, and asks whether to set it. */
export function RateQuestion({
  asked,
  typed,
  faults,
  path,
}: {
  asked: AskedRate;
  typed: Typed;
  faults: Faults;
  path: string;
}) {
  const { currency, name, rateMicros, validFrom, same, version, isStale } = asked;
  const { unitsMinor, pence, ofHundredMinor } = exampleOf(currency, rateMicros);
  return (
    <Confirm
      title={
        same
          ? `Correct the rate of ${currency} from £${decimalRate(same.rateMicros)} to £${decimalRate(rateMicros)}?`
          : `Add £${decimalRate(rateMicros)} for one ${currency}?`
      }
      what={
        <div className="stack">
          {isStale && (
            <Notice tone="bad">
              Somebody has set a rate of {currency} since. Nothing was saved: look at it again.
            </Notice>
          )}
          <p>
            <strong>
              {minorAmount(unitsMinor, currency)} is {formatPence(pence)}
            </strong>
            , and £100.00 is {minorAmount(ofHundredMinor, currency)} ({name}).
          </p>
          <Doubts asked={asked} />
          <p>
            It holds for purchases from <Moment at={validFrom} isDay /> on, until a later rate begins.
            {same &&
              ` It replaces £${decimalRate(same.rateMicros)} of the same day. Sales that were converted with that one keep it.`}
          </p>
          <Waiting asked={asked} />
        </div>
      }
      button={same ? "Correct it" : "Add it"}
      keep={[
        ...["currency", "rate", "from"].map((field) => [field, typed[field] ?? ""] as const),
        ["version", version],
      ]}
      back={path}
      typed={typed}
      faults={faults}
    />
  );
}

function Doubts({ asked: { currency, rateMicros, doubt, beside, farDay, validFrom } }: { asked: AskedRate }) {
  const roughness = roughnessOf(rateMicros);
  return (
    <>
      {roughness !== null && (
        <Notice tone="warn">
          With six decimals a rate of {currency} has only {rateMicros < 10 ? "one digit" : "two digits"}: pounds may be
          wrong by up to {roughness} %.
        </Notice>
      )}
      {doubt && beside && (
        <Notice tone="warn">
          {doubt === "inverse" ? `This looks like ${currency} for one pound, the other way round: t` : "T"}he rate from{" "}
          <Moment at={beside.validFrom} isDay /> is £{decimalRate(beside.rateMicros)}, and this is £
          {decimalRate(rateMicros)}.{doubt === "far" && " They differ by more than 20 %."}
        </Notice>
      )}
      {farDay && (
        <Notice tone="warn">
          <Moment at={validFrom} isDay /> is{" "}
          {farDay === "past"
            ? "more than a year ago"
            : "more than a month ahead: until then, purchases don’t have this rate"}
          .
        </Notice>
      )}
    </>
  );
}

function Waiting({ asked: { currency, waiting, credited, left, firstBoughtAt } }: { asked: AskedRate }) {
  if (waiting === 0) return <p>No sale waits for a rate of {currency}.</p>;
  return (
    <>
      <p>
        {credited} of {counted(waiting, "sale")} {waiting === 1 ? "that waits" : "that wait"} can be credited with it.
        {credited > 0 && " That happens when the networks’ reports are read the next time, and they keep this rate."}
      </p>
      {left > 0 && (
        <Notice tone="warn">
          {counted(left, "sale")} {left === 1 ? "goes" : "go"} on waiting, bought before that day, the first on{" "}
          <Moment at={firstBoughtAt} isDay />. If the rate held then, choose that day below.
        </Notice>
      )}
    </>
  );
}
