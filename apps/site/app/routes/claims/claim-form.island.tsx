import { MAX_TYPED_ORDER, MAX_WORDS, TYPED_ORDER_PATTERN } from "@farthing/core/claims/form-limits.ts";
import type { TypedClaim } from "@farthing/core/claims/schema.ts";
import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { DateField } from "@farthing/ui/forms/date-field.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { island } from "../../islands/island.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";

const labels = {
  order_number: "Order number",
  purchased_on: "Day of the purchase",
  amount: "What you paid",
  words: "What is wrong",
};

/** What a member says of a purchase. It keeps what was typed, and the server's messages stand at their fields. */
function ClaimForm({
  action,
  values,
  errors,
  fixedOrder,
  asksForWords,
  button,
}: {
  action: string;
  values: TypedClaim;
  errors: Record<string, string>;
  /** The order number that the retailer has reported, which the claim keeps. */
  fixedOrder: string | null;
  asksForWords: boolean;
  button: string;
}) {
  return (
    <CheckedForm id="claim" action={action} errors={errors} labels={labels} className="closing-form">
      {fixedOrder === null ? (
        <TextField
          name="order_number"
          label={labels.order_number}
          help="As it stands in the order confirmation."
          autoComplete="off"
          required
          maxLength={MAX_TYPED_ORDER}
          pattern={TYPED_ORDER_PATTERN}
          title="Letters, digits and signs, at most 60."
          defaultValue={values.order_number}
        />
      ) : (
        <input type="hidden" name="order_number" value={fixedOrder} />
      )}
      <DateField name="purchased_on" label={labels.purchased_on} required defaultValue={values.purchased_on} />
      <TextField
        name="amount"
        label={labels.amount}
        help="The whole order in pounds, like 24.99."
        autoComplete="off"
        inputMode="decimal"
        required
        maxLength={14}
        defaultValue={values.amount}
      />
      {asksForWords && (
        <TextField
          name="words"
          label={labels.words}
          help="One or two sentences, without your name or address."
          autoComplete="off"
          maxLength={MAX_WORDS}
          defaultValue={values.words}
        />
      )}
      <p>
        <LoadingButton>{button}</LoadingButton>
      </p>
    </CheckedForm>
  );
}

export default island("claim-form", ClaimForm);
