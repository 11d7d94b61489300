/**
 * A small bar chart, drawn on the server, with the figures as a table for whoever can't see it or wants them exactly. Bars of
 * values below 0 hang below the line of 0.
 */
export function BarChart({
  title,
  points,
  show = String,
}: {
  title: string;
  /** From left to right. */
  points: readonly { label: string; value: number }[];
  /** How a value is written. */
  show?: (value: number) => string;
}) {
  const values = points.map(({ value }) => value);
  const step = 100 / Math.max(1, points.length);
  const last = points.at(-1);
  return (
    <figure className="chart panel">
      <figcaption>
        {title}
        {last && (
          <>
            {" "}
            <strong>{show(last.value)}</strong> <span className="soft">on {last.label}</span>
          </>
        )}
      </figcaption>
      <svg viewBox="0 0 100 40" preserveAspectRatio="none" aria-hidden="true">
        {points.map(({ label, value }, at) => {
          const { y, height } = barOf(value, values);
          return (
            <rect key={label} x={at * step + step * 0.1} width={step * 0.8} y={y} height={height}>
              <title>{`${label}: ${show(value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <details>
        <summary>{title} as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col" className="number">
                {title}
              </th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ label, value }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td className="number">{show(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

const HEIGHT = 40;

/** Returns where a bar stands in a chart that is 40 high: upwards from the line of 0, downwards for a value below it. Each can be seen. */
export function barOf(value: number, values: readonly number[]): { y: number; height: number } {
  const [most, least] = [Math.max(0, ...values), Math.min(0, ...values)];
  const range = Math.max(1, most - least);
  const line = least === 0 ? HEIGHT : (most / range) * HEIGHT;
  const height = value === 0 ? 0.5 : Math.max(1.5, (Math.abs(value) / range) * HEIGHT);
  const y = value < 0 ? line : line - height;
  return { y: Math.min(HEIGHT - height, Math.max(0, y)), height };
}
