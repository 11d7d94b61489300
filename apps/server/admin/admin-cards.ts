import type { AdminServices } from "@farthing/admin/server/admin-handler.ts";
import { checkBooks } from "@farthing/core/books/check-books.server.ts";
import { NoCardAccountError, type CardAccounts } from "@farthing/core/payments/card-accounts.ts";
import { CardProviderUnavailableError } from "@farthing/core/payments/provider.ts";
import { refundPayment } from "@farthing/core/payments/refund-payment.server.ts";

/** What the admin asks the card provider. */
export function adminCards(cards: CardAccounts): AdminServices["cards"] {
  return {
    async refund(db, request) {
      try {
        return await refundPayment(db, cards, request);
      } catch (error) {
        // The refund is reserved: the worker finishes it.
        if (error instanceof CardProviderUnavailableError) return { outcome: "unavailable" };
        if (error instanceof NoCardAccountError) return { outcome: "no-account" };
        throw error;
      }
    },
    checkBooks: (db) => checkBooks(db, { cards }),
  };
}
