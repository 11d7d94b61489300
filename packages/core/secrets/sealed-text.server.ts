import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { keyIndexOf, rotateInBatches, type Rotation, type RotationOptions, type SealedColumn } from "./rotation.ts";
import type { SecretKeys } from "./sealed-secret.ts";

/** How a kind of text is encrypted for its owner. */
export interface Seal<Plain> {
  /** @throws Error with what to do, where none of the keys reads it */
  open(sealed: string, ownerId: string, keys: SecretKeys): Plain;
  seal(plain: Plain, ownerId: string, keys: SecretKeys): string;
}

/** A row that is encrypted again. */
export interface ResealedRow<Plain> {
  id: string;
  ownerId: string;
  plain: Plain;
  /** The text before, and the one that replaces it. */
  sealed: string;
  fresh: string;
}

export interface SealedText<Plain> extends Pick<SealedColumn, "name" | "what" | "purpose"> {
  table: string;
  /** The column that identifies a row, and its type. */
  id: string;
  idType?: "uuid" | "text";
  /** The column whose value the text is bound to. */
  owner: string;
  text: string;
  seal: Seal<Plain>;
  /** The owner is a member, whom everybody locks before a change of the row. */
  locksMember?: boolean;
  /** The row counts its changes in `version`. */
  isVersioned?: boolean;
  /** Which rows of the table, where not all. */
  where?: { column: string; is: string };
  /** Stores a batch; by default, the text alone. Returns how many rows were changed. */
  store?: (trx: Trx, rows: readonly ResealedRow<Plain>[], keys: SecretKeys) => Promise<number>;
}

const ROWS = 200;

/** Describes a column of encrypted text for status and rotation. */
export function sealedText<Plain>(text: SealedText<Plain>): SealedColumn {
  const column: SealedColumn = {
    ...{ name: text.name, what: text.what, purpose: text.purpose },
    async look(db, { keys, after, max }) {
      const rows = await readRows(db, text, { after, max, lock: false });
      return rows.map(({ id, ownerId, sealed }) => ({
        id,
        keyIndex: keyIndexOf(keys, (key) => text.seal.open(sealed, ownerId, key)),
      }));
    },
    rotate: (db, options) => rotateText(db, column, text, options),
  };
  return column;
}

interface SealedRow {
  id: string;
  ownerId: string;
  sealed: string;
}

/** With `lock`, rows that others hold are left out. */
async function readRows<Plain>(
  db: Db | Trx,
  { table, id, owner, text, where, locksMember = false }: SealedText<Plain>,
  { after, max, lock }: { after: string | null; max: number; lock: boolean },
): Promise<SealedRow[]> {
  const column = (name: string) => sql.ref(`work.${name}`);
  const joins = locksMember ? sql`join members member on member.id = ${column(owner)}` : sql``;
  const locked = locksMember
    ? sql`for no key update of work, member skip locked`
    : sql`for no key update of work skip locked`;
  const { rows } = await sql<SealedRow>`
    select ${column(id)}::text as id, ${column(owner)}::text as "ownerId", ${column(text)} as sealed
    from ${sql.table(table)} work ${joins}
    where ${column(text)} is not null
      and ${after === null ? sql`true` : sql`${column(id)} > ${after}`}
      and ${where ? sql`${column(where.column)} = ${where.is}` : sql`true`}
    order by ${column(id)} limit ${max} ${lock ? locked : sql``}`.execute(db);
  return rows;
}

function rotateText<Plain>(
  db: Db,
  column: SealedColumn,
  text: SealedText<Plain>,
  options: RotationOptions,
): Promise<Rotation> {
  const { keys, max = ROWS } = options;
  return rotateInBatches(db, column, options, (after, unreadable) =>
    db.transaction().execute(async (trx) => {
      // Which rows there are is read first: those that others hold must not end the rotation.
      const page = await readRows(trx, text, { after, max, lock: false });
      const last = page.at(-1)?.id ?? null;
      const old = page.filter(
        ({ ownerId, sealed }) => keyIndexOf([keys[0]], (key) => text.seal.open(sealed, ownerId, key)) === null,
      );
      if (old.length === 0) return { rotated: 0, last };
      const wanted = new Set(old.map(({ id }) => id));
      const locked = await readRows(trx, text, { after, max: page.length, lock: true });
      const changed: ResealedRow<Plain>[] = [];
      for (const row of locked.filter(({ id }) => wanted.has(id))) {
        try {
          changed.push(resealed(row, text.seal, keys));
        } catch (error) {
          unreadable.set(row.id, error instanceof Error ? error.message : "It can't be read.");
        }
      }
      const store = text.store ?? ((given: Trx, rows: readonly ResealedRow<Plain>[]) => storeText(given, text, rows));
      return { rotated: changed.length > 0 ? await store(trx, changed, keys) : 0, last };
    }),
  );
}

/** What was encrypted is read back before it replaces the only copy. */
function resealed<Plain>({ id, ownerId, sealed }: SealedRow, seal: Seal<Plain>, keys: SecretKeys): ResealedRow<Plain> {
  const plain = seal.open(sealed, ownerId, keys);
  const fresh = seal.seal(plain, ownerId, keys);
  if (JSON.stringify(seal.open(fresh, ownerId, [keys[0]])) !== JSON.stringify(plain))
    throw new Error("It reads otherwise after its encryption; nothing was changed.");
  return { id, ownerId, plain, sealed, fresh };
}

async function storeText<Plain>(
  trx: Trx,
  { table, id, idType = "uuid", text, isVersioned = false }: SealedText<Plain>,
  rows: readonly ResealedRow<Plain>[],
): Promise<number> {
  const ids = rows.map((row) => row.id);
  const version = isVersioned ? sql`, version = work.version + 1` : sql``;
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} work set ${sql.ref(text)} = fresh.sealed ${version}
    from unnest(${ids}::${sql.raw(idType)}[], ${rows.map(({ fresh }) => fresh)}::text[]) as fresh (id, sealed)
    where ${sql.ref(`work.${id}`)} = fresh.id`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
