import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { postTransfer } from "../ledger/operations.server.ts";
import { differenceOf } from "../ledger/rules.ts";
import { announceEvent } from "../partners/webhooks.server.ts";
import { findDisputeRows, type DisputeRow } from "./dispute-row.server.ts";
import {
  canDisputeGo,
  disputeEvents,
  disputeLegs,
  disputeTransferKind,
  isOpen,
  isSettled,
  nextDisputeLook,
  type DisputePosition,
} from "./dispute-rules.ts";
import { paidForGiftCards, stopLinesOf } from "./gift-card-lines.server.ts";
import { findPaymentRow, type PaymentRow } from "./payment-row.server.ts";
import type { CardProvider, ObservedDispute } from "./provider.ts";

export type SettledDisputes =
  | { outcome: "settled"; changed: number }
  /** The provider's state is impossible: nothing was changed, and a person has to investigate. */
  | { outcome: "contradiction"; why: string };

/** An attempt fails only if a dispute of the payment changed in the meantime. */
const MAX_ATTEMPTS = 20;

/**
 * Updates the disputes of a payment to the provider's state, with postings, the partner's events and the stop of gift-card
 * lines, in one transaction. Safe to repeat in any order and from several processes: the provider is asked after our rows
 * were read, and its answer counts only if they have not changed since.
 * @throws CardProviderUnavailableError, CardProviderRefusalError
 */
export async function settleDisputes(
  db: Db,
  cards: Pick<CardProvider, "findDisputes">,
  { payment, now }: { payment: Pick<PaymentRow, "id" | "publicId" | "providerPaymentId">; now: Date },
): Promise<SettledDisputes> {
  const { id, publicId, providerPaymentId } = payment;
  if (providerPaymentId === null) return { outcome: "settled", changed: 0 };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const before = await findDisputeRows(db, id);
    const observed = await cards.findDisputes(providerPaymentId);
    const settled = await db.transaction().execute((trx) => apply(trx, { publicId, before, observed, now }));
    if (settled) return settled;
  }
  throw new Error(`The disputes of ${publicId} changed ${MAX_ATTEMPTS} times while they were read: try again later.`);
}

/** Returns null if a dispute has changed since it was read. */
async function apply(
  trx: Trx,
  {
    publicId,
    before,
    observed,
    now,
  }: { publicId: string; before: DisputeRow[]; observed: ObservedDispute[]; now: Date },
): Promise<SettledDisputes | null> {
  // Locks the payment, as its refunds do: a refund is reserved before or after this, and sees it.
  await trx.selectFrom("payments").select("id").where("public_id", "=", publicId).forNoKeyUpdate().execute();
  const payment = await findPaymentRow(trx, { publicId });
  if (!payment) return { outcome: "settled", changed: 0 };
  const rows = await findDisputeRows(trx, payment.id);
  const versions = (list: DisputeRow[]) => list.map(({ id, version }) => `${id} ${version}`).join();
  if (versions(rows) !== versions(before)) return null;
  const isForGiftCards = await paidForGiftCards(trx, payment.id);
  const changes: Change[] = [];
  for (const one of observed) {
    const row = rows.find(({ providerDisputeId }) => providerDisputeId === one.providerDisputeId) ?? null;
    if (row && !canDisputeGo(row.state, one.state))
      return {
        outcome: "contradiction",
        why: `Dispute ${row.publicId} of payment ${publicId} is ${row.state}, and the provider says ${one.state}.`,
      };
    if (row && isSame(row, one)) continue;
    changes.push({ payment, row, observed: one, isForGiftCards: row?.isForGiftCards ?? isForGiftCards, now });
  }
  for (const change of changes) await store(trx, change);
  if (changes.length > 0) await stopLinesOf(trx, payment.id, now);
  return { outcome: "settled", changed: changes.length };
}

interface Change {
  payment: PaymentRow;
  /** Null: it is new. */
  row: DisputeRow | null;
  observed: ObservedDispute;
  isForGiftCards: boolean;
  now: Date;
}

function isSame(row: DisputeRow, observed: ObservedDispute): boolean {
  return (
    row.state === observed.state &&
    row.reason === observed.reason &&
    row.amountPence === observed.amountPence &&
    row.withdrawnPence === observed.withdrawnPence &&
    row.feePence === observed.feePence &&
    row.evidenceDueAt?.getTime() === observed.evidenceDueAt?.getTime() &&
    row.hasEvidence === observed.hasEvidence
  );
}

async function store(trx: Trx, { payment, row, observed, isForGiftCards, now }: Change): Promise<void> {
  const version = (row?.version ?? 0) + 1;
  const columns = {
    state: observed.state,
    reason: observed.reason,
    amount_pence: observed.amountPence,
    withdrawn_pence: observed.withdrawnPence,
    fee_pence: observed.feePence,
    evidence_due_at: observed.evidenceDueAt,
    has_evidence: observed.hasEvidence,
    version,
    changed_at: now,
    next_look_at: isSettled(observed) ? null : nextDisputeLook(0, now),
    lookups: 0,
  };
  const written = row
    ? await trx
        .updateTable("payment_disputes")
        .set(columns)
        .where("id", "=", row.id)
        .returning(["id", "public_id as publicId"])
        .executeTakeFirstOrThrow()
    : await trx
        .insertInto("payment_disputes")
        .values({
          ...columns,
          id: newId(),
          payment_id: payment.id,
          provider_dispute_id: observed.providerDisputeId,
          is_for_gift_cards: isForGiftCards,
          opened_at: observed.openedAt,
        })
        .returning(["id", "public_id as publicId"])
        .executeTakeFirstOrThrow();
  const transferId = await post(trx, {
    payment,
    row,
    to: { ...observed, isForGiftCards },
    id: written.id,
    version,
    now,
  });
  await trx
    .insertInto("payment_dispute_changes")
    .values({
      dispute_id: written.id,
      version,
      state: observed.state,
      withdrawn_pence: observed.withdrawnPence,
      fee_pence: observed.feePence,
      transfer_id: transferId,
      changed_at: now,
    })
    .execute();
  for (const kind of disputeEvents(row?.state ?? null, observed.state))
    await announceEvent(trx, {
      partnerId: payment.partnerId,
      mode: payment.mode,
      kind,
      data: newsOf(payment, { publicId: written.publicId, observed, kind }),
      now,
    });
}

async function post(
  trx: Trx,
  change: {
    payment: PaymentRow;
    row: DisputeRow | null;
    to: DisputePosition;
    id: string;
    version: number;
    now: Date;
  },
): Promise<string | null> {
  const { payment, row, to, id, version, now } = change;
  // A test payment moves no money, so the books have nothing of it (decision 033).
  const legs = payment.mode === "live" ? differenceOf(row ? disputeLegs(row) : [], disputeLegs(to)) : [];
  if (legs.length === 0) return null;
  const { transferId } = await postTransfer(trx, {
    key: `dispute:${id}:${version}`,
    kind: disputeTransferKind(row, to),
    legs,
    cause: { kind: "dispute", id },
    happenedAt: now,
  });
  return transferId;
}

function newsOf(
  { publicId: paymentId, reference, amountPence, sessionId, sessionReference }: PaymentRow,
  { publicId, observed, kind }: { publicId: string; observed: ObservedDispute; kind: string },
) {
  const { state, reason, evidenceDueAt } = observed;
  return {
    ...{ paymentId, reference, amountPence, sessionId, sessionReference },
    disputeId: publicId,
    disputedPence: observed.amountPence,
    disputeReason: reason,
    ...(kind === "payment.disputed"
      ? { evidenceDueAt: isOpen(state) ? (evidenceDueAt?.toISOString() ?? null) : null }
      : { outcome: state }),
  };
}
