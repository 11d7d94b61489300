import { addDays } from "@farthing/core/telemetry/rules.ts";

interface Range {
  from: string;
  to: string;
}

/** The two days of a range, in a form with the class "filters". */
export function RangeFields({ filters, faults }: { filters: Range; faults: Partial<Record<"from" | "to", string>> }) {
  return (["from", "to"] as const).map((field) => (
    <div className="filter" key={field}>
      <label htmlFor={field}>{field === "from" ? "From" : "To"}</label>
      <input
        id={field}
        name={field}
        type="date"
        defaultValue={filters[field]}
        aria-invalid={faults[field] ? true : undefined}
      />
    </div>
  ));
}

const usual = [
  { label: "7 days", days: 7 },
  { label: "28 days", days: 28 },
  { label: "90 days", days: 90 },
  { label: "A year", days: 365 },
];

/** Ranges until today that one press chooses. */
export function RangeLinks({ today, filters, to }: { today: string; filters: Range; to: (range: Range) => string }) {
  return (
    <nav aria-label="Days" className="toolbar-side">
      {usual.map(({ label, days }) => {
        const range = { from: addDays(today, 1 - days), to: today };
        const isChosen = filters.from === range.from && filters.to === range.to;
        return (
          <a key={label} href={to(range)} aria-current={isChosen ? "true" : undefined}>
            {label}
          </a>
        );
      })}
    </nav>
  );
}
