import { giftDesigns, type Gift } from "@farthing/core/gift-cards/gift.ts";
import { type TypedGift, valuesOf } from "@farthing/core/gift-cards/gift-form.ts";
import type { FieldErrors } from "@farthing/core/forms/rules.ts";
import { ErrorSummary } from "@farthing/ui/forms/error-summary.tsx";
import { Field } from "@farthing/ui/forms/field.tsx";
import { SelectField } from "@farthing/ui/forms/select-field.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { designNames } from "./portal-words.ts";

const labels: Record<keyof TypedGift, string> = {
  recipient_name: "Their name",
  recipient_email: "Their e-mail address",
  message: "Message",
  design: "Design",
  send_on: "Send it on",
};
const names = Object.keys(labels) as (keyof TypedGift)[];

/** The form of a present: who gets the card, in which words and when. */
export function GiftForm({
  line,
  gift,
  typed,
  errors = {},
  days,
}: {
  line: string;
  /** What the line says now. */
  gift: Gift | null;
  /** What was typed and refused. */
  typed: TypedGift | null;
  errors?: FieldErrors | undefined;
  /** The first and the last day on which it can be sent, `YYYY-MM-DD`. */
  days: { first: string; last: string };
}) {
  const values = typed ?? (gift && valuesOf(gift));
  const field = (name: keyof TypedGift) => ({
    name,
    id: `${name}-${line}`,
    label: labels[name],
    error: errors[name],
  });
  const listed = names.flatMap((name) => {
    const { id, label, error: message } = field(name);
    return message === undefined ? [] : [{ name, id, label, message }];
  });
  return (
    <form method="post" action={`/portal/basket?present=${line}#line-${line}`} className="portal-gift">
      <input type="hidden" name="line" value={line} />
      <ErrorSummary errors={listed} />
      <TextField
        {...field("recipient_name")}
        autoComplete="off"
        required
        maxLength={60}
        defaultValue={values?.recipient_name}
      />
      <TextField
        {...field("recipient_email")}
        type="email"
        autoComplete="off"
        required
        defaultValue={values?.recipient_email}
      />
      <Field {...field("message")}>
        {(control) => (
          <textarea
            {...control}
            className="portal-message"
            rows={3}
            maxLength={500}
            autoComplete="off"
            defaultValue={values?.message}
          />
        )}
      </Field>
      <div className="portal-gift-row">
        <SelectField
          {...field("design")}
          required
          emptyLabel={null}
          choices={giftDesigns.map((value) => ({ value, label: designNames[value] }))}
          defaultValue={values?.design ?? "birthday"}
        />
        <Field {...field("send_on")} help="Left empty, it is sent at once.">
          {(control) => (
            <input
              {...control}
              type="date"
              autoComplete="off"
              min={days.first}
              max={days.last}
              defaultValue={values?.send_on}
            />
          )}
        </Field>
      </div>
      <div className="portal-actions">
        <button type="submit" name="intent" value="gift" className="button">
          Save the present
        </button>
        {gift && (
          <button type="submit" name="intent" value="no-gift" className="button is-quiet" formNoValidate>
            Not a present
          </button>
        )}
      </div>
    </form>
  );
}
