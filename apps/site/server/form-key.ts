import { field } from "../app/routes/sign-in/form-field.ts";

/**
 * Returns the key of a posted form, which its page made: the same form sent twice acts once. Null where there is none or it is not one of ours: such a
 * form acts each time.
 */
export function formKey(form: FormData): string | null {
  const key = field(form, "key", 100);
  return /^[\w-]{8,100}$/.test(key) ? key : null;
}
