import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "../client.ts";
import { newId } from "../uuid.ts";

export type PlantedRow = Record<string, unknown>;

interface Column {
  table: string;
  name: string;
  type: string;
  isFilled: boolean;
}

export interface Planting {
  /**
   * Inserts a row that has a value in each column, of `values` or made up, and passes triggers and foreign keys by: a row of any table
   * costs one line. Returns it as it was stored.
   */
  plant(table: string, values: PlantedRow, at: Date): Promise<PlantedRow>;
  /** Finds a planted row by its primary key. */
  find(table: string, row: PlantedRow): Promise<PlantedRow | undefined>;
}

/** For tests that look at every table: takes the check constraints (and, if wanted, foreign keys) off the test's own database. */
export async function plantingIn(db: Db, { withoutForeignKeys = false } = {}): Promise<Planting> {
  const kinds = withoutForeignKeys ? ["c", "f"] : ["c"];
  const { rows: constraints } = await sql<{ statement: string }>`
    select format('alter table %s drop constraint if exists %I cascade', conrelid::regclass, conname) as statement
    from pg_constraint where contype::text = any(${kinds}) and conparentid = 0 and connamespace = 'public'::regnamespace`.execute(
    db,
  );
  for (const { statement } of constraints) await sql.raw(statement).execute(db);
  const { rows: columns } = await sql<Column>`
    select table_name as "table", column_name as name, udt_name as type,
      column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS' as "isFilled"
    from information_schema.columns where table_schema = 'public'`.execute(db);
  return {
    async plant(table, values, at) {
      const wanted = columns.filter((column) => column.table === table && (!column.isFilled || column.name in values));
      const row = wanted.map((column) => [
        sql.ref(column.name),
        sql`${column.name in values ? asParameter(values[column.name]) : madeUp(column, at)}`,
      ]);
      return db.transaction().execute(async (trx) => {
        await sql`set local session_replication_role = replica`.execute(trx);
        const { rows } = await sql<PlantedRow>`insert into ${sql.table(table)} (${sql.join(row.map(([name]) => name))})
          values (${sql.join(row.map(([, value]) => value))}) returning *`.execute(trx);
        return rows[0]!;
      });
    },
    async find(table, row) {
      const { rows: key } = await sql<{ name: string }>`
        select attname as name from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
        where indrelid = ${table}::regclass and indisprimary`.execute(db);
      const isRow = key.map(({ name }) => sql`${sql.ref(name)} = ${row[name]}`);
      const { rows } =
        await sql<PlantedRow>`select * from ${sql.table(table)} where ${sql.join(isRow, sql` and `)}`.execute(db);
      return rows[0];
    },
  };
}

function madeUp({ name, type }: Column, at: Date): unknown {
  if (type === "uuid") return newId();
  if (type === "bytea") return randomBytes(32);
  if (type === "jsonb") return "{}";
  if (type === "bool") return false;
  if (["int2", "int4", "int8"].includes(type)) return 1;
  if (["timestamptz", "date"].includes(type)) return at;
  if (type.startsWith("_")) return [];
  return `${name} ${newId()}`;
}

function asParameter(value: unknown): unknown {
  const isPlain = typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? JSON.stringify(value) : value;
}
