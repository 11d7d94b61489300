import type { MoneyView } from "@farthing/core/cashback/cashback-view.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { monthAndYear } from "../../ui/text/british-dates.ts";

/**
 * Money on its way by month, late purchases first: together the rows are what is pending and confirmed. A bar compares them. Dashed like
 * everything that is not the member's yet.
 */
export function ComingMonths({
  coming,
  overdue,
  laterPence,
}: {
  coming: MoneyView["coming"];
  overdue: Pick<MoneyView["overdue"], "purchases" | "pence">;
  laterPence: number;
}) {
  const rows = [
    ...(overdue.pence > 0
      ? [{ label: "Late", step: `${counted(overdue.purchases)} expected before now`, pence: overdue.pence }]
      : []),
    ...coming.map((sums) => ({ label: monthAndYear(sums.month), step: nextStep(sums), pence: sums.pence })),
    ...(laterPence > 0 ? [{ label: "Later, or no date yet", step: null, pence: laterPence }] : []),
  ];
  if (rows.length === 0) return <p className="soft">Nothing is on its way at the moment.</p>;
  const max = Math.max(...rows.map(({ pence }) => pence), 1);
  return (
    <ul className="coming-months" role="list">
      {rows.map(({ label, step, pence }) => (
        <li key={label}>
          <span>
            <b>{label}</b>
            {step !== null && <small className="soft">{step}</small>}
          </span>
          <Amount pence={pence} isPending />
          <svg className="coming-bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect width={Math.max(2, Math.round((100 * pence) / max))} height="1" />
          </svg>
        </li>
      ))}
    </ul>
  );
}

/** What a month's purchases should come to by then: a confirmed purchase is not the member's before the shop has paid. */
function nextStep({ purchases, toConfirm }: MoneyView["coming"][number]): string {
  const all = counted(purchases);
  if (toConfirm === 0) return `${all} to become yours`;
  return toConfirm === purchases ? `${all} to be confirmed` : `${all}, ${toConfirm} to be confirmed first`;
}

function counted(purchases: number): string {
  return `${purchases} ${purchases === 1 ? "purchase" : "purchases"}`;
}
