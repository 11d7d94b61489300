/**
 * Copies the text of the element `target` (O3). After a successful copy it reads "Copied", and the element has the attribute `data-copied`. If the
 * clipboard is not available, the text is selected and a line says so, so that the person can copy it with a key. Without script the button has no
 * function and is not shown; copy-button.behaviour.ts enables it.
 */
export function CopyButton({
  target,
  what = "code",
  marks = {},
}: {
  target: string;
  what?: "code" | "link" | "secret" | "codes";
  /** Attributes of the button that other scripts read. */
  marks?: Readonly<Record<`data-${string}`, string>>;
}) {
  return (
    <>
      <button
        type="button"
        className="button copy-button needs-script"
        data-copies={target}
        data-what={what}
        disabled
        {...marks}
      >
        Copy {what}
      </button>
      <span role="status" className="visually-hidden" />
    </>
  );
}
