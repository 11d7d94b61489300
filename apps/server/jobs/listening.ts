import type { Pool, PoolClient } from "pg";
import { startLoop } from "./loop.ts";

const RECONNECT_MS = 1_000;

/**
 * Listens on a channel of the database, with a connection of its own. Calls `onNotice` at each notification, and after
 * each (re)connection, for those that were missed.
 */
export function startListening({
  pool,
  channel,
  onNotice,
  onError,
}: {
  pool: Pool;
  channel: string;
  onNotice(): void;
  onError(error: unknown): void;
}): { close(): Promise<void> } {
  let isClosed = false;
  let hangUp = (): void => {};

  /** Resolves when the connection ends, by a fault or by `close`. */
  async function listenUntilEnded(): Promise<void> {
    const client: PoolClient = await pool.connect();
    try {
      const ended = new Promise<void>((resolve) => {
        hangUp = resolve;
        client.on("end", resolve);
        client.on("error", (error) => {
          if (!isClosed) onError(error);
          resolve();
        });
      });
      client.on("notification", onNotice);
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      onNotice();
      if (!isClosed) await ended;
    } finally {
      client.release(true); // Closes the connection: in the pool it would go on listening.
    }
  }

  const listening = startLoop({
    onError,
    async round() {
      await listenUntilEnded();
      return RECONNECT_MS;
    },
  });

  return {
    close() {
      isClosed = true;
      hangUp();
      return listening.close();
    },
  };
}
