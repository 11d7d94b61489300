import { randomBytes } from "node:crypto";
import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { Device } from "./digital-id-view.ts";
import { sixCharacters } from "./rules.ts";

/**
 * Returns the device of a session, which is created at the first call. Null unless the session is open and its member
 * belongs to this brand, is verified and not suspended.
 */
export async function issueDevice(
  db: Db,
  { brandId, memberId, sessionId, now }: { brandId: string; memberId: string; sessionId: string; now: Date },
): Promise<Device | null> {
  // A handle has 30 bits and may be taken, so several are tried.
  for (let tries = 0; tries < 5; tries += 1) {
    const { rows } = await sql<Device & { isReady: boolean }>`
      with entitled as (
        select session.id as session_id, member.id as member_id
        from member_sessions session
        join members member on member.id = session.member_id and member.brand_id = session.brand_id
        where session.id = ${sessionId} and member.id = ${memberId} and member.brand_id = ${brandId}
          and session.expires_at > ${now} and member.suspended_at is null and member.verification = 'verified'
      ), made as (
        insert into digital_id_devices (id, handle, brand_id, member_id, session_id, issued_at)
        select ${newId()}::uuid, ${sixCharacters(randomBytes(5))}, ${brandId}::uuid, member_id, session_id, ${now}::timestamptz from entitled
        where not exists (select from digital_id_devices device where device.session_id = entitled.session_id)
        on conflict do nothing
        returning id, handle
      )
      select id, handle, true as "isReady" from made
      union all
      select device.id, device.handle, true from digital_id_devices device join entitled using (session_id)
      union all
      select null, null, false from entitled
      order by "isReady" desc`.execute(db);
    const [first] = rows;
    if (!first) return null;
    if (first.isReady) return { id: first.id, handle: first.handle };
  }
  throw new Error("Found no free handle for a digital ID");
}

/**
 * Moves the device to the session that replaces its own, for the same member, so that a card kept on it stays
 * valid (M2).
 */
export async function keepDevice(
  db: Db | Trx,
  { brandId, fromToken, toToken }: { brandId: string; fromToken: string; toToken: string },
): Promise<void> {
  await sql`
    update digital_id_devices device set session_id = later.id
    from member_sessions earlier, member_sessions later
    where earlier.token = ${fromToken} and later.token = ${toToken}
      and earlier.brand_id = ${brandId} and later.brand_id = ${brandId} and earlier.member_id = later.member_id
      and device.session_id = earlier.id and device.member_id = later.member_id
      and not exists (select from digital_id_devices other where other.session_id = later.id)`.execute(db);
}
