import type { Db, Trx } from "@farthing/db/client.ts";
import proofsJson from "@farthing/db/seeds/proofs.json" with { type: "json" };
import { newId } from "@farthing/db/uuid.ts";
import { proofsSeed } from "./schema.ts";

/**
 * Adds missing proof kinds (packages/db/seeds/proofs.json), and lists and domains for member types without any.
 * Existing rows keep operators' changes. Member types must exist.
 * @returns the number of added kinds
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
    // Only together with new kinds, so that a list which an operator emptied stays empty.
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
