import escapeHtml from "escape-html";
import { errorMark, longestTypedDate, typedDatePattern, type FieldErrors } from "../forms/rules.ts";
import { inputName, longestAnswer, type AdditionalField } from "./additional-fields.ts";

export interface MarkupOptions {
  /** What was typed so far, by the names of the inputs. */
  values?: Readonly<Record<string, string>>;
  errors?: FieldErrors;
  /** The block is in the markup all the same, switched off: another status brings it back. */
  hidesOrganisationDetails?: boolean;
}

/**
 * The additional fields as HTML: what /api/additional-fields answers and what the page is rendered with (product.md Y6). It is the markup that
 * packages/ui/forms makes, which a test there holds it to. Everything that comes from data or from a person is escaped.
 */
export function additionalFieldsMarkup(fields: readonly AdditionalField[], options: MarkupOptions = {}): string {
  const render = (field: AdditionalField) => fieldMarkup(field, options);
  const general = fields.filter((field) => !field.isOrganisationDetail);
  const details = fields.filter((field) => field.isOrganisationDetail);
  const off = options.hidesOrganisationDetails ? " hidden disabled" : "";
  const block =
    details.length === 0
      ? ""
      : `<fieldset class="organisation-details"${off}><legend>Organisation details</legend>${details.map(render).join("")}</fieldset>`;
  return general.map(render).join("") + block;
}

function fieldMarkup(field: AdditionalField, { values = {}, errors = {} }: MarkupOptions): string {
  const name = inputName(field);
  const error = Object.hasOwn(errors, name) ? errors[name] : undefined;
  const value = Object.hasOwn(values, name) ? (values[name] ?? "") : "";
  const help = field.help && `<p id="${name}-help" class="field-help">${escapeHtml(field.help)}</p>`;
  const problem = error === undefined ? "" : `<p id="${name}-error" class="field-error">${escapeHtml(error)}</p>`;
  const mark = error === undefined ? "" : `<span class="field-mark"> ${errorMark}</span>`;
  const optional =
    field.isRequired || field.kind === "checkbox" ? "" : '<span class="field-optional"> (optional)</span>';
  const label = `<label for="${name}">${escapeHtml(field.label)}${optional}${mark}</label>`;
  const control = controlMarkup(field, value, {
    id: name,
    name,
    required: field.isRequired,
    "data-label": field.label,
    "aria-invalid": error === undefined ? undefined : "true",
    "aria-describedby":
      [field.help && `${name}-help`, error !== undefined && `${name}-error`].filter(Boolean).join(" ") || undefined,
  });
  const state = error === undefined ? "" : " has-error";
  return field.kind === "checkbox"
    ? `<div class="field is-checkbox${state}">${control}${label}${help}${problem}</div>`
    : `<div class="field${state}">${label}${help}${control}${problem}</div>`;
}

type Attributes = Record<string, string | number | boolean | undefined>;

function controlMarkup(field: AdditionalField, value: string, common: Attributes): string {
  if (field.kind === "select") return selectMarkup(field, value, common);
  if (field.kind === "checkbox")
    return tag("input", { ...common, type: "checkbox", value: "yes", checked: value !== "" });
  return tag("input", { ...common, ...inputs[field.kind], autocomplete: field.autocomplete, value });
}

const inputs: Record<"text" | "email" | "month" | "date", Attributes> = {
  text: { type: "text", maxlength: longestAnswer },
  email: {
    type: "email",
    maxlength: longestAnswer,
    inputmode: "email",
    autocapitalize: "none",
    autocorrect: "off",
    spellcheck: "false",
  },
  month: { type: "month", maxlength: 7, placeholder: "2027-07" },
  date: {
    type: "text",
    inputmode: "numeric",
    class: "is-short",
    maxlength: longestTypedDate,
    pattern: typedDatePattern,
    title: "Day, month and year, like 05-11-26.",
    "data-typed-date": "true",
  },
};

function selectMarkup({ choices, autocomplete }: AdditionalField, value: string, common: Attributes): string {
  const options = choices
    .map(
      (choice) => `<option${attributes({ value: choice, selected: choice === value })}>${escapeHtml(choice)}</option>`,
    )
    .join("");
  return `${tag("select", { ...common, class: "select", autocomplete })}<option value="">Choose one</option>${options}</select>`;
}

function tag(name: string, all: Attributes): string {
  return `<${name}${attributes(all)}>`;
}

function attributes(all: Attributes): string {
  return Object.entries(all)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => (value === true ? ` ${name}=""` : ` ${name}="${escapeHtml(String(value))}"`))
    .join("");
}
