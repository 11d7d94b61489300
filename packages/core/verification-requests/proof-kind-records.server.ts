import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import type { NewProofKind, ProofKindStatement } from "./proof-kind-schema.ts";
import { isProofKindUsed, MAX_COUNTED_REQUESTS } from "./rules.ts";
import type { Drawing } from "./schema.ts";

/** A proof kind as operators list it. */
export interface ListedProofKind {
  slug: string;
  name: string;
  drawing: Drawing;
  isGeneral: boolean;
  position: number;
  /** Member types in whose lists it is, in their order; of one status or of everyone. */
  askedBy: { slug: string; name: string }[];
  /** Requests that were sent as this kind; at most MAX_COUNTED_REQUESTS + 1. */
  requests: number;
}

export interface ProofKindRecord extends ListedProofKind {
  version: number;
  help: string;
  shows: string[];
  hides: string;
}

const listed = sql`kind.slug, kind.name, kind.drawing, kind.is_general as "isGeneral", kind.position,
  coalesce((select jsonb_agg(jsonb_build_object('slug', type.slug, 'name', type.name) order by type.position, type.slug)
    from member_types type where exists (select from member_type_proofs listed
      where listed.member_type_id = type.id and listed.proof_kind_id = kind.id)), '[]') as "askedBy",
  (select count(*)::int from (select from verification_requests request
    where request.proof_kind_id = kind.id limit ${MAX_COUNTED_REQUESTS + 1}) counted) as requests`;

export function proofKindList({ q }: { q?: string }): ListQuery<"place" | "name"> {
  const like = `%${(q ?? "").toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return {
    from: sql`proof_kinds kind`,
    select: listed,
    where: q ? [sql`(lower(kind.name) like ${like} or kind.slug like ${like})`] : [],
    sorts: {
      place: { by: sql`kind.position::bigint`, type: "bigint" },
      name: { by: sql`lower(kind.name)`, type: "text" },
    },
    id: { by: sql`kind.id`, type: "uuid" },
  };
}

export async function findProofKindRecord(db: Db | Trx, { slug }: { slug: string }): Promise<ProofKindRecord | null> {
  const { rows } = await sql<ProofKindRecord>`
    select ${listed}, kind.version, kind.help, kind.shows, kind.hides from proof_kinds kind where kind.slug = ${slug}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** Returns every proof kind by its place, for the lists of member types. */
export async function listProofKindChoices(
  db: Db | Trx,
): Promise<{ slug: string; name: string; isGeneral: boolean }[]> {
  return await db
    .selectFrom("proof_kinds")
    .select(["slug", "name", "is_general as isGeneral"])
    .orderBy("position")
    .orderBy("slug")
    .execute();
}

/** Adds a proof kind; nobody is asked for it before it is general or in a list. Returns false if the short name is taken. */
export async function addProofKind(db: Db, { slug, ...statement }: NewProofKind): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto("proof_kinds")
    .values({ id: newId(), slug, ...columnsOf(statement) })
    .onConflict((conflict) => conflict.column("slug").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

export type SavedProofKind =
  | { outcome: "saved" | "unchanged" | "unknown" }
  | { outcome: "refused"; field: "isGeneral"; message: string }
  /** Somebody saved meanwhile: what is stored now. */
  | { outcome: "stale"; stored: ProofKindRecord };

/** Changes a proof kind that is still at `version`. Its short name stays: open forms and requests name it. */
export async function changeProofKind(
  db: Db,
  { slug, version, kind }: { slug: string; version: number; kind: ProofKindStatement },
): Promise<SavedProofKind> {
  return await db.transaction().execute(async (trx): Promise<SavedProofKind> => {
    await takeTurns(trx);
    const stored = await findProofKindRecord(trx, { slug });
    if (!stored) return { outcome: "unknown" };
    if (stored.version !== version) return { outcome: "stale", stored };
    if (stored.isGeneral && !kind.isGeneral && (await isLastGeneral(trx, slug))) {
      const message =
        "It is the last general kind: members without a list would have nothing to send. Make another general first.";
      return { outcome: "refused", field: "isGeneral", message };
    }
    await trx.updateTable("proof_kinds").set(columnsOf(kind)).where("slug", "=", slug).execute();
    const isSame = (await findProofKindRecord(trx, { slug }))?.version === version;
    return { outcome: isSame ? "unchanged" : "saved" };
  });
}

export type RemovedProofKind =
  | { outcome: "removed" | "unknown" }
  /** It is general, in a list, or was sent. */
  | { outcome: "used"; stored: ProofKindRecord };

/** Removes a proof kind that nobody is asked for and that no request names. */
export async function removeProofKind(db: Db, { slug }: { slug: string }): Promise<RemovedProofKind> {
  return await db.transaction().execute(async (trx): Promise<RemovedProofKind> => {
    await takeTurns(trx);
    // Waits for requests and lists that are being stored with it, and keeps later ones out.
    await trx.selectFrom("proof_kinds").select("id").where("slug", "=", slug).forUpdate().execute();
    const stored = await findProofKindRecord(trx, { slug });
    if (!stored) return { outcome: "unknown" };
    if (isProofKindUsed(stored)) return { outcome: "used", stored };
    await trx.deleteFrom("proof_kinds").where("slug", "=", slug).execute();
    return { outcome: "removed" };
  });
}

/** Changes of kinds run one after the other, because the last general one has to stay. */
async function takeTurns(trx: Trx): Promise<void> {
  await sql`lock table proof_kinds in share row exclusive mode`.execute(trx);
}

async function isLastGeneral(trx: Trx, slug: string): Promise<boolean> {
  const other = await trx
    .selectFrom("proof_kinds")
    .select("id")
    .where("is_general", "=", true)
    .where("slug", "<>", slug)
    .executeTakeFirst();
  return other === undefined;
}

const columnsOf = ({ name, help, shows, hides, drawing, isGeneral, position }: ProofKindStatement) => ({
  ...{ name, help, shows, hides, drawing, is_general: isGeneral, position },
});
