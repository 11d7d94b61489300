import { ERROR_MARK } from "@farthing/core/forms/rules.ts";
import type { ReactNode, Ref } from "react";
import { useFieldError } from "./field-errors.ts";

/** The attributes that tie a control to its label, help and error. Field makes them; the control spreads them. */
export interface ControlAttributes {
  id: string;
  name: string;
  required: boolean;
  /** The field's name in the error summary. */
  "data-label": string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

export interface FieldProps {
  name: string;
  /** Plain text: the error summary shows it too. */
  label: string;
  /** Shown in place of the label, where the text beside a box holds more than its label. */
  caption?: ReactNode;
  /** The name, unless another field of the page has that id. */
  id?: string;
  /** An optional field says so in its label. Boxes to tick do not. */
  required?: boolean | undefined;
  help?: ReactNode;
  /** The server's message; without it the message that the form around the field has for it. */
  error?: string | undefined;
  /** Set where the message stands elsewhere on the page, in an element with the id `<id>-error`. */
  hasErrorElsewhere?: boolean;
  /**
   * `stacked`: label above the control. `beside`: label to the right of a box. `group`: several controls in a fieldset,
   * with the label as its legend.
   */
  layout?: "stacked" | "beside" | "group";
  /** Colours the label and marks it with a sign: whether the value meets the field's rule (M3). */
  verdict?: "good" | "bad" | undefined;
  isLabelHidden?: boolean | undefined;
  labelId?: string;
  labelClassName?: string;
  className?: string;
  ref?: Ref<HTMLFieldSetElement>;
  children: (control: ControlAttributes, error: string | undefined) => ReactNode;
}

/**
 * A field of a form: label, help, control and error, tied together by ids. Every control of every form stands in one,
 * so that they look, read and fail in the same way (M3, U1).
 */
export function Field({
  name,
  label,
  caption = label,
  id = name,
  required = false,
  help,
  error: ownError,
  hasErrorElsewhere = false,
  layout = "stacked",
  verdict,
  isLabelHidden = false,
  labelId,
  labelClassName,
  className = "field",
  ref,
  children,
}: FieldProps) {
  const error = useFieldError(name, ownError);
  const hasError = error !== undefined || hasErrorElsewhere;
  const control = children(
    {
      id,
      name,
      required,
      "data-label": label,
      "aria-invalid": hasError || undefined,
      "aria-describedby": [help && `${id}-help`, hasError && `${id}-error`].filter(Boolean).join(" ") || undefined,
    },
    error,
  );
  const isBeside = layout === "beside";
  const captionParts = (
    <>
      {caption}
      {!required && !isBeside && <OptionalMark />}
      {hasError && <ErrorMark />}
    </>
  );
  const captionClass = isLabelHidden ? "visually-hidden" : labelClassName;
  const content = (
    <>
      {isBeside && control}
      {layout === "group" ? (
        <legend className={captionClass}>{captionParts}</legend>
      ) : (
        <label id={labelId} htmlFor={id} data-verdict={verdict} className={captionClass}>
          {captionParts}
        </label>
      )}
      {help && (
        <p id={`${id}-help`} className="field-help">
          {help}
        </p>
      )}
      {!isBeside && control}
      {error !== undefined && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </>
  );
  const boxClass = [className, isBeside && "is-checkbox", hasError && "has-error"].filter(Boolean).join(" ");
  if (layout !== "group") return <div className={boxClass}>{content}</div>;
  return (
    <fieldset ref={ref} className={boxClass}>
      {content}
    </fieldset>
  );
}

function OptionalMark() {
  return <span className="field-optional"> (optional)</span>;
}

export function ErrorMark() {
  return <span className="field-mark">{` ${ERROR_MARK}`}</span>;
}
