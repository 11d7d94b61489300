import type { PartExamples } from "../examples.ts";
import { CheckboxField } from "./checkbox-field.tsx";
import { CheckedForm } from "./checked-form.tsx";
import { DateField } from "./date-field.tsx";
import { DateSelects } from "./date-selects.tsx";
import { ErrorSummary } from "./error-summary.tsx";
import { Field } from "./field.tsx";
import { FileField } from "./file-field.tsx";
import { MarkupFields } from "./markup-fields.tsx";
import { PasswordField } from "./password-field.tsx";
import { RadioField } from "./radio-field.tsx";
import { SelectField } from "./select-field.tsx";
import { TextField } from "./text-field.tsx";

const LONG_LABEL =
  "The name of the school, trust, academy, college or other employer as it stands on your latest payslip";
const YEARS = { first: 2008, last: 1906 };
const ROLES = [
  { value: "teacher", label: "Class teacher" },
  { value: "head", label: "Head of department, of year or of a phase in a school with more than one site" },
];

export const examples: PartExamples = {
  field: [
    {
      name: "Control of its own",
      note: "Field ties any control to its label, help and error.",
      render: () => (
        <Field name="field-plain" label="Any control" help="Help stands between label and control.">
          {(control) => <input {...control} defaultValue="A value" />}
        </Field>
      ),
    },
    {
      name: "Required, with an error",
      render: () => (
        <Field name="field-error" label="Any control" required error="Enter something.">
          {(control) => <input {...control} />}
        </Field>
      ),
    },
  ],
  "text-field": [
    {
      name: "Required, with help",
      render: () => <TextField name="text-plain" label="Name" autoComplete="off" required help="As on your card." />,
    },
    { name: "Optional", render: () => <TextField name="text-optional" label="Member ID" autoComplete="off" /> },
    {
      name: "Error",
      render: () => (
        <TextField
          name="text-error"
          label="Email"
          type="email"
          autoComplete="off"
          required
          defaultValue="ada@example"
          help="Your own, not one that you share."
          error="Enter an e-mail address like name@example.org."
        />
      ),
    },
    {
      name: "Long label, value and error",
      render: () => (
        <TextField
          name="text-long"
          label={LONG_LABEL}
          autoComplete="off"
          defaultValue={"Averylongvaluewithoutanyspaces".repeat(4)}
          error={"This is not what we have. ".repeat(5)}
        />
      ),
    },
    {
      name: "Hidden label",
      render: () => (
        <TextField name="text-hidden" label="Code" autoComplete="off" required isLabelHidden placeholder="Your code" />
      ),
    },
  ],
  "password-field": [
    {
      name: "Log in",
      render: () => <PasswordField name="password-login" label="Password" autoComplete="current-password" />,
    },
    {
      name: "New password",
      note: "Type into it: the label says whether the password meets the rule.",
      render: () => <PasswordField name="password-new" label="Password" autoComplete="new-password" showsRule />,
    },
    {
      name: "Error",
      render: () => (
        <PasswordField
          name="password-error"
          label="Confirm password"
          autoComplete="new-password"
          error="The passwords are not the same."
        />
      ),
    },
  ],
  "select-field": [
    { name: "Required", render: () => <SelectField name="select-plain" label="Job role" required choices={ROLES} /> },
    {
      name: "Groups, chosen, optional",
      render: () => (
        <SelectField
          name="select-groups"
          label="Job role"
          defaultValue="head"
          choices={[
            { label: "Teaching", choices: ROLES },
            { label: "Support", choices: [{ value: "tutor", label: "Tutor" }] },
          ]}
        />
      ),
    },
    {
      name: "Error, no choices",
      render: () => (
        <SelectField name="select-error" label="Job category" required choices={[]} error="Choose one of the list." />
      ),
    },
  ],
  "checkbox-field": [
    {
      name: "Required, with a link and help",
      render: () => (
        <CheckboxField name="box-terms" label="Terms" required help="Opens in a new tab.">
          I accept the <a href="/legal/terms">terms</a>.
        </CheckboxField>
      ),
    },
    {
      name: "Ticked",
      render: () => <CheckboxField name="box-ticked" label="Send me offers by e-mail" defaultChecked />,
    },
    {
      name: "Error, long text",
      render: () => (
        <CheckboxField name="box-error" label="Consent" required error="Tick the box to go on.">
          {"I agree that my proof of membership is kept for as long as it is needed to check it. ".repeat(2)}
        </CheckboxField>
      ),
    },
  ],
  "radio-field": [
    {
      name: "With explanations",
      render: () => (
        <RadioField
          name="radio-plain"
          label="£12.34 is yours"
          choices={[
            { value: "pay-out", label: "Pay it to my bank account", help: "Before the account is closed." },
            { value: "give-up", label: "Leave it with the club", help: "You give it up." },
          ]}
        />
      ),
    },
    {
      name: "Error",
      render: () => (
        <RadioField
          name="radio-error"
          label="What are you sending?"
          choices={[
            { value: "payslip", label: "Payslip" },
            { value: "card", label: "Staff card" },
          ]}
          defaultValue=""
          error="Choose one."
        />
      ),
    },
  ],
  "date-field": [
    {
      name: "Empty",
      note: "Type 5 11 26: the dashes and the zero are inserted.",
      render: () => <DateField name="date-plain" label="Member since" />,
    },
    {
      name: "Error",
      render: () => (
        <DateField
          name="date-error"
          label="Member since"
          required
          defaultValue="31-02-26"
          error="Enter a date like 05-11-26."
        />
      ),
    },
  ],
  "date-selects": [
    {
      name: "Date of birth",
      render: () => (
        <DateSelects
          name="born"
          prefix="born"
          legend="Date of birth"
          autoComplete="bday"
          required
          years={YEARS}
          help="You have to be 18 or older."
        />
      ),
    },
    {
      name: "Error",
      render: () => (
        <DateSelects
          name="born-wrong"
          prefix="born-wrong"
          legend="Date of birth"
          years={YEARS}
          defaultValue={{ day: "31", month: "2", year: "1990" }}
          error="There is no such day. Check day and month."
        />
      ),
    },
  ],
  "file-field": [
    {
      name: "Empty",
      render: () => (
        <FileField name="file-plain" label="Your photo or PDF" accept="image/png" required help="Up to 20 MB." />
      ),
    },
    {
      name: "Error",
      render: () => (
        <FileField
          name="file-error"
          label="Your photo or PDF"
          accept="image/png"
          required
          error="This file is larger than 20 MB. Take the picture again with a lower resolution."
        />
      ),
    },
  ],
  "error-summary": [
    {
      name: "One error",
      render: () => (
        <ErrorSummary errors={[{ name: "text-error", label: "Email", message: "Enter an e-mail address." }]} />
      ),
    },
    {
      name: "Many errors",
      render: () => (
        <ErrorSummary
          errors={[
            { name: "text-plain", label: "Name", message: "** This is a required field" },
            { name: "select-error", label: "Job category", message: "Choose one of the list." },
            { name: "text-long", label: LONG_LABEL, message: "Use at most 120 characters." },
          ]}
        />
      ),
    },
    { name: "No error", note: "Draws nothing.", render: () => <ErrorSummary errors={[]} /> },
  ],
  "checked-form": [
    {
      name: "Empty",
      note: "Send it without a name: the error is listed and marked, and nothing is sent.",
      render: () => (
        <CheckedForm action="">
          <TextField name="form-name" label="Name" autoComplete="off" required />
          <button type="submit" className="button">
            Send
          </button>
        </CheckedForm>
      ),
    },
    {
      name: "Refused by the server",
      isWholePage: true,
      render: () => (
        <CheckedForm
          action=""
          errors={{ "refused-name": "** This is a required field", "refused-role": "Choose one of the list." }}
          labels={{ "refused-name": "Name", "refused-role": "Job role" }}
        >
          <TextField name="refused-name" label="Name" autoComplete="off" required />
          <SelectField name="refused-role" label="Job role" choices={ROLES} required />
        </CheckedForm>
      ),
    },
  ],
  "markup-fields": [
    {
      name: "Fields that the server rendered",
      render: () => (
        <MarkupFields
          html={
            '<div class="field"><label for="markup-thing">School or trust</label>' +
            '<input id="markup-thing" name="markup-thing" data-label="School or trust" required=""/></div>'
          }
        />
      ),
    },
  ],
};
