import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { PasswordField } from "@farthing/ui/forms/password-field.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { island } from "../../islands/island.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";

/** Everything that a login asks for, but the address, which is known. */
function AgainForm({
  next,
  email,
  asksForCode,
  errors,
}: {
  next: string;
  email: string;
  asksForCode: boolean;
  errors: Record<string, string> | undefined;
}) {
  return (
    <CheckedForm action="/login/again" errors={errors} labels={{ password: "Password", code: "Code" }}>
      <input type="hidden" name="next" value={next} />
      {/* Tells password managers whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField name="password" label="Password" autoComplete="current-password" />
      {asksForCode && (
        <TextField
          name="code"
          label="Code"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          required
          maxLength={20}
          help="The six digits that your authenticator app shows, or one of your recovery codes."
        />
      )}
      <LoadingButton className="is-large is-wide">Continue</LoadingButton>
    </CheckedForm>
  );
}

export default island("again-form", AgainForm);
