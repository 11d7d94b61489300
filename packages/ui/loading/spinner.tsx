/** Shows that work is in progress (O6): grey, 26 px wide, 3 px thick, 0.75 s per turn. Custom properties of spinner.css change this. */
export function Spinner({ label }: { label?: string }) {
  return (
    <span
      className="spinner"
      role={label ? "status" : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    />
  );
}
