import { randomBytes } from "node:crypto";
import { newId } from "@farthing/db/uuid.ts";
import type { Pool } from "pg";

/** As long as a click's snapshot of rates. */
export const PAYLOAD = JSON.stringify({ rates: "x".repeat(560) });

/** The minimal recording of a click: a random key and a document in a table without foreign keys, written by group commit. */
export function createRawInserts(pool: Pool): { insert(): Promise<string> } {
  let waiting: { id: string; resolve(id: string): void; reject(error: unknown): void }[] = [];
  let running = false;
  async function run(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await pool.query(
          "insert into raw_clicks (id, reference, payload) select * from unnest($1::uuid[], $2::text[], $3::jsonb[])",
          [
            batch.map((one) => one.id),
            batch.map(() => randomBytes(16).toString("base64url")),
            batch.map(() => PAYLOAD),
          ],
        );
        for (const one of batch) one.resolve(one.id);
      } catch (error) {
        for (const one of batch) one.reject(error);
      }
    }
    running = false;
  }
  return {
    insert: () =>
      new Promise((resolve, reject) => {
        waiting.push({ id: newId(), resolve, reject });
        if (!running) {
          running = true;
          void run();
        }
      }),
  };
}
