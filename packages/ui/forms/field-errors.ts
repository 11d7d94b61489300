import { createContext, use } from "react";

/** The form's messages by field name. CheckedForm provides them. */
export const FieldErrorsContext = createContext<Readonly<Record<string, string>>>({});

/** Returns the field's message: its own, or else the form's message for it. */
export function useFieldError(name: string, own: string | undefined): string | undefined {
  const errors = use(FieldErrorsContext);
  return own ?? (Object.hasOwn(errors, name) ? errors[name] : undefined);
}
