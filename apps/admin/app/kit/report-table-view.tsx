import { totalsOf, type ReportCell, type ReportColumn, type ReportTable } from "@farthing/core/reports/report-table.ts";
import { exactly } from "./chart.tsx";
import { dayText, Moment, momentText } from "./moment.tsx";

/** Lines that a page shows of a report; the file has all. */
export const MAX_SHOWN = 400;

/** The figures of a report: what its charts are drawn from. The total is of all lines, shown or not. */
export function ReportTableView({ table, label }: { table: ReportTable; label: string }) {
  const { columns, rows } = table;
  const totals = rows.length > 1 ? totalsOf(table) : null;
  return (
    <div className="stack">
      <div className="table-scroll" tabIndex={0} role="region" aria-label={`Table of ${label}`}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.label} scope="col" className={isNumber(column) ? "number" : undefined}>
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MAX_SHOWN).map((row, at) => (
              <tr key={at}>
                {columns.map((column, index) => (
                  <td
                    key={column.label}
                    className={isNumber(column) ? "number" : isLong(row[index]) ? "words" : undefined}
                  >
                    <Cell cell={row[index] ?? null} kind={column.kind} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          {totals && (
            <tfoot>
              <tr>
                {columns.map((column, index) =>
                  index === 0 ? (
                    <th key={column.label} scope="row">
                      Total
                    </th>
                  ) : (
                    <td key={column.label} className={isNumber(column) ? "number" : undefined}>
                      {column.isSummed && <Cell cell={totals[index] ?? null} kind={column.kind} />}
                    </td>
                  ),
                )}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      {rows.length > MAX_SHOWN && (
        <p className="soft">
          The first {MAX_SHOWN} of {rows.length} lines. The file has all.
        </p>
      )}
    </div>
  );
}

const isNumber = ({ kind }: ReportColumn) => kind === "count" || kind === "money" || kind === "percent";

/** Titles wrap only after some words. */
const isLong = (cell: ReportCell | undefined) => typeof cell === "string" && cell.length > 18;

function Cell({ cell, kind }: { cell: ReportCell; kind: ReportColumn["kind"] }) {
  if (cell === null) return <span aria-label="none">–</span>;
  if (cell instanceof Date) return <Moment at={cell} />;
  if (kind === "month") return <time dateTime={String(cell).slice(0, 7)}>{dayText(String(cell), "month")}</time>;
  if (kind === "day") return <time dateTime={String(cell)}>{momentText(new Date(`${cell}T12:00:00Z`), true)}</time>;
  if (typeof cell === "string") return cell;
  return exactly(cell, kind === "money" || kind === "percent" ? kind : "count");
}
