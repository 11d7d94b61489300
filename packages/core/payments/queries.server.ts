import type { Db } from "@farthing/db/client.ts";
import type { Pence } from "../money/money.ts";
import type { PaymentState } from "./rules.ts";

export interface PaymentView {
  state: PaymentState;
  amountPence: Pence;
  reference: string;
}

/** Returns a payment for the visitor who made it; null for everyone else. */
export async function findPaymentOfSession(
  db: Db,
  { publicId, widgetSessionId }: { publicId: string; widgetSessionId: string },
): Promise<PaymentView | null> {
  const row = await db
    .selectFrom("payments")
    .select(["state", "amount_pence as amountPence", "reference"])
    .where("public_id", "=", publicId)
    .where("widget_session_id", "=", widgetSessionId)
    .executeTakeFirst();
  return row ? { ...row, state: row.state as PaymentState } : null;
}
