import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { island } from "../../islands/island.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { payeeLabels } from "../closures/payee-fields.tsx";

interface Values {
  payee_name: string;
  sort_code: string;
  account_number: string;
}

/** The form for a bank account. It keeps what was typed, and the server's messages stand at their fields. */
function BankDetailsForm({
  action,
  values,
  errors,
}: {
  action: string;
  values: Values;
  errors: Record<string, string>;
}) {
  return (
    <CheckedForm action={action} errors={errors} labels={payeeLabels} className="closing-form">
      <TextField
        name="payee_name"
        label="Name on the account"
        autoComplete="name"
        required
        maxLength={70}
        defaultValue={values.payee_name}
      />
      <div className="payee-numbers">
        <TextField
          name="sort_code"
          label="Sort code"
          autoComplete="off"
          inputMode="numeric"
          required
          maxLength={12}
          pattern="[0-9 \-]{6,12}"
          placeholder="00-00-00"
          title="Six digits, like 20-00-00."
          defaultValue={values.sort_code}
        />
        <TextField
          name="account_number"
          label="Account number"
          autoComplete="off"
          inputMode="numeric"
          required
          maxLength={12}
          pattern="[0-9 ]{8,12}"
          title="Eight digits. If yours is shorter, put zeros in front."
          defaultValue={values.account_number}
        />
      </div>
      <p>
        <LoadingButton>Save the bank details</LoadingButton>
      </p>
    </CheckedForm>
  );
}

export default island("bank-details-form", BankDetailsForm);
