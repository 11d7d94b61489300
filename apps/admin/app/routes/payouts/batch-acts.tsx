import { BatchDownloads } from "./batch-downloads.tsx";
import type { LoadedBatch } from "./load-batch.server.ts";

/** What comes next with this batch, and who may do it. */
export function BatchActs({
  batch,
  isOwn,
  mayApprove,
  mayChange,
  mayConfirm,
  mayCancel,
  isMissed,
  isOverNow,
  hasMethod,
  path,
}: LoadedBatch & { path: string }) {
  const { state } = batch;
  if (state === "rejected" || state === "cancelled")
    return (
      <section className="panel">
        <p>It pays nobody. Its payouts wait for the next batch, with the reason beside them.</p>
      </section>
    );
  if (state === "waiting")
    return (
      <section className="panel" aria-labelledby="next">
        <h2 id="next">Approve it?</h2>
        <p>
          {isOwn
            ? "You made it, so somebody else approves it. An owner who is alone may approve it with a reason, which the batch keeps."
            : "Look at the sum, the largest payments and the accounts. After you approve, its file can be sent to the bank."}
        </p>
        <form method="post" action={path} className="acts">
          {mayApprove && (
            <button className={isOwn ? "button is-danger-quiet" : "button is-main"} name="act" value="approve">
              {isOwn ? "Approve it alone …" : "Approve"}
            </button>
          )}
          {mayChange && (
            <button className="button" name="act" value="reject">
              Reject …
            </button>
          )}
        </form>
      </section>
    );
  return (
    <section className="panel" aria-labelledby="next">
      <h2 id="next">
        {state === "confirmed" ? "It is paid" : isMissed ? "It was not sent: cancel it" : "Send it, then confirm it"}
      </h2>
      <BatchDownloads batch={batch} mayDownload={mayChange && hasMethod && !isMissed} path={path} />
      {state === "approved" && mayChange && (
        <form method="post" action={path} className="narrow-gap">
          <p>
            {isMissed
              ? "Nobody has downloaded its file, and the bank refuses it from its processing day on. Cancel it: its payouts wait for the next batch. If the bank has its file all the same, do not cancel it; “npm run payouts -- confirm” takes a reason."
              : isOverNow
                ? "Its processing day is over. Apply the bank’s report first if you have it: what it names is left out."
                : "It can be confirmed when its processing day is over."}
          </p>
          <p className="acts">
            {mayConfirm && (
              <button className="button is-main" name="act" value="confirm">
                Confirm that the bank has paid it …
              </button>
            )}
            <a href="/admin/payouts/reports">Bank reports</a>
            {mayCancel && (
              <button className="button is-danger-quiet" name="act" value="cancel">
                Cancel the batch …
              </button>
            )}
          </p>
        </form>
      )}
    </section>
  );
}
