import type { ClosureView } from "@farthing/core/closures/queries.server.ts";
import { needsPayee } from "@farthing/core/closures/rules.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { longDate, soonAt } from "../../ui/text/british-dates.ts";
import { Notice } from "../../ui/text/notice.tsx";
import type { TypedPayee } from "./payee-fields.tsx";
import PayeeForm from "./payee-form.island.tsx";

/** The state of an account that is being closed, and what the member can do: stay, or say where the money goes. */
export function ClosingState({
  action,
  open,
  balances,
  values,
  now,
  errors,
}: {
  action: string;
  open: NonNullable<ClosureView["open"]>;
  balances: ClosureView["balances"];
  values: TypedPayee;
  now: Date;
  errors: Record<string, string>;
}) {
  const { pendingPence, payablePence } = balances;
  const isPayeeWanted = needsPayee(open, balances);
  return (
    <>
      <dl className="closing-facts">
        <div>
          <dt>Asked for on</dt>
          <dd>{longDate(open.requestedAt)}</dd>
        </div>
        <div>
          <dt>Next</dt>
          <dd>
            {open.state === "awaiting_payout"
              ? "We pay you, then the account is closed"
              : open.pendingChoice === "wait" && pendingPence > 0
                ? `Shops decide on ${formatPence(pendingPence)}`
                : `Closed after ${longDate(open.cancellableUntil)}`}
          </dd>
        </div>
        {payablePence > 0 && (
          <div>
            <dt>{open.payableChoice === "pay-out" ? "We pay you" : "You give up"}</dt>
            <dd>
              {formatPence(payablePence)}
              {open.payableChoice === "pay-out" &&
                open.accountEnding &&
                `, to the account ending in ${open.accountEnding}`}
            </dd>
          </div>
        )}
      </dl>
      {isPayeeWanted && open.accountEnding === null && (
        <Notice tone="warn" title="We don’t know where to pay you">
          <p>Give your bank account below. What is yours goes there before your account is closed.</p>
        </Notice>
      )}
      {isPayeeWanted && open.heldUntil && (
        <Notice tone="info" title="The bank account is new">
          <p>
            To protect you, nothing is paid there before {soonAt(open.heldUntil, now)}. We have sent you an e-mail about
            it: if it was not you who gave the account, its link removes it.
          </p>
        </Notice>
      )}
      {open.state === "requested" && (
        <form method="post" action={action} className="closing-stay">
          <p>Changed your mind? Everything stays as it was, and the bank details you gave are deleted.</p>
          <button type="submit" className="button is-large" name="intent" value="stay">
            Keep my account
          </button>
        </form>
      )}
      {isPayeeWanted && (
        <section aria-labelledby="payee">
          <h2 id="payee" className="display section-title">
            {open.accountEnding === null ? "Where your money goes" : "Another bank account?"}
          </h2>
          <p className="soft">
            After a change nothing is paid out for 72 hours, and we tell you by e-mail: if it was not you, you can stop
            it.
          </p>
          <PayeeForm action={action} values={values} errors={errors} />
        </section>
      )}
    </>
  );
}
