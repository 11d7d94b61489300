import type { Db, Trx } from "@farthing/db/client.ts";
import proofsJson from "@farthing/db/seeds/proofs.json" with { type: "json" };
import { newId } from "@farthing/db/uuid.ts";
import { proofsSeed } from "./schema.ts";

/**
 * Adds what counts as proof (packages/db/seeds/proofs.json): kinds that are missing, and lists and domains for member types that have none.
 * What is there stays as operators left it. Member types must be there first.
 * @returns how many kinds were added
 */
export async function seedProofs(db: Db): Promise<number> {
  const seed = proofsSeed.parse(proofsJson);
  return db.transaction().execute(async (trx) => {
    const added = await trx
      .insertInto("proof_kinds")
      .values(
        seed.kinds.map((kind, position) => ({
          id: newId(),
          slug: kind.slug,
          name: kind.name,
          help: kind.help,
          shows: kind.shows,
          hides: kind.hides,
          drawing: kind.drawing,
          is_general: kind.isGeneral,
          position,
        })),
      )
      .onConflict((conflict) => conflict.column("slug").doNothing())
      .returning("id")
      .execute();
    // Only together with the kinds: a list that an operator emptied stays empty.
    if (added.length > 0) await addLists(trx, seed);
    return added.length;
  });
}

async function addLists(trx: Trx, seed: ReturnType<typeof proofsSeed.parse>): Promise<void> {
  const kinds = await idsBySlug(trx, "proof_kinds");
  const types = await idsBySlug(trx, "member_types");
  const statuses = await trx.selectFrom("member_statuses").select(["id", "slug", "member_type_id"]).execute();
  const listed = seed.memberTypes.flatMap(({ memberType, statuses: slugs, kinds: wanted }) => {
    const typeId = types.get(memberType);
    if (!typeId) return [];
    const statusIds = slugs
      ? statuses
          .filter(({ slug, member_type_id }) => member_type_id === typeId && slugs.includes(slug))
          .map(({ id }) => id)
      : [null];
    return statusIds.flatMap((statusId) =>
      wanted.flatMap((kind, position) => {
        const kindId = kinds.get(kind);
        return kindId
          ? [{ id: newId(), member_type_id: typeId, member_status_id: statusId, proof_kind_id: kindId, position }]
          : [];
      }),
    );
  });
  if (listed.length > 0)
    await trx
      .insertInto("member_type_proofs")
      .values(listed)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  const domains = seed.workEmailDomains.flatMap(({ memberType, domain, withSubdomains }) => {
    const typeId = types.get(memberType);
    return typeId ? [{ member_type_id: typeId, domain, with_subdomains: withSubdomains }] : [];
  });
  if (domains.length > 0)
    await trx
      .insertInto("work_email_domains")
      .values(domains)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

async function idsBySlug(trx: Trx, table: "proof_kinds" | "member_types"): Promise<Map<string, string>> {
  const rows = await trx.selectFrom(table).select(["slug", "id"]).execute();
  return new Map(rows.map(({ slug, id }) => [slug, id]));
}
