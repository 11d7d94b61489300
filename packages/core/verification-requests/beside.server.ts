import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/** What stands beside a request on its screen. */
export interface Beside {
  memberId: string;
  /** How many requests wait, this one included. */
  waiting: number;
  /** The one that waits longest apart from this; null: none. */
  nextId: string | null;
  /** The newest proof that the member has sent after this; null: none. */
  newerId: string | null;
}

/** SQL of the newest proof that the member of `request` has sent after it. */
export const newerOf = sql<string | null>`select newer.public_id from verification_requests newer
  where newer.member_id = request.member_id and (newer.submitted_at, newer.id) > (request.submitted_at, request.id)
  order by newer.submitted_at desc, newer.id desc limit 1`;

export async function findBeside(db: Db, { publicId }: { publicId: string }): Promise<Beside> {
  const { rows } = await sql<Beside>`
    select request.member_id as "memberId",
      (select count(*)::int from verification_requests where state = 'submitted') as waiting,
      (select next.public_id from verification_requests next where next.state = 'submitted' and next.id <> request.id
        order by next.submitted_at limit 1) as "nextId",
      (${newerOf}) as "newerId"
    from verification_requests request where request.public_id = ${publicId}`.execute(db);
  return rows[0] ?? { memberId: "", waiting: 0, nextId: null, newerId: null };
}
