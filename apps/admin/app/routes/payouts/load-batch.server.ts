import { may } from "@farthing/core/operators/permissions.ts";
import { isOver, londonTime } from "@farthing/core/payouts/bacs-calendar.ts";
import { findBatch } from "@farthing/core/payouts/list-batches.server.ts";
import type { RouterContextProvider } from "react-router";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";

/** A batch, and what this operator may do with it now. */
export type LoadedBatch = Awaited<ReturnType<typeof loadBatch>>;

/** Reads the batch that the address names; 404 where there is none. */
export async function loadBatch(context: Readonly<RouterContextProvider>, number: string) {
  const { db, now, payouts } = context.get(servicesContext);
  const { email, role } = context.get(operatorContext);
  const { bankKeys } = payouts;
  const batch = /^\d{1,9}$/.test(number) ? await findBatch(db, { batchNumber: Number(number), bankKeys }) : null;
  if (!batch) throw refused(404, { title: "No such batch", text: `There is no batch ${number.slice(0, 20)}.` });
  const hasBegun = londonTime(now()).day >= batch.processingDay;
  const isMissed = batch.state === "approved" && hasBegun && batch.downloads.length === 0;
  const isOwn = batch.madeBy === email;
  return {
    batch,
    isOwn,
    mayApprove: may(role, isOwn ? "payouts.approve-own" : "payouts.approve"),
    mayChange: may(role, "money.change"),
    maySeeMembers: may(role, "members.see"),
    mayConfirm: batch.state === "approved" && isOver(batch.processingDay, now()) && !isMissed,
    mayCancel: batch.state === "approved" && (!hasBegun || isMissed),
    /** Nobody has had its file, and its processing day has begun: the bank would refuse it. */
    isMissed,
    isOverNow: isOver(batch.processingDay, now()),
    hasMethod: payouts.originator !== null,
  };
}
