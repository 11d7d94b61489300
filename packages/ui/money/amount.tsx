import { formatPence, type Pence } from "@farthing/core/money/money.ts";

/**
 * An amount of money in tabular figures, with a typographic minus. `isPending` marks money that is not the member's yet, by its style and, for
 * screen readers, by a word.
 */
export function Amount({ pence, isPending = false }: { pence: Pence; isPending?: boolean }) {
  return (
    <span className={isPending ? "amount figures is-pending" : "amount figures"}>
      {formatPence(pence)}
      {isPending && <span className="visually-hidden"> pending</span>}
    </span>
  );
}
