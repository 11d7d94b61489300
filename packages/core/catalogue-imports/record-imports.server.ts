import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import type { FileReport } from "./import-report.ts";

/** Keeps what each file of an import has done. `networkId` null: the club's own offers. */
export async function recordImports(
  db: Db | Trx,
  networkId: string | null,
  files: readonly FileReport[],
): Promise<void> {
  for (const file of files) {
    await db
      .insertInto("catalogue_imports")
      .values({
        id: newId(),
        network_id: networkId,
        source_name: file.source,
        content_kind: file.kind,
        content_hash: file.hash,
        rows_read: file.read,
        rows_created: file.created,
        rows_updated: file.updated,
        rows_unchanged: Math.max(0, file.read - file.created - file.updated),
        rows_withdrawn: file.withdrawn,
      })
      .execute();
  }
}
