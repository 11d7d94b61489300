import { memberTypeList, type ListedMemberType } from "@farthing/core/member-types/edit-member-types.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { operatorContext } from "../../admin-context.ts";
import { ListScreen } from "../../kit/list-screen.tsx";
import type { List } from "../../kit/list.ts";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import type { Route } from "./+types/member-type-list-page";

const memberTypeListing: List<ListedMemberType, "place" | "name"> = {
  name: "member-types",
  path: "/admin/member-types",
  rows: "member types",
  sorts: ["place", "name"],
  defaultSort: "place",
  keyOf: ({ slug }) => slug,
  nameOf: ({ name }) => name,
  filters: [{ name: "q", label: "Find", kind: "text", placeholder: "Name" }],
  columns: [
    {
      key: "name",
      label: "Member type",
      sort: "name",
      cell: ({ slug, name }) => <a href={`/admin/member-types/${slug}`}>{name}</a>,
    },
    { key: "place", label: "Place", sort: "place", isNumber: true, cell: ({ position }) => position },
    { key: "statuses", label: "Statuses", isNumber: true, cell: ({ statuses }) => statuses },
    { key: "fields", label: "Questions", isNumber: true, cell: ({ fields }) => fields },
    {
      key: "roles",
      label: "Job roles",
      isNumber: true,
      cell: ({ roles, isOrganisation }) => (isOrganisation ? "organisation" : roles),
    },
    { key: "brands", label: "Offered by", cell: ({ brands }) => brands ?? <span className="soft">no brand</span> },
  ],
};

export async function loader(args: Route.LoaderArgs) {
  const list = await loadList<ListedMemberType, "place" | "name">(args, memberTypeListing, memberTypeList);
  return { list, mayChange: may(args.context.get(operatorContext).role, "settings.change") };
}

export default function MemberTypeListPage({ loaderData: { list, mayChange } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Member types" intro="Who can join, and what the registration asks each of them.">
        {mayChange && (
          <a className="button is-main" href="/admin/member-types/new">
            New member type
          </a>
        )}
      </PageHead>
      <ListScreen list={memberTypeListing} loaded={list} empty={<p>There is no member type yet.</p>} />
    </>
  );
}
