import { markedLabel } from "@farthing/core/forms/rules.ts";
import { type ClipboardEvent, type HTMLInputAutoCompleteAttribute, useRef } from "react";
import { Field, type FieldProps } from "./field.tsx";
import { useOwnCheck, valueBeside } from "./use-own-check.ts";

export interface TextFieldProps extends Pick<FieldProps, "name" | "label" | "id" | "required" | "help" | "error"> {
  type?: "text" | "email" | "tel" | "url" | "month" | "search";
  /** Required, "off" included: browsers fill forms with what they know of a person. */
  autoComplete: HTMLInputAutoCompleteAttribute;
  defaultValue?: string | undefined;
  /** Blocks pasting and dropping. Never on passwords, codes or anything a password manager fills (Y2). */
  noPaste?: boolean;
  /** The name and label of the field whose value this one repeats. */
  repeats?: { name: string; label: string };
  /** A rule beyond the browser's own: returns the message for a text, or "". Not called for an empty field. */
  check?: (text: string) => string;
  placeholder?: string;
  /** The placeholder stands in for the label, which screen readers still announce. */
  isLabelHidden?: boolean;
  inputMode?: "text" | "email" | "numeric" | "decimal" | "tel" | "url";
  autoCapitalize?: "none" | "words" | "characters";
  maxLength?: number;
  minLength?: number;
  pattern?: string;
  /** Stands after the browser's message where the pattern is not met. */
  title?: string;
}

/** One line of text. */
export function TextField({
  name,
  label,
  id = name,
  type = "text",
  required = false,
  help,
  error,
  noPaste = false,
  repeats,
  check,
  placeholder,
  isLabelHidden = false,
  maxLength = type === "email" ? 254 : 200,
  ...rest
}: TextFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useOwnCheck(input, (control) => {
    if (control.value === "") return "";
    if (repeats && comparable(control.value) !== comparable(valueBeside(control, repeats.name)))
      return `This is not the same as ${repeats.label}.`;
    return check?.(control.value) ?? "";
  });
  const isEmail = type === "email";
  return (
    <Field {...{ name, label, id, required, help, error, isLabelHidden }}>
      {(control, shownError) => (
        <input
          {...control}
          ref={input}
          type={type}
          maxLength={maxLength}
          placeholder={isLabelHidden && shownError ? markedLabel(placeholder ?? label) : placeholder}
          data-no-paste={noPaste || undefined}
          {...(isEmail ? { inputMode: "email", autoCapitalize: "none", autoCorrect: "off", spellCheck: false } : {})}
          {...rest}
          {...(noPaste ? { onPaste: refuse, onDrop: refuse } : {})}
        />
      )}
    </Field>
  );
}

/** Addresses are compared without regard to capitals, as on the server. */
function comparable(text: string): string {
  return text.trim().normalize("NFC").toLowerCase();
}

function refuse(event: ClipboardEvent | React.DragEvent) {
  event.preventDefault();
}
