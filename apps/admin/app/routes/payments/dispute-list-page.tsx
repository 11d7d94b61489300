import { disputeList } from "@farthing/core/payments/operator-payments.server.ts";
import type { ListedDispute } from "@farthing/core/payments/list-disputes.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { servicesContext } from "../../admin-context.ts";
import { Badge } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { DisputeBadge, disputeStates, EvidenceDue } from "./payment-words.tsx";
import type { Route } from "./+types/dispute-list-page";

export async function loader(args: Route.LoaderArgs) {
  const now = args.context.get(servicesContext).now();
  return { now, list: await loadList<ListedDispute, "due" | "opened">(args, listingAt(now), disputeList) };
}

function listingAt(now: Date): List<ListedDispute, "due" | "opened"> {
  return {
    name: "disputes",
    path: "/admin/disputes",
    rows: "disputes",
    sorts: ["due", "opened"],
    defaultSort: "due",
    keyOf: ({ publicId }) => publicId,
    nameOf: ({ providerDisputeId }) => `dispute ${providerDisputeId}`,
    filters: [{ name: "state", label: "State", kind: "choice", none: "open", choices: disputeStates }],
    columns: [
      {
        key: "due",
        label: "Evidence due",
        sort: "due",
        cell: (dispute) => <EvidenceDue dispute={dispute} now={now} />,
      },
      {
        key: "payment",
        label: "Payment",
        cell: ({ paymentPublicId, reference }) => <a href={`/admin/payments/${paymentPublicId}`}>{reference}</a>,
      },
      {
        key: "amount",
        label: "Amount",
        isNumber: true,
        cell: ({ amountPence }) => <Amount pence={amountPence} />,
      },
      {
        key: "state",
        label: "State",
        cell: ({ state, mode }) => (
          <>
            <DisputeBadge state={state} /> {mode === "test" && <Badge>test</Badge>}
          </>
        ),
      },
      { key: "reason", label: "Reason", cell: ({ reason }) => reason.replaceAll("_", " ") },
      { key: "partner", label: "Partner", cell: ({ partner }) => partner },
      { key: "opened", label: "Opened", sort: "opened", cell: ({ openedAt }) => <Moment at={openedAt} isDay /> },
      {
        key: "id",
        label: "At the provider",
        cell: ({ providerDisputeId }) => <span className="id">{providerDisputeId}</span>,
      },
    ],
  };
}

export default function DisputeListPage({ loaderData: { list, now } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Disputes"
        crumbs={[{ label: "Card payments", href: "/admin/payments" }]}
        intro="Open disputes of card payments, by the day their evidence is due. Evidence is submitted in the card provider’s dashboard."
      />
      <ListScreen list={listingAt(now)} loaded={list} empty={<p>No dispute is open.</p>} />
    </>
  );
}
