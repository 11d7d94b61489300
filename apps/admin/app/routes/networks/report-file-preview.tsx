import type { FileRow } from "@farthing/core/cashback/import-report-file.server.ts";
import { HELD_REASONS } from "@farthing/core/networks/held-reasons.ts";
import { Badge, Facts, Notice } from "../../kit/facts.tsx";
import { FaultSummary, WhyField } from "../../kit/fields.tsx";
import { counted, Moment } from "../../kit/moment.tsx";
import type { Faults, Typed } from "../../kit/read-form.ts";
import { minorAmount } from "./minor-amount.ts";

const outcomes: Readonly<Record<FileRow["outcome"], { words: string; tone: "good" | "bad" | "warn" | "plain" }>> = {
  new: { words: "new", tone: "good" },
  changed: { words: "changed", tone: "good" },
  unchanged: { words: "known as it is", tone: "plain" },
  stale: { words: "known, and newer", tone: "plain" },
  waiting: { words: "waits for the sale that it corrects", tone: "warn" },
  refused: { words: "can’t be stored", tone: "bad" },
  failed: { words: "failed; try again", tone: "bad" },
};

/** What a report's file would do. */
export interface Preview {
  fileName: string;
  content: string;
  /** How many rows each outcome has; those that credit a member, and those that credit nobody. */
  counts: Partial<Record<FileRow["outcome"] | "credited" | "held", number>>;
  /** Rows that change something, or can't be stored, first. */
  rows: FileRow[];
  count: number;
  unreadable: string[];
  unreadableCount: number;
}

/** What a report's file would do, and the question whether to store it. */
export function ReportFilePreview({
  preview,
  typed,
  faults,
  path,
}: {
  preview: Preview;
  typed: Typed;
  faults: Faults;
  path: string;
}) {
  const { fileName, content, counts, rows, count, unreadable, unreadableCount } = preview;
  const news = (counts.new ?? 0) + (counts.changed ?? 0) + (counts.waiting ?? 0);
  return (
    <>
      {unreadableCount > 0 && (
        <Notice tone="bad">
          {counted(unreadableCount, "row")} can’t be read and will be left out. The others can be stored.
          <ul>
            {unreadable.map((problem, index) => (
              <li key={index}>{problem}</li>
            ))}
          </ul>
        </Notice>
      )}
      <section className="panel" aria-labelledby="preview">
        <h2 id="preview">What {fileName} would do</h2>
        <Facts
          facts={[
            { label: "New sales", value: counts.new ?? 0 },
            { label: "Changed sales", value: counts.changed ?? 0 },
            { label: "Credited to members", value: counts.credited ?? 0 },
            { label: "Credited to nobody", value: counts.held ?? 0 },
            { label: "Known already", value: (counts.unchanged ?? 0) + (counts.stale ?? 0) },
            { label: "Can’t be stored", value: (counts.refused ?? 0) + (counts.failed ?? 0) },
          ]}
        />
        {news === 0 ? (
          <p>
            It changes nothing, so there is nothing to store. <a href={path}>Choose another file</a>
          </p>
        ) : (
          <>
            <p>
              Cashback is booked, and members get their mails, as when the network’s API says it. This can’t be undone;
              a later report corrects it.
            </p>
            <FaultSummary faults={faults} says="Nothing was stored yet:" />
            <form method="post" action={path} encType="multipart/form-data">
              <input type="hidden" name="confirmed" value="yes" />
              <input type="hidden" name="network" value={typed["network"] ?? ""} />
              <input type="hidden" name="downloadedOn" value={typed["downloadedOn"] ?? ""} />
              <input type="hidden" name="fileName" value={fileName} />
              <input type="hidden" name="content" value={content} />
              <WhyField typed={typed} faults={faults} />
              <p className="acts">
                <button className="button is-main">Store {counted(news, "sale")}</button> <a href={path}>Cancel</a>
              </p>
            </form>
          </>
        )}
      </section>
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Table of its sales">
        <table className="rows">
          <caption className="away">The sales of the file</caption>
          <thead>
            <tr>
              <th scope="col">Sale</th>
              <th scope="col">Order</th>
              <th scope="col">Bought</th>
              <th scope="col">Status</th>
              <th scope="col" className="number">
                Amount
              </th>
              <th scope="col">Would be</th>
              <th scope="col">For the member</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={`${row.networkTransactionId} ${index}`}>
                <td className="id">{row.networkTransactionId}</td>
                <td className="id">{row.orderReference ?? "–"}</td>
                <td>
                  <Moment at={row.purchasedAt} isDay />
                </td>
                <td>{row.status}</td>
                <td className="number">{minorAmount(row.saleMinor, row.currency)}</td>
                <td>
                  <Badge tone={outcomes[row.outcome].tone}>{outcomes[row.outcome].words}</Badge>
                </td>
                <td>
                  {row.heldBecause ? `nobody: ${HELD_REASONS[row.heldBecause]}` : row.changes.join(", ") || "no change"}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length < count && (
        <p className="soft">
          The first {rows.length} of {count} sales; those that change something come first.
        </p>
      )}
    </>
  );
}
