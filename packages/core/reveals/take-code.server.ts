import type { Trx } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";

interface Taken {
  code: string;
  codeKind: "shared" | "pool";
}

/** Whose code of which offer and variant. A variant has codes of its own and those for every variant. */
interface CodePlace {
  offerId: string;
  variantId: string | null;
  memberId: string;
  now: Date;
}

const fitting = ({ offerId, variantId }: Pick<CodePlace, "offerId" | "variantId">) =>
  sql`k.offer_id = ${offerId} and (k.variant_id is null or k.variant_id = ${variantId}::uuid)`;

/**
 * Returns the member's own code if they have one; else a free code of the pool, which becomes theirs; else the shared
 * one. Codes of the variant come before codes for every variant. A void code is nobody's.
 */
export async function takeCode(
  trx: Trx,
  place: CodePlace,
): Promise<(Taken & { isNew: boolean }) | "pool-empty" | "no-code"> {
  const { offerId, variantId, memberId, now } = place;
  const { rows: known } = await sql<Taken & { is_own: boolean }>`
    select k.code, k.code_kind as "codeKind", k.member_id is not null as is_own
    from offer_codes k where ${fitting(place)} and k.voided_at is null and (k.member_id = ${memberId} or k.code_kind = 'shared')
    order by is_own desc, k.variant_id nulls last limit 1`.execute(trx);
  const [best] = known;
  if (best?.is_own) return pick(best);
  const { rows: taken } = await sql<Taken>`
    update offer_codes set member_id = ${memberId}, assigned_at = ${now}
    where id = (select free.id from (${freeCode(place)}) free)
    returning code, code_kind as "codeKind"`.execute(trx);
  if (taken[0]) return { ...taken[0], isNew: true };
  if (best) return pick(best);
  return (await isForCodes(trx, offerId, variantId)) ? "pool-empty" : "no-code";
}

/**
 * Selects and locks a free code of the pool, for the variant before those for every variant. Codes that others are taking are skipped without
 * waiting.
 */
const freeCode = (place: Pick<CodePlace, "offerId" | "variantId">, where: RawBuilder<unknown> = sql`true`) => sql<{
  id: string;
  code: string;
}>`
  select k.id, k.code from offer_codes k
  where ${fitting(place)} and k.code_kind = 'pool' and k.member_id is null and ${where}
  order by k.variant_id nulls last, k.id limit 1 for update skip locked`;

/**
 * Returns the condition that a member may have the free code `k` in place of `codeId`: they have no other valid one that is for the same variant,
 * or like it for every variant. A member has at most one of each (O4).
 */
export const mayReplace = ({ memberId, codeId }: { memberId: RawBuilder<unknown>; codeId: RawBuilder<unknown> }) => sql`
  not exists (select from offer_codes own where own.offer_id = k.offer_id and own.variant_id is not distinct from k.variant_id
    and own.member_id = ${memberId} and own.voided_at is null and own.id <> ${codeId})`;

/**
 * Locks a free code of the pool that a member may have in place of `codeId` until the transaction ends, and returns it; null where none is left.
 * The caller has locked the member's row.
 */
export async function lockFreeCode(
  trx: Trx,
  { memberId, codeId, ...place }: Omit<CodePlace, "now"> & { codeId: string },
): Promise<{ id: string; code: string } | null> {
  const { rows } = await freeCode(place, mayReplace({ memberId: sql`${memberId}`, codeId: sql`${codeId}` })).execute(
    trx,
  );
  return rows[0] ?? null;
}

function pick({ code, codeKind }: Taken): Taken & { isNew: boolean } {
  return { code, codeKind, isNew: false };
}

/** Returns whether a code was to be expected: the offer has a pool, or is of a kind whose pool is not filled yet. */
async function isForCodes(trx: Trx, offerId: string, variantId: string | null): Promise<boolean> {
  const { rows } = await sql`
    select from offers o where o.id = ${offerId} and (o.kind = 'code' or exists (
      select from offer_codes k
      where k.offer_id = o.id and (k.variant_id is null or k.variant_id = ${variantId}::uuid) and k.code_kind = 'pool'))`.execute(
    trx,
  );
  return rows.length > 0;
}
