/** Says that something is under way. 26 px, 3 px thick, 0.75 s a turn, grey (seed section 9); the custom properties of spinner.css change that. */
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
