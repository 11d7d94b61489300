import type { Db, Trx } from "@farthing/db/client.ts";
import type { Drawing } from "./schema.ts";
import type { ProofKind } from "./verification-view.ts";

interface TypeAndStatus {
  member_type_id: string | null;
  member_status_id: string | null;
}

/**
 * Returns the proof kinds that a member is asked for, in order: those of their status, else of their type, else the general
 * ones. Read from the database each time, so that an operator's change holds at once.
 */
export async function findAskedKinds(
  db: Db | Trx,
  { member_type_id, member_status_id }: TypeAndStatus,
): Promise<ProofKind[]> {
  const columns = ["kind.slug", "kind.name", "kind.help", "kind.shows", "kind.hides", "kind.drawing"] as const;
  const listed =
    member_type_id === null
      ? []
      : await db
          .selectFrom("member_type_proofs as listed")
          .innerJoin("proof_kinds as kind", "kind.id", "listed.proof_kind_id")
          .select([...columns, "listed.member_status_id"])
          .where("listed.member_type_id", "=", member_type_id)
          .where((eb) =>
            eb.or([eb("listed.member_status_id", "is", null), eb("listed.member_status_id", "=", member_status_id)]),
          )
          .orderBy("listed.position")
          .orderBy("kind.slug")
          .execute();
  const own = listed.filter((row) => row.member_status_id !== null);
  const chosen = own.length > 0 ? own : listed;
  const rows =
    chosen.length > 0
      ? chosen
      : await db
          .selectFrom("proof_kinds as kind")
          .select(columns)
          .where("is_general", "=", true)
          .orderBy("position")
          .orderBy("slug")
          .execute();
  return rows.map(({ slug, name, help, shows, hides, drawing }) => ({
    slug,
    name,
    help,
    shows,
    hides,
    drawing: drawing as Drawing,
  }));
}

/**
 * Returns the id of a proof kind that a member is asked for now; null for any other. The kind can't be removed before the
 * transaction ends.
 */
export async function lockAskedKind(
  trx: Trx,
  { memberId, slug }: { memberId: string; slug: string },
): Promise<string | null> {
  const member = await trx
    .selectFrom("members")
    .select(["member_type_id", "member_status_id"])
    .where("id", "=", memberId)
    .executeTakeFirstOrThrow();
  const asked = await findAskedKinds(trx, member);
  if (!asked.some((kind) => kind.slug === slug)) return null;
  const kind = await trx
    .selectFrom("proof_kinds")
    .select("id")
    .where("slug", "=", slug)
    .forKeyShare()
    .executeTakeFirst();
  return kind?.id ?? null;
}
