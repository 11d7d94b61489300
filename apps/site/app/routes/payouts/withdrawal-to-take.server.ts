import { findWithdrawals } from "@farthing/core/payouts/queries.server.ts";
import { href, redirect, type RouterContextProvider } from "react-router";
import { memberContext, servicesContext } from "../../site-context.ts";

/**
 * Returns what a member can take as a gift card now. Whatever keeps them from withdrawing at all is on the page of their
 * withdrawals, so they are sent there.
 */
export async function withdrawalToTake(context: Readonly<RouterContextProvider>) {
  const member = context.get(memberContext);
  const { db, now: clock, bankKeys, giftCards } = context.get(servicesContext);
  const now = clock();
  const view = await findWithdrawals(db, { memberId: member.id, keys: bankKeys, now });
  if (view.open || view.isOnHold || view.closing || view.payablePence < view.thresholdPence)
    throw redirect(href("/money/withdraw"), 303);
  return { db, member, view, now, giftCards };
}
