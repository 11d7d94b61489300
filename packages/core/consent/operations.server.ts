import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import type { ConsentChoice } from "./rules.ts";

export interface MembersChoice extends ConsentChoice {
  brandId: string;
  memberId: string;
  /** Whether the browser sent Global Privacy Control. */
  hasSignal: boolean;
}

/**
 * Records what a member has chosen (T6), unless it is what they chose last. A member of another brand, or one who has left, is not recorded.
 * @returns whether it was recorded
 */
export async function recordConsent(db: Db, choice: MembersChoice): Promise<boolean> {
  const { brandId, memberId, version, purposes, hasSignal, chosenAt } = choice;
  return db.transaction().execute(async (trx) => {
    const member = await trx
      .selectFrom("members")
      .select("id")
      .where("id", "=", memberId)
      .where("brand_id", "=", brandId)
      .where("closed_at", "is", null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!member) return false;
    const last = await trx
      .selectFrom("consent_choices")
      .select(["version", "purposes", "has_signal"])
      .where("member_id", "=", memberId)
      .orderBy("chosen_at", "desc")
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst();
    const isSame =
      last?.version === version && last.has_signal === hasSignal && last.purposes.join() === purposes.join();
    if (isSame) return false;
    await trx
      .insertInto("consent_choices")
      .values({
        id: newId(),
        brand_id: brandId,
        member_id: memberId,
        version,
        purposes,
        has_signal: hasSignal,
        chosen_at: chosenAt,
      })
      .execute();
    return true;
  });
}
