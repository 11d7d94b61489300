import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { island } from "../../islands/island.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";

function AddEmailForm({
  action,
  typed,
  errors,
}: {
  action: string;
  /** What was typed, where the page is shown again. */
  typed: string | undefined;
  errors: Record<string, string> | undefined;
}) {
  return (
    <CheckedForm id="add-email" action={action} errors={errors} labels={{ email: "Email" }} className="security-form">
      <input type="hidden" name="intent" value="add" />
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="email"
        required
        defaultValue={typed}
        help="One that you keep when you change jobs is best."
      />
      <LoadingButton>Add the address</LoadingButton>
    </CheckedForm>
  );
}

export default island("add-email-form", AddEmailForm);
