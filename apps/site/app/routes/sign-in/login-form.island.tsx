import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { PasswordField } from "@farthing/ui/forms/password-field.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { island } from "../../islands/island.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";

function LoginForm({
  next,
  email,
  errors,
}: {
  next: string;
  email: string | undefined;
  errors: Record<string, string> | undefined;
}) {
  return (
    <CheckedForm action="/login" errors={errors} labels={{ email: "Email", password: "Password" }}>
      <input type="hidden" name="next" value={next} />
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="username webauthn"
        required
        defaultValue={email}
      />
      <PasswordField name="password" label="Password" autoComplete="current-password" />
      <p className="login-forgotten">
        <a href="/forgotten-password">Forgotten password?</a>
      </p>
      <LoadingButton className="is-large is-wide">Log in</LoadingButton>
    </CheckedForm>
  );
}

export default island("login-form", LoginForm);
