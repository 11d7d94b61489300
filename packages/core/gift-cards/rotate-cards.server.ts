import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { Rotation, RotationOptions } from "../secrets/rotation.ts";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { cardKeyId, openCard, sealCard, UnreadableCardError } from "./card-seal.ts";

/** A card whose row a worker holds is left out of a pass, so there are several. */
const PASSES = 3;
const FIRST = "00000000-0000-0000-0000-000000000000";

/**
 * Encrypts all cards with the current key, batch by batch (G6). The key's id in front of each card says what is left to
 * do, so a run that was killed is continued by the next one. Sites and workers may serve meanwhile if they know both keys.
 */
export async function rotateCards(db: Db, { keys, max = 200, onBatch }: RotationOptions): Promise<Rotation> {
  const keyId = cardKeyId(keys);
  const unreadable = new Map<string, string>();
  const of = (await countCards(db, keyId)).others;
  let rotated = 0;
  for (let pass = 0; pass < PASSES; pass += 1) {
    for (let after: string | null = FIRST; after !== null;) {
      const from: string = after;
      const batch = await db.transaction().execute((trx) => rotateBatch(trx, { keys, keyId, from, max, unreadable }));
      after = batch.last;
      rotated += batch.rotated;
      if (batch.rotated > 0) onBatch?.({ rotated, of });
    }
    if ((await countCards(db, keyId)).others <= unreadable.size) break;
  }
  const { current, others } = await countCards(db, keyId);
  return { current, left: Math.max(0, others - unreadable.size), unreadable };
}

interface Batch {
  keys: SecretKeys;
  keyId: string;
  /** The line after which the batch begins. */
  from: string;
  max: number;
  unreadable: Map<string, string>;
}

/** Returns the number of changed cards and the batch's last line; null: there is nothing after it. */
async function rotateBatch(
  trx: Trx,
  { keys, keyId, from, max, unreadable }: Batch,
): Promise<{ rotated: number; last: string | null }> {
  const { rows } = await sql<{ id: string; publicId: string; sealed: string }>`
    select id, public_id as "publicId", sealed_card as sealed from gift_card_lines
    where id > ${from} and split_part(sealed_card, '.', 1) <> ${keyId}
    order by id limit ${max} for no key update skip locked`.execute(trx);
  const changed: { id: string; sealed: string }[] = [];
  for (const { id, publicId, sealed } of rows) {
    try {
      changed.push({ id, sealed: sealAgain(sealed, id, keys) });
    } catch (error) {
      if (!(error instanceof UnreadableCardError)) throw error;
      unreadable.set(publicId, error.message);
    }
  }
  if (changed.length > 0)
    await sql`
      update gift_card_lines line set sealed_card = fresh.sealed
      from unnest(${changed.map(({ id }) => id)}::uuid[], ${changed.map(({ sealed }) => sealed)}::text[]) as fresh (id, sealed)
      where line.id = fresh.id`.execute(trx);
  return { rotated: changed.length, last: rows.at(-1)?.id ?? null };
}

/** What was encrypted is read back before it replaces the only copy. */
function sealAgain(sealed: string, lineId: string, keys: SecretKeys): string {
  const card = openCard(sealed, lineId, keys);
  const fresh = sealCard(card, lineId, keys);
  if (JSON.stringify(openCard(fresh, lineId, [keys[0]])) !== JSON.stringify(card))
    throw new Error(`The card of line ${lineId} reads otherwise after its encryption; nothing was changed.`);
  return fresh;
}

async function countCards(db: Db, keyId: string): Promise<{ current: number; others: number }> {
  const { rows } = await sql<{ current: number; others: number }>`
    select count(*) filter (where split_part(sealed_card, '.', 1) = ${keyId})::int as current,
      count(*) filter (where split_part(sealed_card, '.', 1) <> ${keyId})::int as others
    from gift_card_lines where sealed_card is not null`.execute(db);
  return rows[0] ?? { current: 0, others: 0 };
}
