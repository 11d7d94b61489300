import { markedLabel } from "@farthing/core/forms/rules.ts";
import { type ClipboardEvent, type HTMLInputAutoCompleteAttribute, type ReactNode, useRef } from "react";
import { useFieldError } from "./field-errors.ts";
import { fieldDescription, FieldFrame } from "./field-frame.tsx";
import { useOwnCheck, valueBeside } from "./use-own-check.ts";

export interface TextFieldProps {
  name: string;
  label: string;
  /** Default: the name. Set it if another field of the page has the same name. */
  id?: string;
  type?: "text" | "email" | "tel" | "url" | "month" | "search";
  /** Required, even if it is "off", because people rely on autofill. */
  autoComplete: HTMLInputAutoCompleteAttribute;
  required?: boolean;
  defaultValue?: string | undefined;
  help?: ReactNode;
  /** The server's error message, if no CheckedForm provides it. */
  error?: string | undefined;
  /** Refuses pasting. Never set it on passwords, codes or anything that a password manager fills (Y2). */
  noPaste?: boolean;
  /** The name and label of the field that this one must repeat. */
  repeats?: { name: string; label: string };
  /** A custom rule: returns an error message for a non-empty text, or "". */
  check?: (text: string) => string;
  placeholder?: string;
  /** Whether the label is visually hidden; the placeholder replaces it, and screen readers still announce it. */
  isLabelHidden?: boolean;
  inputMode?: "text" | "email" | "numeric" | "decimal" | "tel" | "url";
  autoCapitalize?: "none" | "words" | "characters";
  maxLength?: number;
  minLength?: number;
  pattern?: string;
  /** The browser's message if the pattern does not match. */
  title?: string;
}

/** A single-line text field. */
export function TextField({
  name,
  label,
  id = name,
  type = "text",
  required = false,
  help,
  error: ownError,
  noPaste = false,
  repeats,
  check,
  placeholder,
  isLabelHidden = false,
  maxLength = type === "email" ? 254 : 200,
  ...rest
}: TextFieldProps) {
  const error = useFieldError(name, ownError);
  const input = useRef<HTMLInputElement>(null);
  useOwnCheck(input, (control) => {
    if (control.value === "") return "";
    if (repeats && control.value.trim() !== valueBeside(control, repeats.name).trim())
      return `This is not the same as ${repeats.label}.`;
    return check?.(control.value) ?? "";
  });
  const isEmail = type === "email";
  return (
    <FieldFrame id={id} label={label} isRequired={required} help={help} error={error} isLabelHidden={isLabelHidden}>
      <input
        ref={input}
        id={id}
        name={name}
        type={type}
        required={required}
        maxLength={maxLength}
        placeholder={isLabelHidden && error ? markedLabel(placeholder ?? label) : placeholder}
        data-label={label}
        data-no-paste={noPaste || undefined}
        aria-invalid={error ? true : undefined}
        aria-describedby={fieldDescription(id, { help, error })}
        {...(isEmail ? { inputMode: "email", autoCapitalize: "none", autoCorrect: "off", spellCheck: false } : {})}
        {...rest}
        {...(noPaste ? { onPaste: refuse, onDrop: refuse } : {})}
      />
    </FieldFrame>
  );
}

function refuse(event: ClipboardEvent | React.DragEvent) {
  event.preventDefault();
}
