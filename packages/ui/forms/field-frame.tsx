import { errorMark } from "@farthing/core/forms/rules.ts";
import type { ReactNode } from "react";

export interface FieldFrameProps {
  id: string;
  label: ReactNode;
  isRequired?: boolean | undefined;
  help?: ReactNode;
  error?: string | undefined;
  /** Whether the field's value is valid, shown by the label's colour (M3). */
  verdict?: "good" | "bad" | undefined;
  isLabelHidden?: boolean | undefined;
  children: ReactNode;
}

/** A field with label, help and error, which are connected by ids: see fieldDescription. */
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
  return <span className="field-mark">{` ${errorMark}`}</span>;
}

export function FieldError({ id, message }: { id: string; message: string }) {
  return (
    <p id={`${id}-error`} className="field-error">
      {message}
    </p>
  );
}

/** Returns the ids of a field's help and error, for aria-describedby. */
export function fieldDescription(id: string, { help, error }: { help?: ReactNode; error?: string | undefined }) {
  return [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
}
