import { createHmac } from "node:crypto";
import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { countedAddress } from "../sign-in/counted-address.ts";
import { registrationLimits } from "./rules.ts";

/** Takes back the count of a start that the server was too busy to process. */
export async function takeBackStart(db: Db, { of, secret }: { of: string; secret: string }): Promise<void> {
  await db
    .updateTable("registration_tries")
    .set({ tries: sql`greatest(tries - 1, 0)` })
    .where("key", "=", keyOf(secret, "starts", countedAddress(of)))
    .execute();
}

/**
 * Counts a step of registration or a mail, in one statement that all processes share. @returns the seconds to wait;
 * 0: continue
 */
export async function countRegistration(
  db: Db | Trx,
  { what, brandId, of, secret }: { what: keyof typeof registrationLimits; brandId: string; of: string; secret: string },
): Promise<number> {
  const { tries: max, windowSeconds } = registrationLimits[what];
  const counted = what === "mails" ? `${brandId}\n${of}` : countedAddress(of);
  const key = keyOf(secret, what, counted);
  const { rows } = await sql<{ tries: number; wait: number }>`
    insert into registration_tries as counted (key, tries, resets_at)
    values (${key}, 1, now() + ${windowSeconds}::int * interval '1 second')
    on conflict (key) do update set
      tries = case when counted.resets_at <= now() then 1 else counted.tries + 1 end,
      resets_at = case when counted.resets_at <= now() then excluded.resets_at else counted.resets_at end
    returning tries, ceil(extract(epoch from resets_at - now()))::int as wait`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("Counting a registration returned no row");
  return row.tries <= max ? 0 : Math.max(1, row.wait);
}

function keyOf(secret: string, what: string, counted: string): string {
  return createHmac("sha256", secret).update(`${what}\n${counted}`).digest("base64url");
}
