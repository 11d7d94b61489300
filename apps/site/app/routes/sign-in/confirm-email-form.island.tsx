import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { PasswordField } from "@farthing/ui/forms/password-field.tsx";
import { island } from "../../islands/island.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";

/** The form on another device, or in another browser, than the one that registered: it asks for a password too. */
function ConfirmEmailForm({
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
      action="/confirm-email"
      errors={errors}
      labels={{ password: "Password", password_confirmation: "Confirm password" }}
    >
      <input type="hidden" name="token" value={token} />
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField name="password" label="Password" autoComplete="new-password" showsRule />
      <PasswordField
        name="password_confirmation"
        label="Confirm password"
        autoComplete="new-password"
        showsRule
        repeats="password"
      />
      <LoadingButton className="is-large is-wide">Confirm email</LoadingButton>
    </CheckedForm>
  );
}

export default island("confirm-email-form", ConfirmEmailForm);
