import { ERROR_MARK } from "@farthing/core/forms/rules.ts";
import type { ReactNode } from "react";

export interface FieldFrameProps {
  id: string;
  label: ReactNode;
  isRequired?: boolean | undefined;
  help?: ReactNode;
  error?: string | undefined;
  /** The label's colour says whether what stands in the field is good (seed section 5). */
  verdict?: "good" | "bad" | undefined;
  isLabelHidden?: boolean | undefined;
  children: ReactNode;
}

/** Label, field, help and error, tied together by ids: see fieldDescription. */
export function FieldFrame({ id, label, isRequired, help, error, verdict, isLabelHidden, children }: FieldFrameProps) {
  return (
    <div className={error ? "field has-error" : "field"}>
      <label htmlFor={id} data-verdict={verdict} className={isLabelHidden ? "visually-hidden" : undefined}>
        {label}
        {!isRequired && <OptionalMark />}
        {error && <ErrorMark />}
      </label>
      {help && (
        <p id={`${id}-help`} className="field-help">
          {help}
        </p>
      )}
      {children}
      {error && <FieldError id={id} message={error} />}
    </div>
  );
}

export function OptionalMark() {
  return <span className="field-optional"> (optional)</span>;
}

export function ErrorMark() {
  return <span className="field-mark">{` ${ERROR_MARK}`}</span>;
}

export function FieldError({ id, message }: { id: string; message: string }) {
  return (
    <p id={`${id}-error`} className="field-error">
      {message}
    </p>
  );
}

/** The ids of what is said about a field, for aria-describedby. */
export function fieldDescription(id: string, { help, error }: { help?: ReactNode; error?: string | undefined }) {
  return [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
}
