import { sql } from "kysely";
import type { Trx } from "@farthing/db/client.ts";

const rowsPerStatement = 1_000;

/**
 * A temporary table that a file's records are poured into, a thousand per statement, before anything of the catalogue is
 * touched: so a file of any length needs little memory, and what would change is worked out by the database in a few
 * statements. It goes with the transaction.
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
    if (this.waiting.length >= rowsPerStatement) await this.flush();
  }

  /** Writes what is waiting. */
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

  /** Writes the rest and tells the planner how much there is: joins of a hundred thousand rows depend on it. */
  async finish(): Promise<void> {
    await this.flush();
    await sql.raw(`analyze ${this.name}`).execute(this.trx);
  }
}
