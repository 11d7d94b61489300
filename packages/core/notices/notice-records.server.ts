import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import type { NoticeKind } from "./rules.ts";
import type { NoticeStatement } from "./schema.ts";

/** A notice as operators list it. */
export interface ListedNotice {
  id: string;
  kind: NoticeKind;
  title: string;
  /** The name of the brand that shows it; null: every brand. */
  brandName: string | null;
  since: Date;
  until: Date | null;
}

/** @param brand a slug, or "shared" for those of every brand */
export function noticeList({ brand, kind }: { brand?: string; kind?: string }): ListQuery<"since" | "title"> {
  return {
    from: sql`notices notice left join brands brand on brand.id = notice.brand_id`,
    select: sql`notice.id, notice.kind, notice.title, brand.name as "brandName", notice.since, notice.until`,
    where: [
      ...(brand ? [brand === "shared" ? sql`notice.brand_id is null` : sql`brand.slug = ${brand}`] : []),
      ...(kind ? [sql`notice.kind = ${kind}`] : []),
    ],
    sorts: {
      since: { by: sql`notice.since`, type: "timestamptz" },
      title: { by: sql`lower(notice.title)`, type: "text" },
    },
    id: { by: sql`notice.id`, type: "uuid" },
  };
}

export interface NoticeRecord extends NoticeStatement {
  id: string;
  version: number;
}

export async function findNoticeRecord(db: Db, { id }: { id: string }): Promise<NoticeRecord | null> {
  const { rows } = await sql<NoticeRecord>`
    select notice.id, notice.version, notice.kind, notice.title, notice.text, notice.since, notice.until, brand.slug as brand
    from notices notice left join brands brand on brand.id = notice.brand_id
    where notice.id::text = ${id}`.execute(db);
  return rows[0] ?? null;
}

export type SavedNotice =
  | { outcome: "saved"; id: string }
  | { outcome: "unchanged" | "unknown" | "no-such-brand" }
  /** Somebody saved meanwhile: what is stored now. */
  | { outcome: "stale"; stored: NoticeRecord };

/** Adds a notice, or changes one that is still at `version`. */
export async function saveNotice(
  db: Db,
  { notice, changed }: { notice: NoticeStatement; changed: { id: string; version: number } | null },
): Promise<SavedNotice> {
  return await db.transaction().execute(async (trx): Promise<SavedNotice> => {
    const brand =
      notice.brand === null
        ? { id: null }
        : await trx.selectFrom("brands").select("id").where("slug", "=", notice.brand).executeTakeFirst();
    if (!brand) return { outcome: "no-such-brand" };
    const { kind, title, text, since, until } = notice;
    const values = { brand_id: brand.id, kind, title, text, since, until };
    if (!changed) {
      const id = newId();
      await trx
        .insertInto("notices")
        .values({ id, ...values })
        .execute();
      return { outcome: "saved", id };
    }
    // Changes of one notice take turns.
    await sql`select from notices where id::text = ${changed.id} for update`.execute(trx);
    const stored = await findNoticeRecord(trx, changed);
    if (!stored) return { outcome: "unknown" };
    if (stored.version !== changed.version) return { outcome: "stale", stored };
    await trx.updateTable("notices").set(values).where("id", "=", stored.id).execute();
    const isSame = (await findNoticeRecord(trx, stored))?.version === stored.version;
    return isSame ? { outcome: "unchanged" } : { outcome: "saved", id: stored.id };
  });
}

export async function removeNotice(db: Db, { id }: { id: string }): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("notices").where("id", "=", id).executeTakeFirst();
  return numDeletedRows > 0n;
}
