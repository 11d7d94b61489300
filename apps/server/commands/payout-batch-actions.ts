import { commandLine } from "../command-line.ts";
import { readFile } from "node:fs/promises";
import { actOutside } from "@farthing/core/audit/act.server.ts";
import { approveBatch, cancelBatch, rejectBatch } from "@farthing/core/payouts/approve.server.ts";
import type { LeftOut } from "@farthing/core/payouts/look-again.server.ts";
import { batchFiles, lockMissedBatch } from "@farthing/core/payouts/batch-files.server.ts";
import { makeBatch, type MadeBatch } from "@farthing/core/payouts/batch.server.ts";
import { confirmBatch, type ConfirmedBatch } from "@farthing/core/payouts/confirm.server.ts";
import { applyFailure, type AppliedFailure } from "@farthing/core/payouts/failures.server.ts";
import { FailuresFileError, type ReportedFailure } from "@farthing/core/payouts/provider.ts";
import type { BatchState } from "@farthing/core/payouts/list-batches.server.ts";
import { listBatches } from "@farthing/core/payouts/queries.server.ts";
import { formatPence, sumPence } from "@farthing/core/money/money.ts";
import type { Db } from "@farthing/db/client.ts";
import { whyNot } from "./files-folder.ts";

import { recorded } from "./recorded.ts";
import { day, methodOf, PayoutActionError, whyOf, type PayoutActionParts } from "./payout-command.ts";

async function batch(parts: PayoutActionParts): Promise<string[]> {
  const { bankKeys, payeeKeys, by } = parts;
  const method = methodOf(parts);
  const made = await recorded<MadeBatch>(
    parts,
    {
      permission: "money.change",
      action: "payout-batch.make",
      subject: { type: "payout-batch", idOf: ({ batchNumber }) => String(batchNumber ?? "none") },
      // Who was left out is noted at each payout, also where nobody could be paid.
      changed: ({ batchNumber, skipped }) => batchNumber !== null || skipped.length > 0,
    },
    (joined, now) => makeBatch(joined, { method, bankKeys, payeeKeys, by, now }),
  );
  const skipped = made.skipped.map(leftOutLine);
  if (made.batchNumber === null) return ["Nobody could be paid now; no batch was made.", ...skipped];
  return [
    `Batch ${made.batchNumber}: ${payments(made.payouts)}, ${formatPence(made.totalPence)}.`,
    ...skipped,
    `Somebody else approves it by 22:30 on ${made.submissionDay}: ${commandLine(`payouts approve ${made.batchNumber}`)}`,
  ];
}

function leftOutLine({ publicId, memberNumber, because }: LeftOut): string {
  return `  left out: ${publicId}, member ${memberNumber}. ${because}`;
}

async function approve(parts: PayoutActionParts, [number = "", ...words]: readonly string[]): Promise<string[]> {
  const batchNumber = numberOf(number);
  methodOf(parts);
  const aloneBecause = words.length === 0 ? null : whyOf(words);
  await needFolder(parts);
  const result = await recorded<Awaited<ReturnType<typeof approveBatch>>>(
    parts,
    {
      permission: aloneBecause === null ? "payouts.approve" : "payouts.approve-own",
      action: "payout-batch.approve",
      actionOf: ({ outcome }) => (outcome === "emptied" ? "payout-batch.reject" : "payout-batch.approve"),
      subject: batchOf(batchNumber),
      why: aloneBecause,
      changed: ({ outcome }) => outcome === "approved" || outcome === "emptied",
    },
    (joined, now) => approveBatch(joined, { batchNumber, by: parts.by, aloneBecause, now }),
  );
  switch (result.outcome) {
    case "unknown":
      throw new PayoutActionError(`There is no batch ${batchNumber}. "batches" shows the newest.`);
    case "already":
      throw new PayoutActionError(`Batch ${batchNumber} is approved. "file ${batchNumber}" writes its files again.`);
    case "rejected":
      throw new PayoutActionError(`Batch ${batchNumber} was rejected. Its payouts wait for the next one.`);
    case "cancelled":
      throw new PayoutActionError(cancelled(batchNumber));
    case "own":
      throw new PayoutActionError(
        `You made batch ${batchNumber}: somebody else approves it. If there is nobody else, say why: approve ${batchNumber} <why>.`,
      );
    case "emptied":
      return [
        `Nobody in batch ${batchNumber} may be paid any more: it is rejected.`,
        ...result.leftOut.map(leftOutLine),
      ];
    case "approved": {
      const done = [
        `Batch ${batchNumber} is approved.`,
        ...result.leftOut.map(leftOutLine),
        `Send it by 22:30 on ${result.submissionDay}. Bacs processes it on ${result.processingDay}; members have it on ${result.entryDay}.`,
      ];
      const next = `When ${result.processingDay} is over: ${commandLine(`payouts confirm ${batchNumber}`)}`;
      try {
        return [...done, ...(await writeFiles(parts, batchNumber)), next];
      } catch (error) {
        // The approval stands, whatever happened to the files.
        const failed = error instanceof PayoutActionError ? error.message : `Its files are missing: ${whyNot(error)}.`;
        const again = `When that is mended, this writes them: ${commandLine(`payouts file ${batchNumber}`)}`;
        throw new PayoutActionError([...done, failed, again, next].join("\n"), { cause: error });
      }
    }
  }
}

async function needFolder({ folderProblem }: PayoutActionParts): Promise<void> {
  const problem = await folderProblem();
  if (problem !== null) throw new PayoutActionError(`Nothing was done: ${problem}`);
}

/** What the batch of a command is called in the log. */
const batchOf = (batchNumber: number) => ({ type: "payout-batch", id: String(batchNumber) }) as const;

/** Rejects or cancels a batch, with an entry in the log. */
async function endBatch(
  parts: PayoutActionParts,
  { batchNumber, because, end }: { batchNumber: number; because: string; end: "reject" | "cancel" },
) {
  const operation = end === "reject" ? rejectBatch : cancelBatch;
  return await recorded<Awaited<ReturnType<typeof operation>>>(
    parts,
    {
      permission: "payouts.approve",
      action: `payout-batch.${end}`,
      subject: batchOf(batchNumber),
      why: because,
      changed: ({ outcome }) => outcome === "rejected",
    },
    (joined, now) => operation(joined, { batchNumber, by: parts.by, because, now }),
  );
}

async function reject(parts: PayoutActionParts, [number = "", ...words]: readonly string[]) {
  const batchNumber = numberOf(number);
  const result = await endBatch(parts, { batchNumber, because: whyOf(words), end: "reject" });
  if (result.outcome === "unknown")
    throw new PayoutActionError(`There is no batch ${batchNumber}. "batches" shows the newest.`);
  if (result.outcome !== "rejected")
    throw new PayoutActionError(
      `Nothing was done: batch ${batchNumber} ${result.outcome === "approved" ? "is approved: cancel it before the bank processes it" : "was rejected before"}.`,
    );
  return [`Batch ${batchNumber} is rejected: ${waits(result.payouts)} for the next one.`];
}

async function cancel(parts: PayoutActionParts, [number = "", ...words]: readonly string[]) {
  const batchNumber = numberOf(number);
  const result = await endBatch(parts, { batchNumber, because: whyOf(words), end: "cancel" });
  if (result.outcome === "unknown")
    throw new PayoutActionError(`There is no batch ${batchNumber}. "batches" shows the newest.`);
  if (result.outcome === "not-approved") throw new PayoutActionError(notApproved(batchNumber));
  if (result.outcome !== "rejected")
    throw new PayoutActionError(
      `Nothing was done: batch ${batchNumber} ${result.outcome === "too-late" ? "may be at the bank: its processing day has begun, and somebody has had its files" : "was cancelled before"}.`,
    );
  return [
    `Batch ${batchNumber} is cancelled: ${waits(result.payouts)} for the next one. Don't send its file; if the bank has it, withdraw it there.`,
  ];
}

async function file(parts: PayoutActionParts, [number = ""]: readonly string[]): Promise<string[]> {
  const batchNumber = numberOf(number);
  await needFolder(parts);
  return writeFiles(parts, batchNumber);
}

async function writeFiles(parts: PayoutActionParts, batchNumber: number): Promise<string[]> {
  const method = methodOf(parts);
  const what = {
    permission: "money.change",
    action: "payout-batch.download",
    subject: batchOf(batchNumber),
    why: "both files",
    changed: (found: unknown) => Array.isArray(found),
  } as const;
  const files = await recorded(parts, what, (joined, now) => batchFiles(joined, { batchNumber, method, now }));
  if (!files) throw new PayoutActionError(`There is no batch ${batchNumber}. "batches" shows the newest.`);
  if (files === "cancelled") throw new PayoutActionError(cancelled(batchNumber));
  if (files === "not-approved") throw new PayoutActionError(notApproved(batchNumber));
  if (files === "too-late")
    throw new PayoutActionError(
      `Nothing was written: nobody has had the files of batch ${batchNumber} before its processing day, and the bank refuses them now. Cancel it, and make a new batch.`,
    );
  if (files === "details-deleted")
    throw new PayoutActionError(
      `Nothing was written: bank details of batch ${batchNumber} are deleted, so its files can't be made again.`,
    );
  const lines: string[] = [];
  for (const { name, text } of files) {
    const path = await parts.write(name, text).catch((error: unknown) => {
      throw new PayoutActionError(`${name} could not be written (${whyNot(error)}): send no part of it to the bank.`);
    });
    lines.push(`  written: ${path}`);
  }
  return lines;
}

const waits = (count: number) => (count === 1 ? "1 payout waits" : `${count} payouts wait`);
const payments = (count: number) => (count === 1 ? "1 payment" : `${count} payments`);

async function batches({ db }: PayoutActionParts): Promise<string[]> {
  const made = await listBatches(db, { max: 30 });
  if (made.length === 0) return ["No batch was made yet."];
  return made.map(
    ({ batchNumber, madeAt, madeBy, processingDay, state, payouts, totalPence }) =>
      `${batchNumber}  made ${day(madeAt)} by ${madeBy}  processed ${processingDay}  ${payments(payouts)}  ${formatPence(totalPence)}  ${batchWords[state]}`,
  );
}

const batchWords: Record<BatchState, string> = {
  waiting: "not approved",
  approved: "not confirmed",
  rejected: "rejected",
  cancelled: "cancelled",
  confirmed: "confirmed",
};

async function confirm({ db, bankKeys, by, now }: PayoutActionParts, [number = "", ...words]: readonly string[]) {
  const batchNumber = numberOf(number);
  const why = words.length > 0 ? whyOf(words) : null;
  if (why !== null) await recordSent({ db, by, now }, { batchNumber, why });
  const result = await recordedConfirm({ db, bankKeys, by, now }, { batchNumber, why });
  switch (result.outcome) {
    case "unknown":
      throw new PayoutActionError(`There is no batch ${batchNumber}. "batches" shows the newest.`);
    case "not-approved":
      throw new PayoutActionError(notApproved(batchNumber));
    case "cancelled":
      throw new PayoutActionError(`Nothing was done: batch ${batchNumber} was cancelled and paid nobody.`);
    case "never-downloaded":
      throw new PayoutActionError(
        `Nothing was done: nobody has had the files of batch ${batchNumber}, so the bank has paid nothing of it: ${commandLine(`payouts cancel ${batchNumber} <why>`)}. If the bank has them all the same, as after a restore, say why: ${commandLine(`payouts confirm ${batchNumber} <why>`)}`,
      );
    case "too-early":
      throw new PayoutActionError(
        `Nothing was done: the bank processes batch ${batchNumber} on ${result.processingDay}. Confirm it when that day is over.`,
      );
    case "incomplete":
      throw new PayoutActionError(
        [
          `${payments(result.paid)} recorded as paid, ${result.failed.length} could not be:`,
          ...result.failed.map(({ publicId, error }) => `  ${publicId}  ${String(error)}`),
          "Run the command again when that is mended; the others are not paid twice.",
        ].join("\n"),
      );
    case "confirmed":
      return [`Batch ${batchNumber}: ${payments(result.paid)} recorded as paid, ${formatPence(result.paidPence)}.`];
  }
}

/** Confirms a batch that there is, with an entry in the log before and after it: each payment has its own transaction. */
async function recordedConfirm(
  { db, bankKeys, by, now: clock }: Pick<PayoutActionParts, "db" | "bankKeys" | "by" | "now">,
  { batchNumber, why }: { batchNumber: number; why: string | null },
): Promise<ConfirmedBatch> {
  const now = clock();
  const what = {
    permission: "money.change",
    action: "payout-batch.confirm",
    subject: batchOf(batchNumber),
    why,
    changed: ({ outcome }: ConfirmedBatch) => outcome === "confirmed" || outcome === "incomplete",
  } as const;
  if (!(await hasBatch(db, batchNumber))) return { outcome: "unknown" };
  return await actOutside(db, { command: by, now }, what, (own) =>
    confirmBatch(own, { batchNumber, bankKeys, by, now }),
  );
}

async function hasBatch(db: Db, batchNumber: number): Promise<boolean> {
  const found = db.selectFrom("payout_batches").select("id").where("batch_number", "=", batchNumber);
  return (await found.executeTakeFirst()) !== undefined;
}

/** Records that the bank has the files of a batch, though the log names nobody who had them: a backup was restored. */
async function recordSent(
  parts: Pick<PayoutActionParts, "db" | "by" | "now">,
  { batchNumber, why }: { batchNumber: number; why: string },
): Promise<void> {
  const what = {
    permission: "money.change",
    action: "payout-batch.download",
    subject: batchOf(batchNumber),
    why: `at the bank already: ${why}`.slice(0, 500),
  } as const;
  await recorded(parts, what, (joined, now) => lockMissedBatch(joined, { batchNumber, now }));
}

const notApproved = (batchNumber: number) =>
  `Nothing was done: nobody has approved batch ${batchNumber}. Another person does: ${commandLine(`payouts approve ${batchNumber}`)}`;

const cancelled = (batchNumber: number) =>
  `Nothing was done: batch ${batchNumber} was cancelled and pays nobody. Its payouts wait for the next one.`;

const failureWords: Record<AppliedFailure["outcome"], string> = {
  failed: "not paid: the money is payable again, and the member knows",
  returned: "came back: the money is payable again, and the member knows",
  already: "was applied before",
  unknown: "NOT OURS: no payment has this reference",
  "other-amount": "NOT APPLIED: we paid another amount",
  "not-sent": "NOT APPLIED: it has not been sent",
  "too-early": "NOT APPLIED: the bank has not processed it yet",
  "unknown-code":
    "NOT APPLIED: the bank's code is unknown; ask what it means, and give a file with a code that is known",
};

async function failures(parts: PayoutActionParts, [path = ""]: readonly string[]): Promise<string[]> {
  try {
    const reported = methodOf(parts).readFailures(await readFile(path, "utf8"));
    const applied: AppliedFailure[] = [];
    for (const failure of reported) applied.push(await recordedFailure(parts, failure));
    const over = applied.filter(({ outcome }) => isOver(outcome));
    return [
      ...applied.map(
        ({ reference, amountPence, outcome }) => `${reference}  ${formatPence(amountPence)}  ${failureWords[outcome]}`,
      ),
      `${over.length} of ${applied.length} applied, ${formatPence(sumPence(over.map(({ amountPence }) => amountPence)))}.`,
    ];
  } catch (error) {
    if (error instanceof FailuresFileError) throw new PayoutActionError(`Nothing was applied. ${error.message}`);
    if ((error as { code?: unknown }).code === "ENOENT") throw new PayoutActionError(`There is no file ${path}.`);
    throw error;
  }
}

const isOver = (outcome: AppliedFailure["outcome"]) => outcome === "failed" || outcome === "returned";

/** Applies one line of the bank's report, with an entry in the log for the payout that it ends. */
async function recordedFailure(parts: PayoutActionParts, failure: ReportedFailure): Promise<AppliedFailure> {
  const { reference, amountPence } = failure;
  const payout = await parts.db
    .selectFrom("payouts")
    .select("public_id as id")
    .where("bank_reference", "=", reference)
    .executeTakeFirst();
  const what = {
    permission: "money.change",
    action: "payout.fail",
    subject: { type: "payout", id: payout?.id ?? reference },
    why: failure.reason,
    changed: isOver,
  } as const;
  const outcome = await recorded(parts, what, (joined, now) => applyFailure(joined, { failure, now }));
  return { reference, amountPence, outcome };
}

function numberOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new PayoutActionError(`${text} is not the number of a batch.`);
  return Number(text);
}

/** The actions of `npm run payouts` on batches and their files. */
export const batchActions = { batch, approve, reject, cancel, file, batches, confirm, failures };
