import { TextField } from "@farthing/ui/forms/text-field.tsx";

/** The UK bank account that the money is sent to. */
export function PayeeFields({ name, isRequired }: { name: string; isRequired: boolean }) {
  return (
    <>
      <TextField
        name="payee_name"
        label="Name on the account"
        autoComplete="name"
        required={isRequired}
        maxLength={70}
        defaultValue={name}
      />
      <div className="payee-numbers">
        <TextField
          name="sort_code"
          label="Sort code"
          autoComplete="off"
          inputMode="numeric"
          required={isRequired}
          maxLength={12}
          pattern="[0-9 \-]{6,12}"
          title="Six digits, like 20-00-00."
        />
        <TextField
          name="account_number"
          label="Account number"
          autoComplete="off"
          inputMode="numeric"
          required={isRequired}
          maxLength={12}
          pattern="[0-9 ]{8,12}"
          title="Eight digits. If yours is shorter, put zeros in front."
        />
      </div>
    </>
  );
}

/** The names of the fields in the error summary. */
export const payeeLabels = {
  payee_name: "Name on the account",
  sort_code: "Sort code",
  account_number: "Account number",
  sure: "I am sure",
};
