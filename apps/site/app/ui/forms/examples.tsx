import type { AdditionalField } from "@farthing/core/member-types/additional-fields.ts";
import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import type { PartExamples } from "@farthing/ui/examples.ts";
import { AdditionalFields } from "./additional-fields.tsx";
import { HalfFilled } from "./half-filled.tsx";
import { LoadingButton, LoadingLink } from "./loading-button.tsx";
import { NewPasswordField } from "./new-password-field.tsx";

const question: AdditionalField = {
  name: "school",
  label: "School or trust",
  help: "As on your payslip.",
  kind: "text",
  choices: [],
  isRequired: true,
  isOrganisationDetail: true,
  autocomplete: "organization",
};

export const examples: PartExamples = {
  "additional-fields": [
    {
      name: "Every kind",
      render: () => (
        <AdditionalFields
          fields={[
            { ...question, name: "ends", label: "Contract ends", kind: "month", isOrganisationDetail: false },
            { ...question, name: "since", label: "Member since", kind: "date", isOrganisationDetail: false, help: "" },
            { ...question, name: "union", label: "I am in a union", kind: "checkbox", isOrganisationDetail: false },
            question,
            { ...question, name: "work", label: "Work e-mail", kind: "email", isRequired: false },
            { ...question, name: "phase", label: "Phase", kind: "select", choices: ["Primary", "Secondary"] },
          ]}
        />
      ),
    },
    {
      name: "With an error",
      render: () => (
        <AdditionalFields
          fields={[{ ...question, name: "wrong", isOrganisationDetail: false }]}
          errors={{ additional_wrong: "Use at most 120 characters." }}
        />
      ),
    },
    {
      name: "Organisation details hidden",
      note: "Draws nothing: the block is hidden and disabled.",
      render: () => <AdditionalFields fields={[{ ...question, name: "hidden" }]} hidesOrganisationDetails />,
    },
  ],
  "loading-button": [
    {
      name: "Submit button",
      note: "Press it: it is disabled with a spinner for half a second, then the form is sent.",
      render: () => (
        <form action="/examples/forms">
          <LoadingButton>Save</LoadingButton>
        </form>
      ),
    },
    {
      name: "Asks for patience",
      render: () => (
        <form action="/examples/forms">
          <LoadingButton asksForPatience className="is-quiet">
            Send your proof of membership
          </LoadingButton>
        </form>
      ),
    },
    { name: "Link", render: () => <LoadingLink href="/examples/forms">Continue</LoadingLink> },
    {
      name: "Link to a new tab, long text",
      render: () => (
        <LoadingLink href="/examples/forms" opensNewTab>
          Get 12.5% cashback at The Great Northern Haberdashery and Outfitting Company
        </LoadingLink>
      ),
    },
  ],
  "half-filled": [
    {
      name: "Before a form",
      note: "Draws nothing at first. Type into the field and load the page again: it says that the form holds what you typed.",
      render: () => (
        <>
          <HalfFilled name="example" form="half-filled-example" />
          <CheckedForm id="half-filled-example" action="/examples/forms">
            <TextField name="half_filled" label="Full name" autoComplete="off" defaultValue="Robin Kitchen" />
          </CheckedForm>
        </>
      ),
    },
  ],
  "new-password-field": [
    {
      name: "Empty",
      note: "Type into it: the label's colour says whether the password meets the rule.",
      render: () => (
        <CheckedForm action="/examples/forms">
          <NewPasswordField />
        </CheckedForm>
      ),
    },
  ],
};
