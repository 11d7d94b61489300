import type { OperatorLine } from "@farthing/core/gift-cards/list-lines.server.ts";
import { LINE_TRANSITIONS, type LineState } from "@farthing/core/gift-cards/rules.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { decimalPounds } from "@farthing/core/money/money.ts";
import { Badge, type Tone } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";

const tones: Partial<Record<LineState, Tone>> = {
  held: "bad",
  issuing: "warn",
  reversing: "warn",
  refunding: "warn",
  issued: "good",
};

export const words = (code: string) => code.replaceAll(/[_-]/g, " ");

export function LineStateBadge({ state }: { state: LineState }) {
  return <Badge tone={tones[state] ?? "plain"}>{words(state)}</Badge>;
}

/** Lines of orders as a list. Issuers are set up, so the page adds them to the filters. */
export function lineListing(issuers: readonly string[]): List<OperatorLine, "placed"> {
  return {
    name: "gift-card-lines",
    path: "/admin/gift-cards",
    csvPath: "/admin/gift-cards.csv",
    rows: "gift cards",
    sorts: ["placed"],
    defaultSort: "-placed",
    keyOf: ({ publicId }) => publicId,
    nameOf: ({ publicId }) => `line ${publicId}`,
    filters: [
      { name: "q", label: "Find", kind: "text", placeholder: "Order, line, member number or address" },
      { name: "waits", label: "Waits for", kind: "choice", choices: [{ value: "person", label: "A person" }] },
      {
        name: "state",
        label: "State",
        kind: "choice",
        choices: Object.keys(LINE_TRANSITIONS).map((value) => ({ value, label: words(value) })),
      },
      {
        name: "issuer",
        label: "Issuer",
        kind: "choice",
        choices: issuers.map((value) => ({ value, label: value })),
      },
    ],
    columns: [
      {
        key: "line",
        label: "Line",
        cell: ({ publicId }) => (
          <a href={`/admin/gift-cards/lines/${publicId}`}>
            <span className="id">{publicId}</span>
          </a>
        ),
        csv: ({ publicId }) => publicId,
      },
      {
        key: "state",
        label: "State",
        cell: ({ state, reason }) => (
          <>
            <LineStateBadge state={state} /> {reason && <span className="soft">{words(reason)}</span>}
          </>
        ),
        csv: ({ state }) => state,
      },
      { key: "product", label: "Product", cell: ({ product }) => product, csv: ({ product }) => product },
      { key: "issuer", label: "Issuer", cell: ({ issuer }) => issuer, csv: ({ issuer }) => issuer },
      {
        key: "face",
        label: "Value",
        isNumber: true,
        cell: ({ facePence }) => <Amount pence={facePence} />,
        csv: ({ facePence }) => decimalPounds(facePence),
      },
      {
        key: "paid",
        label: "Paid",
        isNumber: true,
        cell: ({ paidPence }) => <Amount pence={paidPence} />,
        csv: ({ paidPence }) => decimalPounds(paidPence),
      },
      {
        key: "order",
        label: "Order",
        cell: ({ orderPublicId }) => (
          <a href={`/admin/gift-cards?q=${orderPublicId}`}>
            <span className="id">{orderPublicId}</span>
          </a>
        ),
        csv: ({ orderPublicId }) => orderPublicId,
      },
      {
        key: "member",
        label: "Buyer",
        cell: ({ memberId, memberNumber, visitorEmail }) =>
          memberId ? (
            <a href={`/admin/members/${memberId}`}>
              <span className="id">{memberNumber}</span>
            </a>
          ) : (
            <span className="soft">{visitorEmail ?? "visitor"}</span>
          ),
        csv: ({ memberNumber }) => memberNumber,
      },
      {
        key: "placed",
        label: "Placed",
        sort: "placed",
        cell: ({ placedAt }) => <Moment at={placedAt} />,
        csv: ({ placedAt }) => placedAt,
      },
      {
        key: "error",
        label: "Last error",
        cell: ({ lastError }) => lastError ?? "–",
        csv: ({ lastError }) => lastError,
      },
    ],
  };
}
