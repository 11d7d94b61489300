import { REQUIRED_MESSAGE } from "@farthing/core/forms/rules.ts";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { CheckboxField } from "./checkbox-field.tsx";
import { CheckedForm } from "./checked-form.tsx";
import { DateField } from "./date-field.tsx";
import { DateSelects } from "./date-selects.tsx";
import { PasswordField } from "./password-field.tsx";
import { SelectField } from "./select-field.tsx";
import { TextField } from "./text-field.tsx";

const tagOf = (html: string, name: string, id: string) =>
  new RegExp(`<${name}\\b[^>]*\\bid="${id}"[^>]*>`).exec(html)?.[0] ?? "";

describe("fields as the server renders them", () => {
  test("M3 an invalid field has ** at its label, aria-invalid, a message tied to it, and a link in the summary", () => {
    const html = renderToStaticMarkup(
      <CheckedForm
        action="/somewhere"
        errors={{ email: REQUIRED_MESSAGE, job_role: "Choose a role of this category." }}
        labels={{ email: "Email" }}
      >
        <TextField name="email" label="Email" type="email" autoComplete="email" required help="Your own." />
        <SelectField name="job_role" label="Job role" choices={[{ value: "1", label: "Tutor" }]} />
        <TextField name="name" label="Name" autoComplete="name" required />
      </CheckedForm>,
    );
    expect(html).toMatch(/<label for="email">Email<span class="field-mark"> \*\*<\/span><\/label>/);
    expect(tagOf(html, "input", "email")).toMatch(/aria-invalid="true" aria-describedby="email-help email-error"/);
    expect(html).toContain(`<p id="email-error" class="field-error">${REQUIRED_MESSAGE}</p>`);
    expect(html).toMatch(/role="alert"[\s\S]*<a href="#email">Email<\/a> \*\* This is a required field/);
    expect(html).toMatch(/<a href="#job_role">Job role<\/a>: Choose a role of this category\./);
    expect(tagOf(html, "input", "name")).not.toContain("aria-invalid");
    // Until the script has loaded, the browser validates and shows its own messages.
    expect(html).not.toMatch(/novalidate/i);
  });

  test("M3 a field with a hidden label shows the mark in its placeholder", () => {
    const html = renderToStaticMarkup(
      <TextField
        name="code"
        label="Code"
        autoComplete="off"
        isLabelHidden
        placeholder="Your code"
        error="No."
        required
      />,
    );
    expect(tagOf(html, "input", "code")).toContain('placeholder="Your code **"');
  });

  test("U1 M2 every field has a label and an autocomplete token", () => {
    const html = renderToStaticMarkup(
      <>
        <TextField name="email" label="Email" type="email" autoComplete="username" required />
        <PasswordField name="password" label="Password" autoComplete="new-password" showsRule />
        <DateSelects
          name="date_of_birth"
          prefix="dob"
          legend="Date of birth"
          autoComplete="bday"
          years={{ first: 2010, last: 1906 }}
          required
        />
        <CheckboxField name="terms" label="Terms" required />
      </>,
    );
    for (const control of html.match(/<(input|select)\b[^>]*>/g) ?? []) {
      const id = /\bid="([^"]+)"/.exec(control)?.[1];
      if (/type="hidden"/.test(control)) continue;
      expect(html, control).toContain(`for="${id}"`);
      if (!/type="checkbox"/.test(control)) expect(control).toMatch(/autocomplete="(?!off)/i);
    }
    expect(html).not.toMatch(/checked=""/);
  });

  test("M3 a date of birth is three selects and a hidden field with the whole date", () => {
    const html = renderToStaticMarkup(
      <DateSelects
        name="date_of_birth"
        prefix="dob"
        legend="Date of birth"
        years={{ first: 2010, last: 1906 }}
        defaultValue={{ day: "5", month: "11", year: "1988" }}
      />,
    );
    for (const name of ["dob_day", "dob_month", "dob_year"]) expect(html).toContain(`name="${name}"`);
    expect(html).toContain('<input type="hidden" name="date_of_birth" value="05-11-1988"/>');
    // The summary of errors puts a colon after a field's name.
    expect(tagOf(html, "select", "dob_day")).toContain('data-label="Date of birth, day"');
  });

  test("M3 a typed date takes at most eight characters", () => {
    expect(renderToStaticMarkup(<DateField name="since" label="Since" />)).toMatch(/maxLength="8"/);
  });

  test("Y2 noPaste blocks pasting into a text field, and a password field has no such option", () => {
    expect(
      renderToStaticMarkup(<TextField name="again" label="Confirm email" autoComplete="email" noPaste />),
    ).toContain("data-no-paste");
    expect(
      renderToStaticMarkup(<PasswordField name="p" label="Password" autoComplete="new-password" showsRule />),
    ).not.toContain("no-paste");
  });
});
