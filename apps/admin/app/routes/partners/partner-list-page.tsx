import { may } from "@farthing/core/operators/permissions.ts";
import { partnerList, type ListedPartner } from "@farthing/core/partners/operator-records.server.ts";
import { operatorContext } from "../../admin-context.ts";
import { Badge } from "../../kit/facts.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import type { List } from "../../kit/list.ts";
import { loadList } from "../../kit/load-list.server.ts";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import type { Route } from "./+types/partner-list-page";

const partnerListing: List<ListedPartner, "name"> = {
  name: "partners",
  path: "/admin/partners",
  rows: "partners",
  sorts: ["name"],
  defaultSort: "name",
  keyOf: ({ publicId }) => publicId,
  nameOf: ({ name }) => name,
  filters: [
    { name: "q", label: "Find", kind: "text", placeholder: "Name, id or origin" },
    {
      name: "state",
      label: "State",
      kind: "choice",
      choices: [
        { value: "open", label: "Open" },
        { value: "suspended", label: "Suspended" },
      ],
    },
  ],
  columns: [
    {
      key: "name",
      label: "Partner",
      sort: "name",
      cell: ({ publicId, name, isHouse }) => (
        <>
          <a href={`/admin/partners/${publicId}`}>{name}</a> {isHouse && <Badge>the club itself</Badge>}
        </>
      ),
    },
    { key: "id", label: "Id", cell: ({ publicId }) => <span className="id">{publicId}</span> },
    {
      key: "state",
      label: "State",
      cell: ({ suspendedAt }) => (suspendedAt ? <Badge tone="bad">suspended</Badge> : <Badge tone="good">open</Badge>),
    },
    { key: "origins", label: "Origins", isNumber: true, cell: ({ origins }) => origins },
    { key: "keys", label: "Keys", isNumber: true, cell: ({ keys }) => keys },
    { key: "webhooks", label: "Webhooks", isNumber: true, cell: ({ webhooks }) => webhooks },
    { key: "since", label: "Since", cell: ({ createdAt }) => <Moment at={createdAt} isDay /> },
  ],
};

export async function loader(args: Route.LoaderArgs) {
  const list = await loadList<ListedPartner, "name">(args, partnerListing, partnerList);
  return { list, mayChange: may(args.context.get(operatorContext).role, "partners.change") };
}

export default function PartnerListPage({ loaderData: { list, mayChange } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Partners" intro="Whose pages hold the payment widget, and whose servers call the API.">
        {mayChange && (
          <a className="button is-main" href="/admin/partners/new">
            New partner
          </a>
        )}
      </PageHead>
      <ListScreen list={partnerListing} loaded={list} empty={<p>There is no partner yet.</p>} />
    </>
  );
}
