/**
 * Outlines in place of loading content, in the size of `kind`, so that nothing moves when it arrives. Screen readers
 * announce `label` only.
 */
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
