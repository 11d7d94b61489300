import { auditList, type AuditEntry } from "@farthing/core/audit/queries.server.ts";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { auditListing } from "./audit-list.tsx";
import type { Route } from "./+types/audit-list-page";

export function loader(args: Route.LoaderArgs) {
  return loadList<AuditEntry, "seq">(args, auditListing, auditList);
}

export default function AuditListPage({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Audit log"
        intro="Everything that operators have changed. Entries are written once: nobody can change or remove one."
      />
      <ListScreen list={auditListing} loaded={loaderData} empty={<p>Nothing has been changed yet.</p>} />
    </>
  );
}
