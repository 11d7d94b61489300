import { decimalMinorUnits } from "@farthing/core/money/money.ts";
import { HELD_ASKED_AFTER_DAYS, HELD_REASONS, type HeldReason } from "@farthing/core/networks/held-reasons.ts";
import type { HeldSale } from "@farthing/core/networks/list-held.server.ts";
import type { List, ListColumn } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";
import { minorAmount } from "./minor-amount.ts";

/**
 * Sales that are credited to nobody, as a list. Networks are data, so the page adds them to the filters.
 * @param seesMoney whether the operator may see commissions and the ledger: support may not
 */
export function heldListing(
  networks: readonly { slug: string; name: string }[],
  { seesMoney }: { seesMoney: boolean },
): List<HeldSale, "held"> {
  return {
    name: "held-sales",
    path: "/admin/networks/held",
    csvPath: "/admin/networks/held.csv",
    rows: "sales",
    sorts: ["held"],
    defaultSort: "held",
    keyOf: ({ id }) => id,
    nameOf: ({ networkTransactionId }) => `sale ${networkTransactionId}`,
    filters: [
      { name: "q", label: "Find", kind: "text", placeholder: "Number of the sale or order" },
      {
        name: "waits",
        label: "Waits",
        kind: "choice",
        choices: [{ value: "person", label: `for somebody, ${HELD_ASKED_AFTER_DAYS} days or more` }],
      },
      {
        name: "reason",
        label: "Because",
        kind: "choice",
        choices: Object.entries(HELD_REASONS).map(([value, label]) => ({ value, label })),
      },
      {
        name: "network",
        label: "Network",
        kind: "choice",
        choices: networks.map(({ slug, name }) => ({ value: slug, label: name })),
      },
    ],
    columns: [
      {
        key: "sale",
        label: "Sale",
        cell: ({ networkTransactionId }) => <span className="id">{networkTransactionId}</span>,
        csv: ({ networkTransactionId }) => networkTransactionId,
      },
      { key: "network", label: "Network", cell: ({ network }) => network, csv: ({ network }) => network },
      {
        key: "because",
        label: "Because",
        cell: ({ reason }) => HELD_REASONS[reason as HeldReason] ?? reason,
        csv: ({ reason }) => reason,
      },
      {
        key: "order",
        label: "Order",
        cell: ({ orderReference }) =>
          orderReference ? (
            <a href={`/admin/claims?q=${encodeURIComponent(orderReference)}`}>
              <span className="id">{orderReference}</span>
            </a>
          ) : (
            "–"
          ),
        csv: ({ orderReference }) => orderReference,
      },
      {
        key: "reference",
        label: "Click’s reference",
        cell: (sale) => <ClickOf {...sale} seesMoney={seesMoney} />,
        csv: ({ clickReference }) => clickReference,
      },
      { key: "status", label: "Status", cell: ({ status }) => status, csv: ({ status }) => status },
      {
        key: "amount",
        label: "Sale of",
        isNumber: true,
        cell: ({ saleMinor, currency }) => minorAmount(saleMinor, currency),
        csv: ({ saleMinor, currency }) => `${decimalMinorUnits(saleMinor, currency)} ${currency}`,
      },
      ...(seesMoney ? [commission] : []),
      {
        key: "bought",
        label: "Bought",
        cell: ({ purchasedAt }) => <Moment at={purchasedAt} isDay />,
        csv: ({ purchasedAt }) => purchasedAt,
      },
      {
        key: "held",
        label: "Reported",
        sort: "held",
        cell: ({ heldAt }) => <Moment at={heldAt} isDay />,
        csv: ({ heldAt }) => heldAt,
      },
    ],
  };
}

const commission: ListColumn<HeldSale, "held"> = {
  key: "commission",
  label: "Commission",
  isNumber: true,
  cell: ({ commissionMinor, currency }) => (commissionMinor === null ? "–" : minorAmount(commissionMinor, currency)),
  csv: ({ commissionMinor, currency }) =>
    commissionMinor === null ? null : `${decimalMinorUnits(commissionMinor, currency)} ${currency}`,
};

/** The click of a sale: for whoever may see the ledger all that came of it, for others its member. */
function ClickOf({ clickReference, clickId, memberId, seesMoney }: HeldSale & { seesMoney: boolean }) {
  if (!clickId) return <span className="id">{clickReference ?? "–"}</span>;
  return (
    <a href={seesMoney ? `/admin/ledger/clicks/${clickId}` : `/admin/members/${memberId}`}>
      <span className="id">{clickReference ?? "its click"}</span>
    </a>
  );
}
