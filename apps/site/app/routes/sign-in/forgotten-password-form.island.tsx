import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { island } from "../../islands/island.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";

function ForgottenPasswordForm({
  typed,
  errors,
}: {
  /** What was typed, where the page is shown again. */
  typed: string | undefined;
  errors: Record<string, string> | undefined;
}) {
  return (
    <CheckedForm action="/forgotten-password" errors={errors} labels={{ email: "Email" }}>
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        required
        defaultValue={typed}
        help="Any address that you have confirmed with us will do."
      />
      <LoadingButton className="is-large is-wide">Send the link</LoadingButton>
    </CheckedForm>
  );
}

export default island("forgotten-password-form", ForgottenPasswordForm);
