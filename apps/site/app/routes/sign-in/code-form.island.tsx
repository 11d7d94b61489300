import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { island } from "../../islands/island.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";

/** The second step of a login. */
function CodeForm({ errors }: { errors: Record<string, string> | undefined }) {
  return (
    <CheckedForm action="/login/code" errors={errors} labels={{ code: "Code" }}>
      <TextField
        name="code"
        label="Code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        required
        maxLength={20}
        help="No phone to hand? Type one of your recovery codes instead."
      />
      <LoadingButton className="is-large is-wide">Continue</LoadingButton>
    </CheckedForm>
  );
}

export default island("code-form", CodeForm);
