import { markedLabel } from "@farthing/core/forms/rules.ts";
import { type ClipboardEvent, type HTMLInputAutoCompleteAttribute, type ReactNode, useRef } from "react";
import { useFieldError } from "./field-errors.ts";
import { fieldDescription, FieldFrame } from "./field-frame.tsx";
import { useOwnCheck, valueBeside } from "./use-own-check.ts";

export interface TextFieldProps {
  name: string;
  label: string;
  /** The name, unless another field of the page has it. */
  id?: string;
  type?: "text" | "email" | "tel" | "url" | "month" | "search";
  /** Always said, "off" included: people fill forms with what their browser knows of them. */
  autoComplete: HTMLInputAutoCompleteAttribute;
  required?: boolean;
  defaultValue?: string | undefined;
  help?: ReactNode;
  /** The server's message, where the form around does not bring it. */
  error?: string | undefined;
  /** Closes the field to pasting. Never on passwords, codes or anything a password manager fills (product.md Y2). */
  noPaste?: boolean;
  /** The name and label of the field that this one has to repeat. */
  repeats?: { name: string; label: string };
  /** A rule of its own: what is wrong with a text, or "". Asked where there is one. */
  check?: (text: string) => string;
  placeholder?: string;
  /** The placeholder stands in for the label, which is still there for those who hear the page. */
  isLabelHidden?: boolean;
  inputMode?: "text" | "email" | "numeric" | "decimal" | "tel" | "url";
  autoCapitalize?: "none" | "words" | "characters";
  maxLength?: number;
  minLength?: number;
  pattern?: string;
  /** What the browser says where the pattern is not met. */
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
