import type { Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { requestErasure } from "../telemetry/erasures.server.ts";
import { PERSONAL_TABLES } from "./rules.ts";

/** Tables whose rows are deleted in this order, because they refer to each other. */
const first = ["attachments", "digital_id_devices"];

/**
 * Erases everything that identifies a member, in the caller's transaction: sessions end, the digital ID becomes
 * invalid, nothing can sign in, and the e-mail address is free again. What is kept belongs to a row that names
 * no person.
 */
export async function erasePersonalData(trx: Trx, { memberId, now }: { memberId: string; now: Date }): Promise<void> {
  const { brand_id: brandId } = await trx
    .updateTable("members")
    .set({
      email: `closed-${memberId}@closed.invalid`,
      email_verified: false,
      name: "Closed account",
      image: null,
      date_of_birth: null,
      member_type_id: null,
      member_status_id: null,
      job_role_id: null,
      stated_member_id: null,
      residence: null,
      additional_fields: "{}",
      verification: "unverified",
      verified_until: null,
      suspended_at: now,
      closed_at: now,
      updated_at: now,
    })
    .where("id", "=", memberId)
    .returning("brand_id")
    .executeTakeFirstOrThrow();
  // Events are stored under a pseudonym, which only the worker can compute.
  await requestErasure(trx, { brandId, memberId, now });
  await sql`update carer_migrations set new_member_id = null where new_member_id = ${memberId}`.execute(trx);
  const names = Object.keys(PERSONAL_TABLES).filter((name) => PERSONAL_TABLES[name]?.onClosing === "erase");
  for (const name of [...first, ...names.filter((name) => !first.includes(name))])
    await sql`delete from ${sql.table(name)} where member_id = ${memberId}`.execute(trx);
}
