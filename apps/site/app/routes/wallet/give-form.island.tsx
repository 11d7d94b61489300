import type { TypedGift } from "@farthing/core/gift-cards/gift-form.ts";
import { CheckedForm } from "@farthing/ui/forms/checked-form.tsx";
import { Field } from "@farthing/ui/forms/field.tsx";
import { SelectField } from "@farthing/ui/forms/select-field.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { island } from "../../islands/island.tsx";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";

const labels = {
  recipient_name: "Your friend’s name",
  recipient_email: "Your friend’s e-mail address",
  message: "Your words",
  design: "Occasion",
  send_on: "Send it on",
};

/** Who gets a card, with which words, and when. It keeps what was typed. */
function GiveForm({
  action,
  intent,
  values,
  errors,
  designs,
  days,
  button,
}: {
  action: string;
  intent: "give" | "change";
  values: TypedGift;
  errors: Record<string, string>;
  designs: { value: string; label: string }[];
  /** The first and the last day that can be chosen: YYYY-MM-DD. */
  days: { first: string; last: string };
  button: string;
}) {
  return (
    <CheckedForm id="give" action={action} errors={errors} labels={labels} className="closing-form">
      <input type="hidden" name="intent" value={intent} />
      <TextField
        name="recipient_name"
        label={labels.recipient_name}
        autoComplete="off"
        required
        maxLength={60}
        defaultValue={values.recipient_name}
      />
      <TextField
        name="recipient_email"
        label={labels.recipient_email}
        help="We write to it about this present only, and remove it 30 days after the present is opened."
        type="email"
        autoComplete="off"
        required
        defaultValue={values.recipient_email}
      />
      <SelectField
        name="design"
        label={labels.design}
        required
        emptyLabel={null}
        choices={designs}
        defaultValue={values.design}
      />
      <Field name="message" label={labels.message} help="At most 500 letters. They stand in the mail.">
        {(control) => (
          <textarea {...control} rows={4} maxLength={500} autoComplete="off" defaultValue={values.message} />
        )}
      </Field>
      <Field name="send_on" label={labels.send_on} help="At 8 in the morning. Left empty, it is sent at once.">
        {(control) => (
          <input
            {...control}
            type="date"
            className="is-short"
            autoComplete="off"
            min={days.first}
            max={days.last}
            defaultValue={values.send_on}
          />
        )}
      </Field>
      <p>
        <LoadingButton>{button}</LoadingButton>
      </p>
    </CheckedForm>
  );
}

export default island("give-form", GiveForm);
