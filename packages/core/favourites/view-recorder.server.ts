import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { MAX_VIEWED } from "./queries.server.ts";

export interface ViewRecorder {
  /** Records that a member views an offer. Returns at once: the page never waits for it. */
  record(view: { memberId: string; offerId: string; now: Date }): void;
  /** Writes pending views; for shutdown and tests. */
  close(): Promise<void>;
}

/**
 * Maximum number of pending views. More means that the database is in trouble, and views are the first thing to drop.
 */
const MAX_WAITING = 10_000;

/**
 * Stores recently viewed offers (D10): collected for a second and written in one statement, after the pages were sent.
 * A process that is killed loses at most that second.
 */
export function createViewRecorder({
  db,
  onError,
  everyMs = 1_000,
}: {
  db: Db;
  onError(error: unknown): void;
  everyMs?: number;
}): ViewRecorder {
  let waiting = new Map<string, { memberId: string; offerId: string; now: Date }>();
  let timer: NodeJS.Timeout | null = null;
  let writing = Promise.resolve();

  function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    const batch = [...waiting.values()];
    waiting = new Map();
    writing = writing.then(() => (batch.length > 0 ? write(db, batch) : undefined)).catch(tell);
    return writing;
  }

  /** Reports an error; the next batch is written even if reporting fails. */
  function tell(error: unknown): void {
    try {
      onError(error);
    } catch {
      // Logging failed as well, and lost views are no reason to end a process.
    }
  }

  return {
    record(view) {
      if (waiting.size >= MAX_WAITING) return;
      waiting.set(`${view.memberId} ${view.offerId}`, view);
      timer ??= setTimeout(() => void flush(), everyMs);
    },
    close: flush,
  };
}

/** Skips members who have left or been deleted since, and keeps the latest views of each other member. */
async function write(db: Db, batch: readonly { memberId: string; offerId: string; now: Date }[]): Promise<void> {
  const members = batch.map(({ memberId }) => memberId);
  await sql`
    insert into viewed_offers (member_id, offer_id, viewed_at)
    select m.id, o.id, view.at
    from unnest(${members}::uuid[], ${batch.map(({ offerId }) => offerId)}::uuid[], ${batch.map(({ now }) => now)}::timestamptz[])
      as view (member_id, offer_id, at) join members m on m.id = view.member_id and m.closed_at is null join offers o on o.id = view.offer_id
    order by m.id, o.id
    for key share of m
    on conflict (member_id, offer_id) do update set viewed_at = greatest(viewed_offers.viewed_at, excluded.viewed_at)`.execute(
    db,
  );
  await sql`
    delete from viewed_offers v using (
      select member_id, offer_id, row_number() over (partition by member_id order by viewed_at desc) as place
      from viewed_offers where member_id = any(${members}::uuid[])) old
    where old.place > ${MAX_VIEWED} and v.member_id = old.member_id and v.offer_id = old.offer_id`.execute(db);
}

/** Removes a member's recently viewed offers. */
export async function clearViews(db: Db, { memberId }: { memberId: string }): Promise<void> {
  await db.deleteFrom("viewed_offers").where("member_id", "=", memberId).execute();
}
