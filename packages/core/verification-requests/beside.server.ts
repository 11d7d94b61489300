import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/** What stands beside a request on its screen. */
export interface Beside {
  memberId: string;
  /** How many requests wait, this one included. */
  waiting: number;
  /** The one that waits longest apart from this; null: none. */
  nextId: string | null;
}

export async function findBeside(db: Db, { publicId }: { publicId: string }): Promise<Beside> {
  const { rows } = await sql<Beside>`
    select request.member_id as "memberId",
      (select count(*)::int from verification_requests where state = 'submitted') as waiting,
      (select next.public_id from verification_requests next where next.state = 'submitted' and next.id <> request.id
        order by next.submitted_at limit 1) as "nextId"
    from verification_requests request where request.public_id = ${publicId}`.execute(db);
  return rows[0] ?? { memberId: "", waiting: 0, nextId: null };
}
