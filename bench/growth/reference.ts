import { openDatabase } from "@farthing/db/client.ts";

/** What every figure is compared with: the same statement at each size, on a table that does not grow. */
export interface Reference {
  /** Sends plain indexed selects one after the other, and returns how long each took, in ms. */
  take(count: number): Promise<number[]>;
  close(): Promise<void>;
}

/** Opens a connection of its own for plain selects of one brand by its key, as most of our statements are sent: planned anew each time. */
export async function openReference(url: string): Promise<Reference> {
  const { pool, close } = openDatabase({ url, max: 1 });
  const { rows } = await pool.query<{ id: string }>("select id from brands order by id");
  let turn = 0;
  const reference = {
    async take(count: number) {
      const times: number[] = [];
      for (let sent = 0; sent < count; sent += 1) {
        const { id } = rows[turn++ % rows.length]!;
        const from = performance.now();
        await pool.query("select name from brands where id = $1", [id]);
        times.push(performance.now() - from);
      }
      return times;
    },
    close,
  };
  await reference.take(200); // warm
  return reference;
}
