import { sql } from "kysely";
import type { ListQuery } from "../lists/find-list-page.server.ts";

/** An import that has changed something, as operators list it. */
export interface ListedImport {
  id: string;
  at: Date;
  source: string;
  network: string;
  kind: string;
  read: number;
  created: number;
  updated: number;
  withdrawn: number;
}

/** Returns how imports are listed, from commands and from the admin. */
export function importList(): ListQuery<"at"> {
  return {
    from: sql`catalogue_imports import left join networks network on network.id = import.network_id`,
    select: sql`import.id, import.imported_at as at, import.source_name as source, coalesce(network.name, 'The club’s own') as network,
      import.content_kind as kind, import.rows_read as read, import.rows_created as created,
      import.rows_updated as updated, import.rows_withdrawn as withdrawn`,
    where: [],
    sorts: { at: { by: sql`import.imported_at`, type: "timestamptz" } },
    id: { by: sql`import.id`, type: "uuid" },
  };
}
