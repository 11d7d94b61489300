import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { queueMail } from "../mails/operations.server.ts";
import { newerOf } from "./beside.server.ts";
import { lockStanding, moveMember } from "./member-standing.server.ts";
import { statesBefore, validUntil, type RequestState } from "./rules.ts";

export type AfterAllResult =
  | { outcome: "accepted"; validUntil: Date }
  /** The member has sent another proof since: that one is decided instead. */
  | { outcome: "newer"; newerId: string }
  /** Its file was deleted, so nobody can look at the proof any more. */
  | { outcome: "no-file" }
  /** It is not rejected, or not any more. */
  | { outcome: "not-rejected"; state: RequestState }
  | { outcome: "unknown" };

/**
 * Accepts proof that was rejected by mistake (M4), while its file exists: the member is verified from now on and gets the mail of an acceptance. The
 * file goes on the day that the rejection has set. Of two concurrent operators one accepts.
 */
export async function acceptAfterAll(
  db: Db,
  { publicId, by, now }: { publicId: string; by: string; now: Date },
): Promise<AfterAllResult> {
  return db.transaction().execute(async (trx): Promise<AfterAllResult> => {
    const request = await trx
      .selectFrom("verification_requests")
      .select(["id", "member_id"])
      .where("public_id", "=", publicId)
      .executeTakeFirst();
    const standing = request && (await lockStanding(trx, { memberId: request.member_id }));
    if (!request || !standing) return { outcome: "unknown" };
    const { state, newerId, hasFile } = await findNow(trx, request.id);
    if (state !== "rejected") return { outcome: "not-rejected", state };
    if (newerId !== null) return { outcome: "newer", newerId };
    if (!hasFile) return { outcome: "no-file" };
    const until = validUntil({ now, verifiedUntil: standing.verifiedUntil });
    await trx
      .updateTable("verification_requests")
      .set({ state: "accepted", reason: null, note: null, valid_until: until, decided_at: now, decided_by: by })
      .where("id", "=", request.id)
      .where("state", "in", statesBefore("accept-after-all"))
      .execute();
    await moveMember(trx, { standing, event: "accept", now, verifiedUntil: until });
    const { brandId, id: memberId, email: to } = standing;
    const mail = { kind: "verification-accepted", until: until.toISOString() } as const;
    await queueMail(trx, { brandId, memberId, to, mail, now });
    return { outcome: "accepted", validUntil: until };
  });
}

interface RequestNow {
  state: RequestState;
  newerId: string | null;
  hasFile: boolean;
}

async function findNow(trx: Trx, id: string): Promise<RequestNow> {
  const { rows } = await sql<RequestNow>`
    select request.state, (${newerOf}) as "newerId",
      exists (select from attachments file where file.request_id = request.id) as "hasFile"
    from verification_requests request where request.id = ${id}`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error(`The request ${id} is gone while its member is locked.`);
  return row;
}
