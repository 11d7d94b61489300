import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { PasswordField } from "@farthing/ui/forms/password-field.tsx";
import { island } from "../../islands/island.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { NewPasswordField } from "../../ui/forms/new-password-field.tsx";

function ResetPasswordForm({
  token,
  email,
  errors,
}: {
  token: string;
  email: string;
  errors: Record<string, string> | undefined;
}) {
  return (
    <CheckedForm
      action="/reset-password"
      errors={errors}
      labels={{ password: "Password", password_confirmation: "Confirm password" }}
    >
      <input type="hidden" name="token" value={token} />
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField emailField="username" />
      <PasswordField
        name="password_confirmation"
        label="Confirm password"
        autoComplete="new-password"
        showsRule
        repeats="password"
      />
      <LoadingButton className="is-large is-wide">Set the password</LoadingButton>
    </CheckedForm>
  );
}

export default island("reset-password-form", ResetPasswordForm);
