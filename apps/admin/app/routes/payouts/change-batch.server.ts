import { act, actOutside } from "@farthing/core/audit/act.server.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { approveBatch, cancelBatch, rejectBatch } from "@farthing/core/payouts/approve.server.ts";
import type { LeftOut } from "@farthing/core/payouts/look-again.server.ts";
import type { BatchState } from "@farthing/core/payouts/list-batches.server.ts";
import { CUT_OFF } from "@farthing/core/payouts/bacs-calendar.ts";
import { confirmBatch } from "@farthing/core/payouts/confirm.server.ts";
import { data, type RouterContextProvider } from "react-router";
import { z } from "zod";
import { servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import type { Tone } from "../../kit/facts.tsx";
import { counted, momentText } from "../../kit/moment.tsx";
import { readForm, type Faults, type Typed } from "../../kit/read-form.ts";
import { loadBatch } from "./load-batch.server.ts";

const formSchema = z.object({
  act: z.enum(["approve", "reject", "cancel", "confirm"]),
  not_sent: z.string().optional(),
  why: z.string().optional(),
  confirmed: z.string().optional(),
});

/** What came of a posted form of a batch: it says what was done, or asks before it is done. */
interface PostedBatch {
  said: { tone: Tone; text: string } | null;
  ask: "approve" | "reject" | "cancel" | "confirm" | null;
  faults: Faults | undefined;
  typed: Typed;
}

/** Which batch changes, and on whose behalf. */
interface Change {
  context: Readonly<RouterContextProvider>;
  batchNumber: number;
  processingDay: string;
}

/** Does what an operator posted about a batch, with an entry in the log. */
export async function changeBatchAs(
  context: Readonly<RouterContextProvider>,
  { number, request }: { number: string; request: Request },
) {
  const { batch, isOwn, isMissed, mayApprove, mayConfirm } = await loadBatch(context, number);
  const form = await readForm(request, formSchema);
  if (!form.ok) return answer("bad", "Choose what to do.", 422);
  const { act: wanted, confirmed } = form.value;
  const { batchNumber, processingDay } = batch;
  const change = { context, batchNumber, processingDay };
  if (wanted === "confirm" && confirmed !== "yes" && !mayConfirm)
    return notConfirmed({ outcome: obstacleOf(batch.state, isMissed), processingDay });
  if (wanted === "approve" && !mayApprove)
    throw refused(403, { title: "You made this batch", text: "Somebody else approves it, or an owner who is alone." });
  const needsWhy = wanted !== "approve" || isOwn;
  const why = whySchema.safeParse(form.value.why ?? "");
  const ask = (faults: Faults | undefined, status: number) =>
    data<PostedBatch>({ said: null, ask: wanted, faults, typed: form.typed }, { status });
  if (needsWhy && confirmed !== "yes") return ask(undefined, 200);
  const faults: Record<string, string> = {};
  if (wanted === "cancel" && form.value.not_sent !== "yes")
    faults["not_sent"] = "Confirm that the bank has no file of this batch. If it has one, withdraw it there first.";
  if (needsWhy && (!why.success || why.data.length < 3)) faults["why"] = "Say why, in 3 to 500 characters.";
  if (Object.keys(faults).length > 0) return ask(faults, 422);
  const because = why.success ? why.data : "";
  if (wanted === "confirm") return confirm(change, because);
  return wanted === "approve"
    ? approve(change, isOwn ? because : null)
    : rejectOrCancel(change, { because, isCancelled: wanted === "cancel" });
}

/** Says why a batch can't be confirmed now. */
function obstacleOf(state: BatchState, isMissed: boolean): Obstacle {
  if (state === "confirmed" || state === "cancelled") return state;
  return state !== "approved" ? "not-approved" : isMissed ? "never-downloaded" : "too-early";
}

type Obstacle = "not-approved" | "cancelled" | "confirmed" | "never-downloaded" | "too-early";

function notConfirmed({ outcome, processingDay }: { outcome: Obstacle; processingDay: string }) {
  const because = {
    "not-approved": "nobody has approved it.",
    cancelled: "it was cancelled.",
    confirmed: "it was confirmed before.",
    "never-downloaded": "nobody has downloaded its file, so the bank has paid nothing of it. Cancel it.",
    "too-early": `the bank processes it on ${momentText(new Date(processingDay), true)}. Confirm it when that day is over.`,
  }[outcome];
  return answer("bad", `Nothing was done: ${because}`, 409);
}

async function confirm({ context, batchNumber, processingDay }: Change, why: string) {
  const { db, payouts } = context.get(servicesContext);
  const actor = actorOf(context);
  const what = {
    permission: "money.change",
    action: "payout-batch.confirm",
    subject: subjectOf(batchNumber),
    why,
    changed: isConfirmed,
  } as const;
  // Each payment is recorded in a transaction of its own: one that fails holds up nobody.
  const done = await actOutside(db, actor, what, (own) =>
    confirmBatch(own, { batchNumber, bankKeys: payouts.bankKeys, by: actor.operator.email, now: actor.now }),
  );
  if (done.outcome === "confirmed")
    return answer(
      "good",
      `${counted(done.paid, "payment")} recorded as paid, ${formatPence(done.paidPence)}. Members know.`,
    );
  if (done.outcome === "incomplete")
    return answer(
      "warn",
      `${counted(done.paid, "payment")} recorded as paid; ${done.failed.length} could not be: ${done.failed
        .slice(0, 10)
        .map(({ publicId }) => publicId)
        .join(", ")}. Confirm again; nobody is paid twice.`,
    );
  return notConfirmed({ outcome: done.outcome === "unknown" ? "not-approved" : done.outcome, processingDay });
}

async function rejectOrCancel(
  { context, batchNumber }: Change,
  { because, isCancelled }: { because: string; isCancelled: boolean },
) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const by = actor.operator.email;
  const what = {
    permission: "payouts.approve",
    action: isCancelled ? "payout-batch.cancel" : "payout-batch.reject",
    subject: subjectOf(batchNumber),
    why: because,
    changed: isRejected,
  } as const;
  const done = await act(db, actor, what, (joined) =>
    (isCancelled ? cancelBatch : rejectBatch)(joined, { batchNumber, by, because, now: actor.now }),
  );
  if (done.outcome === "rejected") {
    const waits = done.payouts === 1 ? "1 payout waits" : `${done.payouts} payouts wait`;
    return answer("good", `${isCancelled ? "Cancelled" : "Rejected"}: ${waits} for the next batch.`);
  }
  const obstacle =
    done.outcome === "too-late"
      ? "its processing day has begun, so the bank may have paid it. Confirm it, or apply the bank’s report."
      : done.outcome === "not-approved"
        ? "it is not approved. Reject it instead."
        : "somebody else has decided it meanwhile.";
  return answer("bad", `Nothing was done: ${obstacle}`, 409);
}

/** Approves it; whoever made it does so alone, with the reason. */
async function approve({ context, batchNumber }: Change, aloneBecause: string | null) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const what = {
    permission: aloneBecause === null ? "payouts.approve" : "payouts.approve-own",
    action: "payout-batch.approve",
    subject: subjectOf(batchNumber),
    why: aloneBecause,
    actionOf: ({ outcome }: { outcome: string }) =>
      outcome === "emptied" ? "payout-batch.reject" : "payout-batch.approve",
    changed: isApprovedOrEmptied,
  } as const;
  const done = await act(db, actor, what, (joined) =>
    approveBatch(joined, { batchNumber, by: actor.operator.email, aloneBecause, now: actor.now }),
  );
  if (done.outcome === "emptied")
    return answer("bad", `Nothing is paid: nobody in it may be paid any more. ${leftOutText(done.leftOut)}`, 409);
  if (done.outcome !== "approved")
    return answer("bad", "Nothing was done: somebody else has decided it meanwhile.", 409);
  const sendBy = `Download the file and send it to the bank by ${CUT_OFF} on ${momentText(new Date(done.submissionDay), true)}.`;
  return done.leftOut.length === 0
    ? answer("good", `Approved. ${sendBy}`)
    : answer("warn", `Approved, without ${done.leftOut.length} of its payouts. ${sendBy} ${leftOutText(done.leftOut)}`);
}

const NAMED = 5;

function leftOutText(leftOut: readonly LeftOut[]): string {
  const named = leftOut
    .slice(0, NAMED)
    .map(({ publicId, memberNumber, because }) => `Payout ${publicId}, member ${memberNumber}: ${because}`);
  const more = leftOut.length - named.length;
  return [...named, ...(more > 0 ? [`And ${more} more: the list of payouts that wait says why.`] : [])].join(" ");
}

const subjectOf = (batchNumber: number) => ({ type: "payout-batch", id: String(batchNumber) }) as const;

const isConfirmed = ({ outcome }: { outcome: string }) => outcome === "confirmed" || outcome === "incomplete";
const isRejected = ({ outcome }: { outcome: string }) => outcome === "rejected";
const isApprovedOrEmptied = ({ outcome }: { outcome: string }) => outcome === "approved" || outcome === "emptied";

function answer(tone: Tone, text: string, status = 200) {
  return data<PostedBatch>({ said: { tone, text }, ask: null, faults: undefined, typed: {} }, { status });
}
