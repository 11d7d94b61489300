import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import type { NewSubject, SubjectStatement } from "./schema.ts";

/** A subject of questions as operators list it. */
export interface ListedSubject {
  id: string;
  slug: string;
  name: string;
  position: number;
  isHidden: boolean;
  /** The brand that has it alone, or in place of the shared one; null: every brand. */
  brand: string | null;
  brandName: string | null;
  /** Filed under it, of whichever brand. */
  questions: number;
}

export interface SubjectRecord extends ListedSubject {
  version: number;
}

const columns = sql`subject.id, subject.slug, subject.name, subject.position, subject.is_hidden as "isHidden", subject.version,
  brand.slug as brand, brand.name as "brandName", (select count(*) from faqs where faqs.category_id = subject.id) as questions`;

/** @param brand a slug, or "shared" for those of every brand */
export function subjectList({ brand }: { brand?: string }): ListQuery<"place" | "name"> {
  return {
    from: sql`faq_categories subject left join brands brand on brand.id = subject.own_brand_id`,
    select: columns,
    where: brand ? [brand === "shared" ? sql`subject.own_brand_id is null` : sql`brand.slug = ${brand}`] : [],
    sorts: {
      place: { by: sql`subject.position::bigint`, type: "bigint" },
      name: { by: sql`lower(subject.name)`, type: "text" },
    },
    id: { by: sql`subject.id`, type: "uuid" },
  };
}

export async function findSubjectRecord(db: Db | Trx, { id }: { id: string }): Promise<SubjectRecord | null> {
  const { rows } = await sql<SubjectRecord>`
    select ${columns} from faq_categories subject left join brands brand on brand.id = subject.own_brand_id
    where subject.id::text = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Returns the subjects that a question can have, each slug once. `onlyOf` is the brand, where only that brand has the subject. */
export async function listSubjectChoices(
  db: Db | Trx,
): Promise<{ slug: string; name: string; onlyOf: string | null }[]> {
  const { rows } = await sql<{ slug: string; name: string; onlyOf: string | null }>`
    select slug, name, only_of as "onlyOf" from (
      select distinct on (subject.slug) subject.slug, subject.name, subject.position, brand.name as only_of
      from faq_categories subject left join brands brand on brand.id = subject.own_brand_id
      order by subject.slug, subject.own_brand_id nulls first) each
    order by position, slug`.execute(db);
  return rows;
}

export type SavedSubject =
  | { outcome: "saved"; id: string }
  | { outcome: "unchanged" | "unknown" }
  | { outcome: "refused"; field: "slug" | "brand"; message: string }
  /** Somebody saved meanwhile: what is stored now. */
  | { outcome: "stale"; stored: SubjectRecord };

/** Adds a subject, for every brand or for one. One of a brand replaces the shared one of the same short name there. */
export async function addSubject(db: Db, { slug, brand, ...statement }: NewSubject): Promise<SavedSubject> {
  return await db.transaction().execute(async (trx): Promise<SavedSubject> => {
    const owner =
      brand === null
        ? { id: null }
        : await trx.selectFrom("brands").select("id").where("slug", "=", brand).executeTakeFirst();
    if (!owner) return { outcome: "refused", field: "brand", message: "Choose a brand of the list." };
    const id = newId();
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("faq_categories")
      .values({ id, slug, own_brand_id: owner.id, ...columnsOf(statement) })
      .onConflict((conflict) => conflict.constraint("faq_categories_one_each").doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows) return { outcome: "saved", id };
    const message = "Another subject has this short name there. Choose another, or change that subject.";
    return { outcome: "refused", field: "slug", message };
  });
}

/** Changes a subject that is still at `version`. Its short name stays: links lead to it. */
export async function changeSubject(
  db: Db,
  { id, version, subject }: { id: string; version: number; subject: SubjectStatement },
): Promise<SavedSubject> {
  return await db.transaction().execute(async (trx): Promise<SavedSubject> => {
    await sql`select from faq_categories where id::text = ${id} for update`.execute(trx);
    const stored = await findSubjectRecord(trx, { id });
    if (!stored) return { outcome: "unknown" };
    if (stored.version !== version) return { outcome: "stale", stored };
    await trx.updateTable("faq_categories").set(columnsOf(subject)).where("id", "=", stored.id).execute();
    const isSame = (await findSubjectRecord(trx, { id }))?.version === version;
    return isSame ? { outcome: "unchanged" } : { outcome: "saved", id };
  });
}

const columnsOf = ({ name, position, isHidden }: SubjectStatement) => ({ name, position, is_hidden: isHidden });

export type RemovedSubject =
  | { outcome: "removed"; moved: number }
  | { outcome: "unknown" }
  /** It has questions, and nothing, or nothing possible, was said of where they go. */
  | { outcome: "has-questions"; questions: number; message: string };

/**
 * Removes a subject. Its questions are moved to the subject `to` (a slug) first; without one, a subject that has questions stays.
 */
export async function removeSubject(db: Db, { id, to }: { id: string; to: string | null }): Promise<RemovedSubject> {
  return await db.transaction().execute(async (trx): Promise<RemovedSubject> => {
    // Changes of questions take turns with this (saveFaq).
    await sql`lock table faqs in share row exclusive mode`.execute(trx);
    await sql`select from faq_categories where id::text = ${id} for update`.execute(trx);
    const stored = await findSubjectRecord(trx, { id });
    if (!stored) return { outcome: "unknown" };
    const stays = (message: string) => ({ outcome: "has-questions", questions: stored.questions, message }) as const;
    if (stored.questions > 0) {
      if (to === null) return stays("Choose the subject that its questions go to.");
      const { rows: questions } = await sql<{ brandId: string | null; id: string }>`
        select id, brand_id as "brandId" from faqs where category_id = ${stored.id}`.execute(trx);
      for (const question of questions) {
        const target = await findSubjectId(trx, { slug: to, brandId: question.brandId, not: stored.id });
        if (target === null) return stays("Choose a subject that every brand of its questions has.");
        await trx.updateTable("faqs").set({ category_id: target }).where("id", "=", question.id).execute();
      }
    }
    await trx.deleteFrom("faq_categories").where("id", "=", stored.id).execute();
    return { outcome: "removed", moved: stored.questions };
  });
}

/**
 * Returns the subject that a question is filed under: the shared one of the slug, or the one that its brand has alone; null: there
 * is none.
 */
export async function findSubjectId(
  db: Db | Trx,
  { slug, brandId, not = null }: { slug: string; brandId: string | null; not?: string | null },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from faq_categories where slug = ${slug} and (own_brand_id is null or own_brand_id = ${brandId}::uuid)
      and id is distinct from ${not}::uuid
    order by own_brand_id nulls first limit 1`.execute(db);
  return rows[0]?.id ?? null;
}
