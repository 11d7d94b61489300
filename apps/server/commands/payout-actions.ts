import { commandLine } from "../command-line.ts";
import { stopPayout } from "@farthing/core/payouts/failures.server.ts";
import {
  findPayoutInBatch,
  heldInBatch,
  liftHold,
  listHolds,
  placeHold,
  type PlacedHold,
} from "@farthing/core/payouts/holds.server.ts";
import { requestPayout, type RequestedPayout } from "@farthing/core/payouts/operations.server.ts";
import { listPayouts } from "@farthing/core/payouts/queries.server.ts";
import { isPayoutReason, PAYOUT_REASONS } from "@farthing/core/payouts/rules.ts";
import { formatPence, parsePounds } from "@farthing/core/money/money.ts";
import { day, PayoutActionError, whyOf, type PayoutAction, type PayoutActionParts } from "./payout-command.ts";
import { batchActions } from "./payout-batch-actions.ts";
import { recorded } from "./recorded.ts";

export const PAYOUT_USAGE = `${commandLine("payouts <action>")}

  list                          what waits, with why it was left out, and what is at the bank
  batch                         takes what may leave into a batch, for somebody else to approve
  approve <batch> [why alone]   approves a batch and writes its files for the bank; whoever made it says why alone
  reject <batch> <why>          takes a batch apart that nobody has approved; its payouts wait for the next
  cancel <batch> <why>          takes an approved batch apart before the bank processes it, or that nobody has sent; its file must not be at the bank
  file <batch>                  writes the files of an approved batch again; pays nobody twice
  batches                       the newest batches
  confirm <batch> [why sent]    records that the bank has paid a batch, after its processing day; where nobody has had its files here, says why the bank has them
  failures <file>               applies the bank's report of what did not arrive: ARUCS in XML, or CSV
  stop <payout> [reason]        ends a payout that is not in a batch; its money is payable again
  request <member number>       asks for a payout for a member who can't sign in, such as a suspended one
  hold <member number> <why>    stops a member's payouts because of suspected fraud
  holds                         the holds in force
  lift <hold>                   lifts one
  threshold <brand> <pounds>    sets the smallest balance that can be withdrawn

Files are written to the folder of PAYOUTS_DIR, or the current one, for your eyes only. Your system account is recorded.
Reasons: ${Object.keys(PAYOUT_REASONS).join(", ")}.`;

/** Each action with the number of words that it needs. */
const actions: Readonly<Record<string, { min: number; max: number; run: PayoutAction }>> = {
  list: { min: 0, max: 0, run: list },
  batch: { min: 0, max: 0, run: batchActions.batch },
  approve: { min: 1, max: 60, run: batchActions.approve },
  reject: { min: 2, max: 60, run: batchActions.reject },
  cancel: { min: 2, max: 60, run: batchActions.cancel },
  file: { min: 1, max: 1, run: batchActions.file },
  batches: { min: 0, max: 0, run: batchActions.batches },
  confirm: { min: 1, max: 60, run: batchActions.confirm },
  failures: { min: 1, max: 1, run: batchActions.failures },
  stop: { min: 1, max: 2, run: stop },
  request: { min: 1, max: 1, run: request },
  hold: { min: 2, max: 60, run: hold },
  holds: { min: 0, max: 0, run: holds },
  lift: { min: 1, max: 1, run: lift },
  threshold: { min: 2, max: 2, run: threshold },
};

/**
 * Runs one action of `npm run payouts` from its typed words. Returns the lines to print. @throws PayoutActionError that
 * says what to do
 */
export async function runPayoutAction(parts: PayoutActionParts, [name = "", ...words]: readonly string[]) {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action || words.length < action.min || words.length > action.max) throw new PayoutActionError(PAYOUT_USAGE);
  return action.run(parts, words);
}

async function list({ db }: PayoutActionParts): Promise<string[]> {
  const payouts = await listPayouts(db);
  if (payouts.length === 0) return ["Nothing waits, and nothing is at the bank."];
  return payouts.flatMap((payout) => {
    const {
      publicId,
      state,
      method,
      brand,
      memberNumber,
      amountPence,
      requestedAt,
      reference,
      batchNumber,
      lastError,
    } = payout;
    const where = method === "gift-card" ? "  as a gift card" : batchNumber === null ? "" : `  batch ${batchNumber}`;
    const note =
      state === "returned" ? "came back for a closed account: pay it by hand when its owner writes" : lastError;
    return [
      `${publicId}  ${state}  ${brand}  member ${memberNumber}  ${formatPence(amountPence)}  ${reference}  asked ${day(requestedAt)}${where}`,
      ...(note === null ? [] : [`  ${note}`]),
    ];
  });
}

async function stop(parts: PayoutActionParts, [publicId = "", reason = "operator"]: readonly string[]) {
  if (!isPayoutReason(reason)) throw new PayoutActionError(PAYOUT_USAGE);
  const result = await recorded<Awaited<ReturnType<typeof stopPayout>>>(
    parts,
    {
      permission: "money.change",
      action: "payout.stop",
      subject: { type: "payout", id: publicId },
      why: reason,
      changed: ({ outcome }) => outcome === "stopped",
    },
    (joined, now) => stopPayout(joined, { publicId, reason, by: parts.by, now }),
  );
  if (result.outcome === "unknown")
    throw new PayoutActionError(`There is no payout ${publicId}. "list" shows those that wait.`);
  if (result.outcome === "gift-card")
    throw new PayoutActionError(
      `Nothing was done: it is a gift card. ${commandLine("gift-cards list")} shows its line, and resolve <line> refund ends it.`,
    );
  if (result.outcome === "too-late")
    throw new PayoutActionError(
      `Nothing was done: it is ${result.state}. What is at the bank ends only by the bank's failures file.`,
    );
  return ["Stopped: the money is payable again, and the member knows."];
}

async function request(parts: PayoutActionParts, [memberNumber = ""]: readonly string[]) {
  const { db, by } = parts;
  const member = await db
    .selectFrom("members")
    .select(["id", "brand_id"])
    .where("member_number", "=", memberNumber)
    .executeTakeFirst();
  if (!member) throw new PayoutActionError(`There is no member ${memberNumber}.`);
  const asked = { brandId: member.brand_id, memberId: member.id, sessionId: null, by };
  const result = await recorded<RequestedPayout>(
    parts,
    {
      permission: "money.change",
      action: "payout.request",
      subject: { type: "payout", idOf: (done) => (done.outcome === "requested" ? done.publicId : "") },
      changed: ({ outcome }) => outcome === "requested",
    },
    (joined, now) => requestPayout(joined, { ...asked, now }),
  );
  if (result.outcome === "requested")
    return [`Asked for ${formatPence(result.amountPence)}: payout ${result.publicId}.`];
  if (result.outcome === "below-threshold")
    throw new PayoutActionError(
      `Nothing was done: ${formatPence(result.payablePence)} is payable, and the smallest payout is ${formatPence(result.thresholdPence)}.`,
    );
  throw new PayoutActionError(`Nothing was done: ${refusals[result.outcome]}.`);
}

const refusals = {
  already: "a payout is under way",
  "on-hold": 'the member is on hold; "holds" says why',
  closing: "the account is being closed, and its last payout joins a batch by itself",
  "needs-details": "the member has given no bank details",
  "signed-out": "the account is closed",
} as const;

async function hold(parts: PayoutActionParts, [memberNumber = "", ...words]: readonly string[]) {
  const { db, by } = parts;
  const reason = whyOf(words);
  const { outcome } = await recorded<PlacedHold>(
    parts,
    {
      permission: "money.change",
      action: "payout-hold.place",
      subject: { type: "payout-hold", idOf: (placed) => (placed.outcome === "held" ? placed.publicId : "") },
      why: reason,
      changed: (placed) => placed.outcome === "held",
    },
    (joined, now) => placeHold(joined, { memberNumber, reason, by, now }),
  );
  if (outcome === "unknown") throw new PayoutActionError(`There is no member ${memberNumber}.`);
  const inBatch = await findPayoutInBatch(db, { memberNumber });
  return [outcome === "held" ? "Held." : "The member is on hold already.", ...(inBatch ? [heldInBatch(inBatch)] : [])];
}

async function holds({ db }: PayoutActionParts): Promise<string[]> {
  const found = await listHolds(db);
  if (found.length === 0) return ["Nobody is on hold."];
  return found.map(
    ({ publicId, memberNumber, brand, reason, placedBy, placedAt, payableAndInTransitPence }) =>
      `${publicId}  ${brand}  member ${memberNumber}  ${formatPence(payableAndInTransitPence)}  since ${day(placedAt)} by ${placedBy}: ${reason}`,
  );
}

async function lift(parts: PayoutActionParts, [publicId = ""]: readonly string[]): Promise<string[]> {
  const what = {
    permission: "money.change",
    action: "payout-hold.lift",
    subject: { type: "payout-hold", id: publicId },
  } as const;
  if (!(await recorded(parts, what, (joined, now) => liftHold(joined, { publicId, by: parts.by, now }))))
    throw new PayoutActionError(`There is no hold ${publicId} in force. "holds" lists them.`);
  return ["Lifted: the member can withdraw, and what waits joins the next batch."];
}

async function threshold(parts: PayoutActionParts, [slug = "", pounds = ""]: readonly string[]): Promise<string[]> {
  const pence = parsePounds(pounds);
  if (pence === null || pence < 1 || pence > 100_000)
    throw new PayoutActionError(`${pounds} is not an amount between 0.01 and 1000 pounds.`);
  const what = { permission: "brands.change", action: "brand.change", subject: { type: "brand", id: slug } } as const;
  const isKnown = await recorded(parts, what, async (joined) => {
    const set = joined.updateTable("brands").set({ payout_threshold_pence: pence }).where("slug", "=", slug);
    return (await set.executeTakeFirst()).numUpdatedRows > 0n;
  });
  if (!isKnown) throw new PayoutActionError(`There is no brand ${slug}.`);
  return [`Members of ${slug} can withdraw from ${formatPence(pence)}.`];
}
