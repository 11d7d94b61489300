import { checkBooks } from "@farthing/core/books/check-books.server.ts";
import { plainFeed } from "@farthing/core/catalogue-imports/catalogue-files.testing.ts";
import { createNetworkRegistry } from "@farthing/core/networks/network-registry.ts";
import { noCardAccounts } from "@farthing/core/payments/card-accounts.ts";
import { bankKeys, originator } from "@farthing/core/payouts/payouts.testing.ts";
import type { Db } from "@farthing/db/client.ts";
import type { AdminServices } from "../server/admin-handler.ts";

/** Returns the services of an admin whose outside world answers nothing: no account signs in, no card provider, no issuer. */
export function testServices(
  db: Db,
  replaced: Pick<AdminServices, "now" | "reportError"> & Partial<AdminServices>,
): AdminServices {
  return {
    db,
    readStale: (read) => read(db),
    accounts: {
      signIn: async () => ({ outcome: "refused" }),
      finish: async () => ({ outcome: "refused" }),
      mailCode: null,
      prepareSetUp: async () => null,
      setUp: async () => ({ outcome: "refused" }),
      choosePassword: async () => ({ outcome: "bad-link" }),
      signOut: async () => new Headers(),
    },
    attachments: { key: "a key of tests", oldKeys: [] },
    payeeKeys: ["a secret for bank details"],
    issuers: new Map(),
    webhooks: { key: "a key of tests", allowLocal: false },
    unsubscribeKeys: ["a key of tests"],
    payouts: { originator, bankKeys },
    cards: {
      refund: async () => ({ outcome: "no-account" }),
      checkBooks: () => checkBooks(db, { cards: noCardAccounts }),
    },
    goodwill: { dayPence: 10_000, memberPence: 5_000 },
    previewHome: async ({ name, colourFile }) => `<title>${name}</title><link href="/brand/${colourFile}">`,
    feeds: new Map([["awin", plainFeed]]),
    networks: createNetworkRegistry([]),
    previewKey: "a key of previews in tests",
    originOf: (host) => `http://${host}`,
    mailboxUrl: null,
    ...replaced,
  };
}
