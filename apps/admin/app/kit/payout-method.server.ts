import { bankMethod } from "@farthing/core/payouts/bank-method.server.ts";
import type { PayoutMethod } from "@farthing/core/payouts/provider.ts";
import type { AdminServices } from "../../server/admin-handler.ts";

/** Returns how members are paid; null where there is no account to pay from. */
export function payoutMethodOf({ payouts }: AdminServices): PayoutMethod<unknown> | null {
  const { originator, bankKeys } = payouts;
  return originator && bankMethod({ keys: bankKeys, originator });
}
