import { type RawBuilder, sql } from "kysely";
import type { Trx } from "@farthing/db/client.ts";

const ROWS_PER_STATEMENT = 1_000;

/**
 * A temporary table that receives a file's records, a thousand per statement, before any table of the catalogue is changed. So a file of any
 * length needs little memory, and the database works out the changes in a few statements. The table is dropped with the transaction.
 */
export class StagingTable<Row extends Record<string, unknown>> {
  private readonly trx: Trx;
  private readonly name: string;
  private readonly columns: { [Column in keyof Row]: string };
  private waiting: Row[] = [];

  private constructor(trx: Trx, name: string, columns: { [Column in keyof Row]: string }) {
    this.trx = trx;
    this.name = name;
    this.columns = columns;
  }

  /** @param columns each column with its SQL type. Names come from code, never from a file. */
  static async create<Row extends Record<string, unknown>>(
    trx: Trx,
    name: string,
    columns: { [Column in keyof Row]: string },
  ): Promise<StagingTable<Row>> {
    const definition = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
    await sql.raw(`create temporary table ${name} (${definition.join(", ")}) on commit drop`).execute(trx);
    return new StagingTable(trx, name, columns);
  }

  async add(row: Row): Promise<void> {
    this.waiting.push(row);
    if (this.waiting.length >= ROWS_PER_STATEMENT) await this.flush();
  }

  /** Writes the rows collected so far. */
  async flush(): Promise<void> {
    if (this.waiting.length === 0) return;
    const rows = JSON.stringify(this.waiting);
    this.waiting = [];
    const names = Object.keys(this.columns).join(", ");
    const definition = Object.entries(this.columns).map(([column, type]) => `${column} ${type}`);
    await sql`insert into ${sql.raw(this.name)} (${sql.raw(names)})
      select ${sql.raw(names)} from jsonb_to_recordset(${rows}::jsonb) as record(${sql.raw(definition.join(", "))})`.execute(
      this.trx,
    );
  }

  /** Writes the rest and refreshes the planner's statistics: joins of a hundred thousand rows depend on them. */
  async finish(): Promise<void> {
    await this.flush();
    await sql.raw(`analyze ${this.name}`).execute(this.trx);
  }
}

/** Returns the instant of a column of `instantText`: without an offset it is in the time zone. Names come from code, never from a file. */
export function settledTime(column: string, timeZone: string): RawBuilder<Date> {
  const text = sql.id(column);
  return sql<Date>`case when ${text} ~ '[T ].*(Z|[+-]\\d{2}:?\\d{2})$' then ${text}::timestamptz else ${text}::timestamp at time zone ${timeZone} end`;
}
