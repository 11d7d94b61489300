import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { island } from "../../islands/island.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";

/** The first code of an authenticator app, which turns two-step sign-in on. */
function TwoStepForm({ action, errors }: { action: string; errors: Record<string, string> | undefined }) {
  return (
    <CheckedForm action={action} errors={errors} labels={{ code: "Code" }} className="security-form">
      <input type="hidden" name="intent" value="turn-on" />
      <TextField
        name="code"
        label="Code"
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        maxLength={10}
        pattern="[0-9 ]{6,8}"
        title="Six digits"
      />
      <LoadingButton>Turn on</LoadingButton>
    </CheckedForm>
  );
}

export default island("two-step-form", TwoStepForm);
