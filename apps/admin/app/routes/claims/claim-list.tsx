import { claimStates, type ClaimState } from "@farthing/core/claims/rules.ts";
import type { ClaimSort, ListedClaim } from "@farthing/core/claims/list-claims.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { decimalPounds } from "@farthing/core/money/money.ts";
import { Badge, type Tone } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { memberColumn, memberNameColumn } from "../../kit/member-column.tsx";
import { Moment } from "../../kit/moment.tsx";

const stateTones: Partial<Record<ClaimState, Tone>> = {
  incomplete: "warn",
  open: "warn",
  accepted: "good",
  credited: "good",
  goodwill: "good",
  declined: "bad",
};

export function ClaimStateBadge({ state }: { state: ClaimState }) {
  return <Badge tone={stateTones[state] ?? "plain"}>{state}</Badge>;
}

export const kindWords = {
  untracked: "never tracked",
  incorrect: "wrong amount",
  declined: "declined wrongly",
} as const;

/** Returns what a claim waits for, in words. */
export function nextWords({ state, awaitsPack, givenUpAt }: Pick<ListedClaim, "state" | "awaitsPack" | "givenUpAt">) {
  if (givenUpAt) return "a person: given up";
  if (awaitsPack) return state === "open" ? "a pack" : state === "filed" ? "the answer, by hand" : "a person";
  const words: Partial<Record<ClaimState, string>> = {
    waiting: "its day",
    incomplete: "the member",
    open: "filing",
    filed: "the network",
    accepted: "the report",
  };
  return words[state] ?? "–";
}

/** Claims as a list, those first of which something is due next. Networks are data, so the page adds them to the filters. */
export function claimListing(networks: readonly { slug: string; name: string }[]): List<ListedClaim, ClaimSort> {
  return {
    name: "claims",
    path: "/admin/claims",
    csvPath: "/admin/claims.csv",
    rows: "claims",
    sorts: ["deadline", "made"],
    defaultSort: "deadline",
    keyOf: ({ publicId }) => publicId,
    nameOf: ({ publicId }) => `claim ${publicId}`,
    filters: [
      { name: "q", label: "Find", kind: "text", placeholder: "Claim, order, name, e-mail …" },
      { name: "waits", label: "Waits for", kind: "choice", choices: [{ value: "person", label: "A person" }] },
      {
        name: "state",
        label: "State",
        kind: "choice",
        choices: claimStates.map((value) => ({ value, label: value })),
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
        key: "claim",
        label: "Claim",
        cell: ({ publicId }) => (
          <a href={`/admin/claims/${publicId}`}>
            <span className="id">{publicId}</span>
          </a>
        ),
        csv: ({ publicId }) => publicId,
      },
      {
        key: "state",
        label: "State",
        cell: ({ state, isAppeal }) => (
          <>
            <ClaimStateBadge state={state} /> {isAppeal && <Badge>appeal</Badge>}
          </>
        ),
        csv: ({ state }) => state,
      },
      { key: "next", label: "Waits for", cell: nextWords, csv: nextWords },
      {
        key: "deadline",
        label: "Due by",
        sort: "deadline",
        cell: ({ deadline }) => <Moment at={deadline} isDay />,
        csv: ({ deadline }) => deadline,
      },
      { key: "retailer", label: "Retailer", cell: ({ retailer }) => retailer, csv: ({ retailer }) => retailer },
      { key: "network", label: "Network", cell: ({ network }) => network, csv: ({ network }) => network },
      {
        key: "order",
        label: "Order",
        cell: ({ orderReference }) => <span className="id">{orderReference}</span>,
        csv: ({ orderReference }) => orderReference,
      },
      { key: "kind", label: "Says", cell: ({ kind }) => kindWords[kind], csv: ({ kind }) => kind },
      {
        key: "sale",
        label: "Sale",
        isNumber: true,
        cell: ({ salePence }) => <Amount pence={salePence} />,
        csv: ({ salePence }) => decimalPounds(salePence),
      },
      memberColumn,
      memberNameColumn,
      {
        key: "made",
        label: "Made",
        sort: "made",
        cell: ({ madeAt }) => <Moment at={madeAt} isDay />,
        csv: ({ madeAt }) => madeAt,
      },
    ],
  };
}
