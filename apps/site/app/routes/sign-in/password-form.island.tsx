import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { PasswordField } from "@farthing/ui/forms/password-field.tsx";
import { island } from "../../islands/island.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { NewPasswordField } from "../../ui/forms/new-password-field.tsx";

const labels = {
  present_password: "Present password",
  password: "Password",
  password_confirmation: "Confirm password",
};

/** The form in which members change their password. */
function PasswordForm({
  action,
  email,
  errors,
}: {
  action: string;
  email: string;
  errors: Record<string, string> | undefined;
}) {
  return (
    <CheckedForm action={action} errors={errors} labels={labels} className="security-form">
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField name="present_password" label="Present password" autoComplete="current-password" />
      <NewPasswordField emailField="username" />
      <PasswordField
        name="password_confirmation"
        label="Confirm password"
        autoComplete="new-password"
        showsRule
        repeats="password"
      />
      <LoadingButton>Change the password</LoadingButton>
    </CheckedForm>
  );
}

export default island("password-form", PasswordForm);
