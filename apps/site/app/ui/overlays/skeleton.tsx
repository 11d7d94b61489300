/** What is on its way, in outline: nothing moves when it comes. `kind` gives the measures; a screen reader hears only that something loads. */
export function Skeleton({
  kind,
  count = 1,
  label = "Loading",
}: {
  kind: "card" | "tile" | "line";
  count?: number;
  label?: string;
}) {
  return (
    <div className="skeletons" data-kind={kind} role="status" aria-label={label}>
      {Array.from({ length: count }, (_, index) => (
        <span key={index} className="skeleton" aria-hidden="true" />
      ))}
    </div>
  );
}
