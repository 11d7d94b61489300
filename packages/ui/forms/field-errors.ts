import { createContext, use } from "react";

/** The error messages of a form by field name. CheckedForm provides them. */
export const FieldErrorsContext = createContext<Readonly<Record<string, string>>>({});

/** Returns a field's error message: its own, otherwise its form's. */
export function useFieldError(name: string, own: string | undefined): string | undefined {
  const errors = use(FieldErrorsContext);
  return own ?? (Object.hasOwn(errors, name) ? errors[name] : undefined);
}
