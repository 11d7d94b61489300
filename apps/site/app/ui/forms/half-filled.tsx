import { Notice } from "../text/notice.tsx";

/**
 * Stands before a form whose typed text the tab keeps until it has arrived (half-filled.behaviour.ts). When the form is filled in again, this
 * says so, and screen readers announce it. Never for a form with bank numbers.
 */
export function HalfFilled({
  name,
  form,
  start = "Start from what is saved",
  isSilent = false,
}: {
  /** What the text is kept under; the page that follows the form names it in `data-form-arrived`. */
  name: string;
  /** The form's id. */
  form: string;
  /** The words of the button that gives the text up. */
  start?: string;
  /** True where the server keeps what is typed as well: that the form holds it is no news. */
  isSilent?: boolean;
}) {
  if (isSilent) return <span hidden data-half-filled={name} data-form={form} />;
  return (
    <div className="half-filled" role="status" data-half-filled={name} data-form={form}>
      <div hidden>
        <Notice tone="info" title="This form holds what you typed and did not save">
          <p>
            <button type="button" className="link-button">
              {start}
            </button>
          </p>
        </Notice>
      </div>
    </div>
  );
}
