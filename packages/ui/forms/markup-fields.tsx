import { ERROR_MARK } from "@farthing/core/forms/rules.ts";
import { type FocusEvent, type FormEvent, type ReactNode, use, useEffect, useRef } from "react";
import { FieldErrorsContext } from "./field-errors.ts";
import { completeDate, takeWholeYear } from "./typed-date.ts";

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
  const own = {
    ref: block,
    className: "markup-fields",
    onInput: ({ target }: FormEvent) => isTypedDate(target) && completeDate(target),
    onFocus: ({ target }: FocusEvent) => isTypedDate(target) && takeWholeYear(target),
  };
  return html === null ? (
    <div key="page" {...own}>
      {children}
    </div>
  ) : (
    <div key="sent" {...own} dangerouslySetInnerHTML={{ __html: html }} />
  );
}

/** Whether it is a field that behaves as DateField does. */
function isTypedDate(target: EventTarget): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.dataset["typedDate"] !== undefined;
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
