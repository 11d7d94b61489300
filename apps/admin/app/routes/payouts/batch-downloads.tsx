import type { BatchRecord } from "@farthing/core/payouts/list-batches.server.ts";
import { Notice } from "../../kit/facts.tsx";
import { counted } from "../../kit/moment.tsx";
import { By } from "./done-by.tsx";

/** The files of an approved batch, who has downloaded them, and why there are none any more. */
export function BatchDownloads({
  batch,
  mayDownload,
  path,
}: {
  batch: BatchRecord;
  mayDownload: boolean;
  path: string;
}) {
  const { detailsDeleted, downloads } = batch;
  return (
    <>
      {downloads.length > 0 && (
        <ul className="plain-list">
          {downloads.map(({ at, by, file }, index) => (
            <li key={index}>
              Downloaded on <By at={at} by={by} />: {file}
            </li>
          ))}
        </ul>
      )}
      {detailsDeleted > 0 ? (
        <p>
          Its files can’t be made again: the bank details of {counted(detailsDeleted, "payment")} are deleted, as they
          are when a payment fails or comes back, and 30 days after it is paid.
        </p>
      ) : (
        mayDownload && (
          <>
            {downloads.length > 0 && batch.state === "approved" && (
              <Notice tone="warn">
                A file of this batch was downloaded before. Ask whether it was sent: a file that is sent twice pays
                everybody twice.
              </Notice>
            )}
            <form method="post" action={`${path}/file`} className="acts">
              <button className="button" name="kind" value="txt">
                Download the Bacs file
              </button>
              <button className="button" name="kind" value="csv">
                Download as CSV
              </button>
            </form>
            <p className="field-help">Both hold bank details; each download is in the audit log.</p>
          </>
        )
      )}
    </>
  );
}
