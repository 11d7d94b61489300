import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { openCard, type CardSecrets } from "./card-seal.ts";

/** Who looks at a card: the session that has ordered it, or its member. */
export type CardViewer = { sessionId: string } | { memberId: string };

export interface CardToShow {
  linePublicId: string;
  viewer: CardViewer;
  now: Date;
}

/** What a shop needs, for its owner alone: never in a log, a kept page or an address. */
export interface ShownCard extends CardSecrets {
  linePublicId: string;
}

/**
 * Decrypts a card for its owner, and records when it was first shown. Null: there is no such card, it is not the
 * viewer's, it is not issued, or it is a present, whose code only its recipient sees.
 * @throws UnreadableCardError; then nothing is recorded
 */
export async function showCard(
  db: Db,
  keys: SecretKeys,
  { linePublicId, viewer, now }: CardToShow,
): Promise<ShownCard | null> {
  const owner =
    "sessionId" in viewer ? sql`orders.session_id = ${viewer.sessionId}` : sql`orders.member_id = ${viewer.memberId}`;
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string; sealed: string }>`
      update gift_card_lines line set first_shown_at = coalesce(line.first_shown_at, ${now})
      from gift_card_orders orders
      where line.public_id = ${linePublicId} and orders.id = line.order_id and ${owner}
        and line.state = 'issued' and line.gift is null
      returning line.id, line.sealed_card as sealed`.execute(trx);
    const [row] = rows;
    return row ? { linePublicId, ...openCard(row.sealed, row.id, keys) } : null;
  });
}
