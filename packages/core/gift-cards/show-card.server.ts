import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { openCard, type CardSecrets } from "./card-seal.ts";
import { lockCard } from "./present-row.server.ts";
import { isOrderedIn } from "./return-to-order.server.ts";

export interface CardToShow {
  linePublicId: string;
  /** The session that has ordered the card. Its member sees it elsewhere in the wallet, after a proof (open-card.server.ts). */
  sessionId: string;
  now: Date;
}

/** What a shop needs, for its owner alone: never in a log, a kept page or an address. */
export interface ShownCard extends CardSecrets {
  linePublicId: string;
}

/**
 * Decrypts a card for the session that has ordered it, or has come back to it from a bank, and records when it was first shown. Null: there is no such card, it
 * is another session's, it is not issued, or it is a present, whose code only its recipient sees.
 * @throws UnreadableCardError; then nothing is recorded
 */
export async function showCard(
  db: Db,
  keys: SecretKeys,
  { linePublicId, sessionId, now }: CardToShow,
): Promise<ShownCard | null> {
  return db.transaction().execute(async (trx) => {
    const line = await trx
      .selectFrom("gift_card_lines")
      .select("id")
      .where("public_id", "=", linePublicId)
      .executeTakeFirst();
    if (!line) return null;
    // Nobody gives the card away meanwhile.
    await lockCard(trx, line.id);
    const { rows } = await sql<{ id: string; sealed: string }>`
      update gift_card_lines line set first_shown_at = coalesce(line.first_shown_at, ${now})
      from gift_card_orders orders
      where line.id = ${line.id} and orders.id = line.order_id and ${isOrderedIn(sessionId)}
        and line.state = 'issued' and line.gift is null and not exists (
          select from gift_card_presents present where present.line_id = line.id and present.state <> 'taken_back')
      returning line.id, line.sealed_card as sealed`.execute(trx);
    const [row] = rows;
    return row ? { linePublicId, ...openCard(row.sealed, row.id, keys) } : null;
  });
}
