import type { Trx } from "@farthing/db/client.ts";
import { tellBuyerOf } from "./announce-order.server.ts";
import type { PresentRow } from "./present-row.server.ts";

/** Writes to the giver of a present, by the rules of the order's receipt. */
export async function tellGiver(
  trx: Trx,
  present: PresentRow,
  { news, now }: { news: "sent" | "opened" | "bounced" | "expired"; now: Date },
): Promise<void> {
  const { orderId, linePublicId, memberId, card, facePence, recipientName, recipientEmail } = present;
  await tellBuyerOf(trx, {
    orderId,
    now,
    mail: {
      kind: "present-news",
      ...{ news, card, facePence, recipientName: recipientName ?? "", recipientEmail: recipientEmail ?? "" },
      at: now.toISOString(),
      // A visitor has no wallet.
      giftCard: memberId === null ? null : linePublicId,
    },
  });
}
