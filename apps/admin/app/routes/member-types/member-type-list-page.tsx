import { memberTypeList, type ListedMemberType } from "@farthing/core/member-types/edit-member-types.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { operatorContext } from "../../admin-context.ts";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { memberTypeListing } from "./member-type-list.tsx";
import type { Route } from "./+types/member-type-list-page";

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
