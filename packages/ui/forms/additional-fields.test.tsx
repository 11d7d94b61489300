import type { AdditionalField } from "@farthing/core/members/registration/additional-fields.ts";
import { additionalFieldsMarkup } from "@farthing/core/members/registration/additional-fields-markup.ts";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { CheckboxField } from "./checkbox-field.tsx";
import { CheckedForm } from "./checked-form.tsx";
import { DateField } from "./date-field.tsx";
import { SelectField } from "./select-field.tsx";
import { TextField } from "./text-field.tsx";

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

/** Returns markup with sorted, lower-case attributes, without the attributes that only one of the two renderers writes for the script. */
function comparable(html: string): string {
  return html
    .replace(/<(\w+)([^>]*?)\/?>/g, (_, name: string, attributes: string) => {
      const sorted = [...attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)]
        .map(([, key = "", value = ""]) => `${key.toLowerCase()}="${value}"`)
        .filter((text) => !/^(data-typed-date|value)="(true)?"$/.test(text))
        .sort();
      return `<${[name, ...sorted].join(" ")}>`;
    })
    .replaceAll("&#39;", "&#x27;");
}

const rendered = (errors: Record<string, string>, children: React.ReactNode) => {
  const html = renderToStaticMarkup(
    <CheckedForm action="/x" errors={errors}>
      {children}
    </CheckedForm>,
  );
  return comparable(html.slice(html.lastIndexOf('<div class="field')).replace("</form>", ""));
};

describe("Y6 additional fields have the same markup as our own fields", () => {
  const name = "additional_thing";
  const errors = { [name]: "Enter a & b." };
  const hostile = `"><script>alert('1')</script>&amp;`;
  const same = { name, id: name };

  test.each([{}, errors])("Y6 a line of text, with errors %j", (with_) => {
    const markup = additionalFieldsMarkup([field({ help: "As on your <payslip>.", autocomplete: "organization" })], {
      values: { [name]: hostile },
      errors: with_,
    });
    expect(comparable(markup)).toBe(
      rendered(
        with_,
        <TextField
          {...same}
          label="Thing"
          help="As on your <payslip>."
          autoComplete="organization"
          maxLength={120}
          defaultValue={hostile}
        />,
      ),
    );
    expect(markup).not.toContain("<script");
  });

  test("Y6 an e-mail address", () => {
    const markup = additionalFieldsMarkup([field({ kind: "email", isRequired: true, autocomplete: "work email" })]);
    expect(comparable(markup)).toBe(
      rendered(
        {},
        <TextField {...same} label="Thing" type="email" autoComplete="work email" maxLength={120} required />,
      ),
    );
  });

  test.each([{}, errors])("Y6 a choice, with errors %j", (with_) => {
    const choices = ["One & only", `Two "2"`];
    const markup = additionalFieldsMarkup([field({ kind: "select", choices, isRequired: true })], {
      values: { [name]: `Two "2"` },
      errors: with_,
    });
    const select = (
      <SelectField
        {...same}
        label="Thing"
        required
        choices={choices.map((choice) => ({ value: choice, label: choice }))}
        defaultValue={`Two "2"`}
      />
    );
    expect(comparable(markup)).toBe(rendered(with_, select));
  });

  test("Y6 a month, a typed date and a checkbox", () => {
    const month = additionalFieldsMarkup([field({ kind: "month" })]);
    expect(comparable(month)).toBe(
      rendered(
        {},
        <TextField {...same} label="Thing" type="month" autoComplete="off" maxLength={7} placeholder="2027-07" />,
      ),
    );
    const date = additionalFieldsMarkup([field({ kind: "date", help: "When?" })], { values: { [name]: "05-11-26" } });
    expect(comparable(date)).toBe(
      rendered({}, <DateField {...same} label="Thing" help="When?" defaultValue="05-11-26" />),
    );
    const box = additionalFieldsMarkup([field({ kind: "checkbox", help: "Tick." })], {
      values: { [name]: "yes" },
      errors,
    });
    expect(comparable(box)).toBe(
      rendered(errors, <CheckboxField {...same} label="Thing" help="Tick." defaultChecked />),
    );
  });

  test("Y6 text in an operator's definition is escaped", () => {
    const markup = additionalFieldsMarkup([
      field({ label: hostile, help: hostile, kind: "select", choices: [hostile], autocomplete: "off" }),
    ]);
    expect(markup).not.toMatch(/<script|alert\('1'\)/);
    expect(markup.match(/&quot;&gt;&lt;script&gt;/g)?.length).toBeGreaterThanOrEqual(4);
  });

  test("M1 the organisation's details are one block, disabled if the status hides them", () => {
    const fields = [field({ name: "a" }), field({ name: "b", isOrganisationDetail: true })];
    expect(additionalFieldsMarkup(fields)).toMatch(
      /name="additional_a".*<fieldset class="organisation-details"><legend>Organisation details<\/legend>.*name="additional_b".*<\/fieldset>$/,
    );
    expect(additionalFieldsMarkup(fields, { hidesOrganisationDetails: true })).toContain(
      '<fieldset class="organisation-details" hidden disabled>',
    );
    expect(additionalFieldsMarkup([fields[0] ?? field({})])).not.toContain("fieldset");
  });
});
