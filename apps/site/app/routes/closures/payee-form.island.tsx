import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { island } from "../../islands/island.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { PayeeFields, payeeLabels, type TypedPayee } from "./payee-fields.tsx";

/** Where the money goes of an account that is being closed. */
function PayeeForm({ action, values, errors }: { action: string; values: TypedPayee; errors: Record<string, string> }) {
  return (
    <CheckedForm action={action} errors={errors} labels={payeeLabels} className="closing-form">
      <input type="hidden" name="intent" value="payee" />
      <PayeeFields values={values} isRequired />
      <p>
        <LoadingButton>Save the bank details</LoadingButton>
      </p>
    </CheckedForm>
  );
}

export default island("payee-form", PayeeForm);
