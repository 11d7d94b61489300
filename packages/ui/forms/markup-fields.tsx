import { ERROR_MARK } from "@farthing/core/forms/rules.ts";
import { type ClipboardEvent, type FormEvent, type ReactNode, use, useEffect, useRef } from "react";
import { FieldErrorsContext } from "./field-errors.ts";
import { completeDate, limitByScript, pasteDate } from "./typed-date.ts";

/**
 * Fields that our own renderer sent as HTML (Y6), with the errors of the form around them. React does not touch the
 * inside, so typed values survive. Fieldsets that match the selector `hides` are hidden and disabled: not validated and
 * not sent.
 */
export function MarkupFields({
  html,
  hides,
  children,
}: {
  /** Null where the fields are part of the page already: they are the children then. */
  html: string | null;
  hides?: string | undefined;
  children?: ReactNode;
}) {
  const errors = use(FieldErrorsContext);
  const block = useRef<HTMLDivElement>(null);
  useEffect(() => {
    for (const control of block.current?.querySelectorAll<HTMLInputElement>("[data-label]") ?? [])
      showError(control, Object.hasOwn(errors, control.name) ? errors[control.name] : undefined);
  }, [errors, html]);
  useEffect(() => {
    for (const fieldset of block.current?.querySelectorAll("fieldset") ?? []) {
      fieldset.hidden = hides !== undefined && fieldset.matches(hides);
      fieldset.disabled = fieldset.hidden;
    }
  }, [hides, html]);
  useEffect(() => {
    for (const date of block.current?.querySelectorAll<HTMLInputElement>(TYPED_DATES) ?? []) limitByScript(date);
  }, [html]);
  const own = {
    ref: block,
    className: "markup-fields",
    onInput: ({ target }: FormEvent) => isTypedDate(target) && completeDate(target),
    onPaste: (event: ClipboardEvent) => isTypedDate(event.target) && pasteDate(event, event.target),
  };
  return html === null ? (
    <div key="page" {...own}>
      {children}
    </div>
  ) : (
    <div key="sent" {...own} dangerouslySetInnerHTML={{ __html: html }} />
  );
}

/** The fields that behave as DateField does. */
const TYPED_DATES = "[data-typed-date]";

function isTypedDate(target: EventTarget): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.matches(TYPED_DATES);
}

function showError(control: HTMLInputElement, message: string | undefined): void {
  const field = control.closest(".field");
  const label = field?.querySelector("label");
  if (!field || !label) return;
  field.classList.toggle("has-error", message !== undefined);
  label.querySelector(".field-mark")?.remove();
  field.querySelector(".field-error")?.remove();
  const described = (control.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
  const errorId = `${control.id}-error`;
  const others = described.filter((id) => id !== errorId);
  if (message === undefined) {
    control.removeAttribute("aria-invalid");
    setOrRemove(control, "aria-describedby", others.join(" "));
    return;
  }
  label.append(element("span", { className: "field-mark", textContent: ` ${ERROR_MARK}` }));
  field.append(element("p", { id: errorId, className: "field-error", textContent: message }));
  control.setAttribute("aria-invalid", "true");
  control.setAttribute("aria-describedby", [...others, errorId].join(" "));
}

function element<Name extends "span" | "p">(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties);
}

function setOrRemove(control: Element, name: string, value: string): void {
  if (value === "") control.removeAttribute(name);
  else control.setAttribute(name, value);
}
