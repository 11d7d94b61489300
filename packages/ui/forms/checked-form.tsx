import { type FormEvent, type ReactNode, type SubmitEvent, useEffect, useRef, useState } from "react";
import { controlAt, errorOf, invalidControls, uncover } from "./invalid-controls.ts";
import { ErrorSummary } from "./error-summary.tsx";
import type { FormError } from "./form-error.ts";
import { FieldErrorsContext } from "./field-errors.ts";

export interface CheckedFormProps {
  action: string;
  method?: "post" | "get";
  /** The server's messages by field name, shown in the same way as the browser's. */
  errors?: Readonly<Record<string, string>> | undefined;
  /** The fields' names in the error summary; by default the field name in words. */
  labels?: Readonly<Record<string, string>>;
  /** Called when a form without errors is submitted. `preventDefault()` keeps it from the server. */
  onSend?: (event: SubmitEvent<HTMLFormElement>) => void;
  className?: string;
  id?: string;
  children: ReactNode;
}

/**
 * A form that reports its errors (M3): every invalid field is marked, the errors are listed, and nothing is sent. Until
 * its script has loaded, the browser's own validation applies. The server's validation is the one that counts.
 */
export function CheckedForm({
  action,
  method = "post",
  errors: serverErrors = {},
  labels = {},
  onSend,
  className,
  id,
  children,
}: CheckedFormProps) {
  const [listed, setListed] = useState(() => errorsFromServer(serverErrors, labels));
  const [marked, setMarked] = useState<Readonly<Record<string, string>>>(serverErrors);
  const form = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  const wasSubmitted = useRef(false);

  useEffect(() => {
    if (form.current) form.current.noValidate = true;
  }, []);
  useEffect(() => {
    if (listed.length === 0) return;
    // Somebody may have begun to correct what the server refused before the script loaded.
    const isInUse = form.current?.contains(document.activeElement) ?? false;
    if (wasSubmitted.current || !isInUse) summary.current?.focus();
  }, [listed]);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent;
    const isUnchecked = submitter instanceof HTMLButtonElement && submitter.formNoValidate;
    const errors = isUnchecked ? [] : invalidControls(event.currentTarget);
    if (errors.length === 0) return navigator.onLine ? onSend?.(event) : undefined; // nothing is sent without a connection
    event.preventDefault();
    for (const { name, id = name } of errors) uncover(document.getElementById(id));
    wasSubmitted.current = true;
    setListed(errors);
    setMarked(Object.fromEntries(errors.map(({ name, message }) => [name, message])));
  }

  /**
   * Updates a marked field while the person types, and removes its mark once it is valid. The summary stays as it is: a
   * change there would move the page under the person's finger.
   */
  function revalidate(event: FormEvent<HTMLFormElement>) {
    const control = controlAt(event.target);
    if (!control || !Object.hasOwn(marked, control.name)) return;
    const { [control.name]: before, ...others } = marked;
    const now = errorOf(control);
    if (now === null) setMarked(others);
    else if (now !== before) setMarked({ ...marked, [control.name]: now });
  }

  return (
    <form
      ref={form}
      id={id}
      action={action}
      method={method}
      className={className}
      onSubmit={submit}
      onInput={revalidate}
      onChange={revalidate}
    >
      <ErrorSummary ref={summary} errors={listed} />
      <FieldErrorsContext value={marked}>{children}</FieldErrorsContext>
    </form>
  );
}

function errorsFromServer(
  errors: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
): FormError[] {
  return Object.entries(errors).map(([name, message]) => ({ name, label: labels[name] ?? inWords(name), message }));
}

function inWords(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
