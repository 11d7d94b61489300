import type { AdditionalField } from "@farthing/core/member-types/additional-fields.ts";
import { describe, expect, test } from "vitest";
import { additionalFieldsMarkup } from "./additional-fields-markup.server.tsx";

const NAME = "additional_thing";
const HOSTILE = `"><script>alert('1')</script>&amp;`;

const field = (changes: Partial<AdditionalField>): AdditionalField => ({
  name: "thing",
  label: "Thing",
  help: "",
  kind: "text",
  choices: [],
  isRequired: false,
  isOrganisationDetail: false,
  autocomplete: "off",
  ...changes,
});

const entities: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'", "&amp;": "&" };
const unescaped = (text: string) => text.replace(/&(lt|gt|quot|#x27|amp);/g, (entity) => entities[entity] ?? entity);

/** Returns the attributes of the only input or select, their names in lower case as HTML has them. */
function control(markup: string): Record<string, string> {
  const [, text = ""] = /<(?:input|select)\b([^>]*?)\/?>/.exec(markup) ?? [];
  const attributes = text.matchAll(/([\w-]+)(?:="([^"]*)")?/g);
  return Object.fromEntries([...attributes].map(([, key = "", value = ""]) => [key.toLowerCase(), unescaped(value)]));
}

describe("Y6 the markup of additional fields", () => {
  const same = { id: NAME, name: NAME, "data-label": "Thing" };

  test("Y6 a text has its help, its autocomplete token and a length limit, and keeps what was typed", () => {
    const markup = additionalFieldsMarkup({
      fields: [field({ help: "As on your <payslip>.", autocomplete: "organization" })],
      values: { [NAME]: HOSTILE },
    });
    expect(control(markup)).toEqual({
      ...same,
      type: "text",
      maxlength: "120",
      autocomplete: "organization",
      value: HOSTILE,
      "aria-describedby": `${NAME}-help`,
    });
    expect(markup).toContain(`<label for="${NAME}">Thing<span class="field-optional"> (optional)</span></label>`);
    expect(markup).toContain(`<p id="${NAME}-help" class="field-help">As on your &lt;payslip&gt;.</p>`);
    expect(markup).not.toContain("<script");
  });

  test("Y6 M3 an error is marked at the label, tied to the control and shown below it", () => {
    const markup = additionalFieldsMarkup({ fields: [field({ help: "Help." })], errors: { [NAME]: "Enter a & b." } });
    expect(markup).toMatch(/^<div class="field has-error">.*<span class="field-mark"> \*\*<\/span><\/label>/);
    expect(control(markup)).toMatchObject({
      "aria-invalid": "true",
      "aria-describedby": `${NAME}-help ${NAME}-error`,
    });
    expect(markup).toContain(`<p id="${NAME}-error" class="field-error">Enter a &amp; b.</p></div>`);
  });

  test("Y6 an e-mail address brings up its keyboard and is not corrected", () => {
    const fields = [field({ kind: "email", isRequired: true, autocomplete: "work email" })];
    const markup = additionalFieldsMarkup({ fields });
    expect(control(markup)).toEqual({
      ...same,
      type: "email",
      required: "",
      maxlength: "120",
      inputmode: "email",
      autocapitalize: "none",
      autocorrect: "off",
      spellcheck: "false",
      autocomplete: "work email",
      value: "",
    });
    expect(markup).not.toContain("(optional)");
  });

  test("Y6 a choice starts with an empty option and keeps the one that was chosen", () => {
    const choices = ["One & only", `Two "2"`];
    const markup = additionalFieldsMarkup({
      fields: [field({ kind: "select", choices, isRequired: true })],
      values: { [NAME]: `Two "2"` },
    });
    expect(control(markup)).toEqual({ ...same, class: "select", required: "", autocomplete: "off" });
    expect(markup).toContain(
      '<option value="">Choose one</option><option value="One &amp; only">One &amp; only</option>' +
        '<option value="Two &quot;2&quot;" selected="">Two &quot;2&quot;</option></select>',
    );
  });

  test("Y6 a month can be typed where the browser has no field for months", () => {
    expect(control(additionalFieldsMarkup({ fields: [field({ kind: "month" })] }))).toEqual({
      ...same,
      type: "month",
      maxlength: "7",
      placeholder: "2027-07",
      autocomplete: "off",
      value: "",
    });
  });

  test("Y6 M3 a date is typed as DD-MM-YY, and the page's script recognises its field", () => {
    const fields = [field({ kind: "date" })];
    expect(control(additionalFieldsMarkup({ fields, values: { [NAME]: "05-11-26" } }))).toEqual({
      ...same,
      type: "text",
      inputmode: "numeric",
      class: "is-short",
      maxlength: "8",
      pattern: expect.any(String),
      title: expect.any(String),
      autocomplete: "off",
      "data-typed-date": "true",
      value: "05-11-26",
    });
  });

  test("Y6 a box to tick stands before its label, and stays ticked", () => {
    const fields = [field({ kind: "checkbox", help: "Tick." })];
    const markup = additionalFieldsMarkup({ fields, values: { [NAME]: "yes" } });
    expect(control(markup)).toEqual({
      ...same,
      type: "checkbox",
      value: "yes",
      checked: "",
      "aria-describedby": `${NAME}-help`,
    });
    expect(markup).toMatch(
      /^<div class="field is-checkbox"><input[^>]*><label for="additional_thing">Thing<\/label><p/,
    );
    expect(control(additionalFieldsMarkup({ fields }))).not.toHaveProperty("checked");
  });

  test("Y6 S1 texts of a definition are escaped everywhere", () => {
    const fields = [field({ label: HOSTILE, help: HOSTILE, kind: "select", choices: [HOSTILE] })];
    const markup = additionalFieldsMarkup({ fields });
    expect(markup).not.toMatch(/<script|alert\('1'\)/);
    expect(markup.match(/&quot;&gt;&lt;script&gt;/g)?.length).toBeGreaterThanOrEqual(4);
  });

  test("M1 the organisation details are one block, hidden and disabled where the status hides them", () => {
    const fields = [field({ name: "a" }), field({ name: "b", isOrganisationDetail: true })];
    expect(additionalFieldsMarkup({ fields })).toMatch(
      /name="additional_a".*<fieldset class="organisation-details"><legend>Organisation details<\/legend>.*name="additional_b".*<\/fieldset>$/,
    );
    expect(additionalFieldsMarkup({ fields, hidesOrganisationDetails: true })).toMatch(
      /<fieldset class="organisation-details" hidden="" disabled="">/,
    );
    expect(additionalFieldsMarkup({ fields: fields.slice(0, 1) })).not.toContain("fieldset");
  });
});
