import { createContext, use } from "react";

/** The messages of the form around a field, by the field's name. CheckedForm provides them. */
export const FieldErrorsContext = createContext<Readonly<Record<string, string>>>({});

/** The field's message: its own, else the one its form has for it. */
export function useFieldError(name: string, own: string | undefined): string | undefined {
  const errors = use(FieldErrorsContext);
  return own ?? (Object.hasOwn(errors, name) ? errors[name] : undefined);
}
