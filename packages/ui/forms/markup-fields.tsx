import { errorMark } from "@farthing/core/forms/rules.ts";
import { use, useLayoutEffect, useRef } from "react";
import { FieldErrorsContext } from "./field-errors.ts";

/**
 * Fields that come as markup from our own renderer (product.md Y6), with the errors of the form around them. React leaves what is inside
 * alone, so that what a person has typed stays.
 */
export function MarkupFields({ html, className }: { html: string; className?: string }) {
  const errors = use(FieldErrorsContext);
  const block = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    for (const control of block.current?.querySelectorAll<HTMLInputElement>("[data-label]") ?? []) {
      showError(control, Object.hasOwn(errors, control.name) ? errors[control.name] : undefined);
    }
  }, [errors, html]);
  return <div ref={block} className={className} dangerouslySetInnerHTML={{ __html: html }} />;
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
  label.append(element("span", { className: "field-mark", textContent: ` ${errorMark}` }));
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
