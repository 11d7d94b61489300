import { formatPence } from "@farthing/core/money/money.ts";
import type { BatchRecord } from "@farthing/core/payouts/list-batches.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { counted } from "../../kit/moment.tsx";
import type { Faults, Typed } from "../../kit/read-form.ts";

/** Asks before a batch is confirmed, cancelled, rejected, or approved by who made it. */
export function BatchQuestion({
  ask,
  batch,
  path,
  faults,
  typed,
}: {
  ask: string;
  batch: BatchRecord;
  path: string;
  faults: Faults | undefined;
  typed: Typed;
}) {
  const sum = `${counted(batch.payouts, "payment")}, ${formatPence(batch.totalPence)}`;
  if (ask === "confirm") {
    const open = batch.parts.find(({ state }) => state === "processing");
    return (
      <Confirm
        title={`Has the bank paid batch ${batch.batchNumber}?`}
        what={
          <p>
            {counted(open?.payouts ?? 0, "payment")}, {formatPence(open?.pence ?? 0)},{" "}
            {open?.payouts === 1 ? "is" : "are"} recorded as paid, and each member gets an e-mail that says so. This
            can’t be undone. Look at the bank’s statement, and apply its report of failed payments first if you have it.
          </p>
        }
        button="Record as paid"
        keep={[["act", "confirm"]]}
        back={path}
        typed={typed}
        faults={faults}
      />
    );
  }
  if (ask === "cancel")
    return (
      <Confirm
        title={`Cancel batch ${batch.batchNumber}?`}
        what={
          <p>
            Has its file been sent to the bank? {downloadText(batch.downloads.length)} If the bank has it, withdraw it
            there first: otherwise the bank pays these members, and the next batch pays them again. Its payouts ({sum})
            wait for the next batch, and members are told nothing.
          </p>
        }
        button="Cancel the batch"
        keep={[["act", "cancel"]]}
        back={path}
        typed={typed}
        faults={faults}
      >
        <div className="field boxes" data-has-fault={faults?.["not_sent"] ? "" : undefined}>
          <label>
            <input
              id="not_sent"
              type="checkbox"
              name="not_sent"
              value="yes"
              defaultChecked={typed["not_sent"] === "yes"}
              aria-invalid={faults?.["not_sent"] ? true : undefined}
              aria-describedby={faults?.["not_sent"] ? "not_sent-fault" : undefined}
            />{" "}
            The file was not sent, or the bank has withdrawn it
          </label>
          {faults?.["not_sent"] && (
            <p className="field-fault" id="not_sent-fault">
              {faults["not_sent"]}
            </p>
          )}
        </div>
      </Confirm>
    );
  return ask === "reject" ? (
    <Confirm
      title={`Reject batch ${batch.batchNumber}?`}
      what={<p>It pays nobody. Its payouts ({sum}) wait for the next batch, and members are told nothing.</p>}
      button="Reject it"
      keep={[["act", "reject"]]}
      back={path}
      typed={typed}
      faults={faults}
    />
  ) : (
    <Confirm
      title={`Approve batch ${batch.batchNumber} alone?`}
      what={
        <p>
          You made it. Nobody else will look at it before {sum} can leave. The batch and the audit log keep your reason.
        </p>
      }
      button="Approve it alone"
      keep={[["act", "approve"]]}
      back={path}
      typed={typed}
      faults={faults}
    />
  );
}

const downloadText = (downloads: number) =>
  downloads === 0 ? "Nobody has downloaded it." : `It was downloaded ${counted(downloads, "time")}.`;
