import type { Db } from "@farthing/db/client.ts";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { openCard as decryptCard, type CardSecrets } from "./card-seal.ts";
import { findPresent } from "./present-row.server.ts";
import { lockOwnCard } from "./presents.server.ts";

export type OpenedCard =
  | { outcome: "opened"; card: CardSecrets }
  /** This device has not shown the card, and the member has to prove who they are. */
  | { outcome: "prove" }
  /** The card is a present of somebody else's. */
  | { outcome: "given" }
  /** The card is being taken back. */
  | { outcome: "not-now" }
  /** The member has no such card, or the session has ended. */
  | { outcome: "unknown" };

/**
 * Decrypts a card of a member's wallet for the device of a session, and notes that the device has shown it (G6). A device that
 * has shown it shows it again; another has to be fresh: its member has just proved who they are.
 */
export async function openCard(
  db: Db,
  {
    card: publicId,
    memberId,
    sessionId,
    isFresh,
    keys,
    now,
  }: { card: string; memberId: string; sessionId: string; isFresh: boolean; keys: SecretKeys; now: Date },
): Promise<OpenedCard> {
  return db.transaction().execute(async (trx) => {
    const own = await lockOwnCard(trx, { memberId, card: publicId });
    const session = await trx
      .selectFrom("member_sessions")
      .select("id")
      .where("id", "=", sessionId)
      .where("member_id", "=", memberId)
      .forKeyShare()
      .executeTakeFirst();
    if (!own || !session) return { outcome: "unknown" };
    const { lineId } = own;
    if (await findPresent(trx, { lineId })) return { outcome: "given" };
    if (own.state !== "issued") return { outcome: "not-now" };
    const device = { line_id: lineId, session_id: sessionId };
    const known = await trx
      .selectFrom("gift_card_devices")
      .select("shown_at")
      .where("line_id", "=", lineId)
      .where("session_id", "=", sessionId)
      .executeTakeFirst();
    if (!known && !isFresh) return { outcome: "prove" };
    const { sealed_card: sealed } = await trx
      .selectFrom("gift_card_lines")
      .select("sealed_card")
      .where("id", "=", lineId)
      .executeTakeFirstOrThrow();
    const card = decryptCard(sealed ?? "", lineId, keys);
    if (!known)
      await trx
        .insertInto("gift_card_devices")
        .values({ ...device, shown_at: now })
        .execute();
    await trx
      .updateTable("gift_card_lines")
      .set({ first_shown_at: now })
      .where("id", "=", lineId)
      .where("first_shown_at", "is", null)
      .execute();
    return { outcome: "opened", card };
  });
}
