import { LIMITS } from "@farthing/core/gift-cards/rules.ts";
import type { CardAmounts } from "@farthing/core/gift-cards/issuer.ts";
import { formatPounds, type Pence } from "@farthing/core/money/money.ts";
import { rangeHelp } from "./portal-words.ts";

/** The value of a card: buttons where it has a list of values, a field with its range otherwise. It posts pounds. */
export function AmountField({
  amounts,
  id,
  chosen,
  typed,
  error,
}: {
  amounts: CardAmounts;
  /** Unique on the page. */
  id: string;
  chosen: Pence | null;
  /** What was typed and refused. */
  typed?: string | undefined;
  error?: string | undefined;
}) {
  const described = [amounts.kind === "range" && `${id}-help`, error && `${id}-error`].filter(Boolean).join(" ");
  const message = error && (
    <p id={`${id}-error`} className="field-error" role="alert">
      {error}
    </p>
  );
  if (amounts.kind === "fixed")
    return (
      <fieldset
        className={error ? "field portal-amounts has-error" : "field portal-amounts"}
        aria-describedby={described || undefined}
      >
        <legend>Value</legend>
        <div className="portal-choices">
          {amounts.amountsPence
            .filter((face) => face <= LIMITS.cardPence)
            .map((face) => (
              <label key={face} className="portal-choice">
                <input type="radio" name="value" value={face / 100} defaultChecked={face === chosen} required />
                <span>{formatPounds(face)}</span>
              </label>
            ))}
        </div>
        {message}
      </fieldset>
    );
  return (
    <div className={error ? "field portal-amounts has-error" : "field portal-amounts"}>
      <label htmlFor={id}>Value in pounds</label>
      <p id={`${id}-help`} className="field-help">
        {rangeHelp(amounts)}
      </p>
      <input
        id={id}
        name="value"
        type="text"
        inputMode="decimal"
        autoComplete="off"
        maxLength={12}
        required
        defaultValue={typed ?? (chosen === null ? "" : formatPounds(chosen).slice(1).replaceAll(",", ""))}
        aria-describedby={described}
        aria-invalid={error ? true : undefined}
      />
      {message}
    </div>
  );
}
