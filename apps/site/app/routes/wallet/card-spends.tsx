import type { WalletCardPage } from "@farthing/core/gift-cards/wallet.server.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { ErrorSummary } from "@farthing/ui/forms/error-summary.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { dayAndMonth } from "../../ui/text/british-dates.ts";

/** The label of an amount that is noted. */
const SPENT = "I have spent";

/** What a member has spent with a card, as they noted it. */
export function CardSpends({
  card: { spends, leftPence, usedAt },
  action,
  formKey,
  spend,
  now,
}: {
  card: WalletCardPage;
  action: string;
  /** Of the form that notes a spend: sent twice, it notes one. */
  formKey: string;
  /** What was typed and refused; null: nothing. */
  spend: { amount: string; note: string; error: string } | null;
  now: Date;
}) {
  const isOpen = usedAt === null && leftPence > 0;
  if (!isOpen && spends.length === 0) return null;
  return (
    <section aria-labelledby="spends" className="no-print">
      <h2 id="spends" className="display section-title">
        What you spent
      </h2>
      {isOpen && (
        <form method="post" action={action} className="wallet-spend">
          <input type="hidden" name="intent" value="spend" />
          <input type="hidden" name="key" value={formKey} />
          {spend && <ErrorSummary errors={[{ name: "amount", label: SPENT, message: spend.error }]} />}
          <TextField
            name="amount"
            label={SPENT}
            inputMode="decimal"
            required
            maxLength={14}
            autoComplete="off"
            placeholder="12.50"
            defaultValue={spend?.amount}
            error={spend?.error}
          />
          <div className="field">
            <label htmlFor="note">Where, or on what (optional)</label>
            <input
              id="note"
              name="note"
              type="text"
              maxLength={100}
              autoComplete="off"
              defaultValue={spend?.note ?? ""}
            />
          </div>
          <LoadingButton>Note it</LoadingButton>
        </form>
      )}
      {spends.length > 0 && (
        <ol className="wallet-spends" role="list">
          {spends.map(({ id, amountPence, note, notedAt }) => (
            <li key={id}>
              <span>
                <b className="figures">{formatPence(amountPence)}</b> {note}{" "}
                <small className="soft">{dayAndMonth(notedAt, now)}</small>
              </span>
              <form method="post" action={action}>
                <input type="hidden" name="intent" value="remove-spend" />
                <input type="hidden" name="spend" value={id} />
                <button type="submit" className="link-button" aria-label={`Remove ${formatPence(amountPence)}`}>
                  Remove
                </button>
              </form>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
