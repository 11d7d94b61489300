import { TextField } from "@farthing/ui/forms/text-field.tsx";

/** What was typed of a bank account. */
export interface TypedPayee {
  payee_name: string;
  sort_code: string;
  account_number: string;
}

/** Returns what was typed of a bank account, for the page that says what is wrong with it. */
export function typedPayee(typed: (name: string) => string): TypedPayee {
  return {
    payee_name: typed("payee_name").slice(0, 200),
    sort_code: typed("sort_code").slice(0, 20),
    account_number: typed("account_number").slice(0, 20),
  };
}

/** The UK bank account that the money is sent to. */
export function PayeeFields({ values, isRequired }: { values: TypedPayee; isRequired: boolean }) {
  return (
    <>
      <TextField
        name="payee_name"
        label="Name on the account"
        autoComplete="name"
        required={isRequired}
        maxLength={70}
        defaultValue={values.payee_name}
      />
      <div className="payee-numbers">
        <TextField
          name="sort_code"
          label="Sort code"
          autoComplete="off"
          inputMode="numeric"
          required={isRequired}
          maxLength={12}
          pattern="[0-9\s\-\u2010-\u2015]{6,12}"
          placeholder="00-00-00"
          title="Six digits, like 20-00-00."
          defaultValue={values.sort_code}
        />
        <TextField
          name="account_number"
          label="Account number"
          autoComplete="off"
          inputMode="numeric"
          required={isRequired}
          maxLength={12}
          pattern="[0-9\s]{8,12}"
          title="Eight digits. If yours is shorter, put zeros in front."
          defaultValue={values.account_number}
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
  account: "Where your money goes",
  sure: "I am sure",
};
