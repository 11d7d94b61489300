import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { isApiKey, prefixOfApiKey } from "./api-key.ts";
import type { PartnerMode } from "./mode.ts";

/** A partner's server, by the key that it sent. */
export interface ApiCaller {
  apiKeyId: string;
  partnerId: string;
  mode: PartnerMode;
  isSuspended: boolean;
  /** Limit of tokens per minute, and of all other requests per minute. */
  perMinute: number;
}

/** Returns whose API key this is; null for an unknown or revoked one. The key's row decides on its mode, not its text. */
export async function findApiKey(db: Db, { apiKey }: { apiKey: string }): Promise<ApiCaller | null> {
  const prefix = prefixOfApiKey(apiKey);
  if (prefix === null) return null;
  const { rows } = await sql<ApiCaller & { hash: Buffer }>`
    select k.id as "apiKeyId", k.key_hash as hash, k.mode, p.id as "partnerId", p.suspended_at is not null as "isSuspended",
      p.mints_per_minute as "perMinute"
    from partner_api_keys k join partners p on p.id = k.partner_id
    where k.prefix = ${prefix} and k.revoked_at is null`.execute(db);
  if (!rows[0] || !isApiKey(apiKey, rows[0].hash)) return null;
  const { hash: _hash, ...caller } = rows[0];
  return caller;
}

/**
 * Counts a request other than minting in one statement, so that concurrent ones are all counted. Returns the seconds to
 * wait if the minute is used up, else null. A process whose clock is behind does not restart the minute.
 */
export async function countCall(
  db: Db,
  { caller, now }: { caller: Pick<ApiCaller, "partnerId" | "perMinute">; now: Date },
): Promise<number | null> {
  const { rows } = await sql<{ calls: number }>`
    insert into partner_calls as counted (partner_id, minute, calls) values (${caller.partnerId}, ${minuteOf(now)}, 1)
    on conflict (partner_id) do update set
      calls = case when counted.minute >= excluded.minute then counted.calls + 1 else 1 end,
      minute = greatest(counted.minute, excluded.minute)
    returning calls`.execute(db);
  return (rows[0]?.calls ?? 0) > caller.perMinute ? secondsToNextMinute(now) : null;
}

/** Returns when the minute began. */
export function minuteOf(now: Date): Date {
  return new Date(Math.floor(now.getTime() / 60_000) * 60_000);
}

/** Returns the whole seconds until the next minute begins, at least 1. */
export function secondsToNextMinute(now: Date): number {
  return Math.max(1, 60 - now.getUTCSeconds());
}
