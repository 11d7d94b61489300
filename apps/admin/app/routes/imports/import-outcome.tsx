import type { ImportProblem } from "@farthing/core/catalogue-imports/import-problem.ts";
import type { FileReport } from "@farthing/core/catalogue-imports/import-report.ts";
import { Notice } from "../../kit/facts.tsx";

/** What is wrong with a file, line by line, and what to do. */
export function ImportProblems({
  problems,
  problemCount,
}: {
  problems: readonly ImportProblem[];
  problemCount: number;
}) {
  return (
    <>
      <Notice tone="bad">
        Nothing was imported: {problemCount} {problemCount === 1 ? "problem" : "problems"}. Correct the file and read it
        again.
      </Notice>
      <div className="table-scroll" tabIndex={0} role="region" aria-label="What is wrong with the file">
        <table className="rows">
          <caption className="away">What is wrong with the file</caption>
          <thead>
            <tr>
              <th scope="col" className="number">
                Line
              </th>
              <th scope="col">Number</th>
              <th scope="col">Field</th>
              <th scope="col">What to do</th>
            </tr>
          </thead>
          <tbody>
            {problems.map(({ line, id, field, message }, index) => (
              <tr key={index}>
                <td className="number">{line ?? "–"}</td>
                <td className="id">{id ?? "–"}</td>
                <td>{field || "–"}</td>
                <td>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {problems.length < problemCount && <p className="soft">The first {problems.length} of them.</p>}
    </>
  );
}

/** What becomes of a file's records; nothing where none is named. */
export function ImportRecords({
  records,
  changes,
}: {
  records: NonNullable<FileReport["records"]>;
  /** How many there are, of which the first are named. */
  changes: number;
}) {
  if (records.length === 0) return null;
  return (
    <>
      <div className="table-scroll" tabIndex={0} role="region" aria-label="What becomes of its records">
        <table className="rows">
          <caption className="away">What becomes of its records</caption>
          <thead>
            <tr>
              <th scope="col" className="number">
                Line
              </th>
              <th scope="col">Number</th>
              <th scope="col">Title</th>
              <th scope="col">Would be</th>
            </tr>
          </thead>
          <tbody>
            {records.map(({ line, id, title, what }) => (
              <tr key={id}>
                <td className="number">{line}</td>
                <td className="id">{id}</td>
                <td>{title}</td>
                <td>{what === "created" ? "made" : "changed"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {records.length < changes && <p className="soft">The first {records.length} of them.</p>}
    </>
  );
}

/** The live offers that a network's whole list lacks, and that it withdraws. */
export function LackedOffers({
  withdrawn,
  live,
  offers,
}: Pick<FileReport, "withdrawn"> & NonNullable<FileReport["lacks"]>) {
  if (withdrawn === 0) return <p>It withdraws nothing: it has all live offers of the network.</p>;
  return (
    <>
      <Notice tone="bad">
        If this is the whole list, {withdrawn} of the network’s {live} live offers are not in it and will be withdrawn.
      </Notice>
      <ul aria-label="Offers that it withdraws">
        {offers.map(({ publicId, title }) => (
          <li key={publicId}>
            <a href={`/admin/offers/${publicId}`}>{title}</a>
          </li>
        ))}
      </ul>
      {offers.length < withdrawn && <p className="soft">The first {offers.length} of them.</p>}
    </>
  );
}
