import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { island } from "../../islands/island.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { PayeeFields, payeeLabels, type TypedPayee } from "../closures/payee-fields.tsx";

/** The form for a bank account. It keeps what was typed, and the server's messages stand at their fields. */
function BankDetailsForm({
  action,
  values,
  errors,
}: {
  action: string;
  values: TypedPayee;
  errors: Record<string, string>;
}) {
  return (
    <CheckedForm action={action} errors={errors} labels={payeeLabels} className="closing-form">
      <PayeeFields values={values} isRequired />
      <p>
        <LoadingButton>Save the bank details</LoadingButton>
      </p>
    </CheckedForm>
  );
}

export default island("bank-details-form", BankDetailsForm);
