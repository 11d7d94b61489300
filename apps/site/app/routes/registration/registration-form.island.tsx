import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { PasswordField } from "@farthing/ui/forms/password-field.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { island } from "../../islands/island.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { NewPasswordField } from "../../ui/forms/new-password-field.tsx";
import type { TypeChoice } from "./details-view.server.ts";
import { TypeFields } from "./type-fields.tsx";

const labels = {
  member_type: "Member type",
  member_status: "Member status",
  email: "Email",
  email_confirmation: "Confirm email",
  password: "Password",
  password_confirmation: "Confirm password",
};

/** Step one. What was typed comes back where the page is shown again, but for the passwords. */
function RegistrationForm({
  types,
  type = "",
  status = "",
  email,
  confirmation,
  errors,
}: {
  types: TypeChoice[];
  type: string | undefined;
  status: string | undefined;
  email: string | undefined;
  confirmation: string | undefined;
  errors: Record<string, string> | undefined;
}) {
  return (
    <CheckedForm id="registration" action="/register" errors={errors} labels={labels} className="registration-form">
      <TypeFields types={types} type={type} status={status} />
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="email"
        required
        defaultValue={email}
        help="A private address is best: you keep it when you change jobs."
      />
      <TextField
        name="email_confirmation"
        label="Confirm email"
        type="email"
        autoComplete="email"
        required
        noPaste
        repeats={{ name: "email", label: "Email" }}
        defaultValue={confirmation}
        help="Type it once more. Pasting is off here, so that a slip is noticed."
      />
      <NewPasswordField emailField="email" />
      <PasswordField
        name="password_confirmation"
        label="Confirm password"
        autoComplete="new-password"
        showsRule
        repeats="password"
      />
      <LoadingButton className="is-large is-wide">Continue</LoadingButton>
    </CheckedForm>
  );
}

export default island("registration-form", RegistrationForm);
