import { giftDesigns, type Gift } from "@farthing/core/gift-cards/gift.ts";
import type { GiftProblems, TypedGift } from "./read-gift.ts";
import { designNames } from "./portal-words.ts";

/** The form of a present: who gets the card, in which words and when. */
export function GiftForm({
  line,
  gift,
  typed,
  problems = {},
  days,
}: {
  line: string;
  /** What the line says now. */
  gift: Gift | null;
  /** What was typed and refused. */
  typed: TypedGift | null;
  problems?: GiftProblems | undefined;
  /** The first and the last day on which it can be sent, `YYYY-MM-DD`. */
  days: { first: string; last: string };
}) {
  const value = typed ?? gift;
  const fieldOf = (name: keyof TypedGift) => ({
    id: `${name}-${line}`,
    "aria-invalid": problems[name] ? (true as const) : undefined,
    "aria-describedby": problems[name] ? `${name}-${line}-error` : undefined,
  });
  return (
    <form method="post" action={`/portal/basket?present=${line}#line-${line}`} className="portal-gift">
      <input type="hidden" name="line" value={line} />
      {Object.keys(problems).length > 0 && (
        <p className="notice is-bad" role="alert">
          The present is not saved yet. Look at what is marked below.
        </p>
      )}
      <div className="field">
        <label htmlFor={`recipientName-${line}`}>Their name</label>
        <input
          {...fieldOf("recipientName")}
          name="recipient_name"
          autoComplete="off"
          required
          maxLength={60}
          defaultValue={value?.recipientName}
        />
        <Problem id={`recipientName-${line}`} text={problems.recipientName} />
      </div>
      <div className="field">
        <label htmlFor={`recipientEmail-${line}`}>Their e-mail address</label>
        <input
          {...fieldOf("recipientEmail")}
          name="recipient_email"
          type="email"
          autoComplete="off"
          required
          maxLength={254}
          defaultValue={value?.recipientEmail}
        />
        <Problem id={`recipientEmail-${line}`} text={problems.recipientEmail} />
      </div>
      <div className="field">
        <label htmlFor={`message-${line}`}>
          Message<span className="field-optional"> (optional)</span>
        </label>
        <textarea
          {...fieldOf("message")}
          name="message"
          className="portal-message"
          rows={3}
          maxLength={500}
          defaultValue={value?.message}
        />
        <Problem id={`message-${line}`} text={problems.message} />
      </div>
      <div className="portal-gift-row">
        <div className="field">
          <label htmlFor={`design-${line}`}>Design</label>
          <select {...fieldOf("design")} name="design" className="select" defaultValue={value?.design ?? "birthday"}>
            {giftDesigns.map((design) => (
              <option key={design} value={design}>
                {designNames[design]}
              </option>
            ))}
          </select>
          <Problem id={`design-${line}`} text={problems.design} />
        </div>
        <div className="field">
          <label htmlFor={`sendOn-${line}`}>
            Send it on<span className="field-optional"> (empty: at once)</span>
          </label>
          <input
            {...fieldOf("sendOn")}
            name="send_on"
            type="date"
            min={days.first}
            max={days.last}
            defaultValue={value?.sendOn ?? ""}
          />
          <Problem id={`sendOn-${line}`} text={problems.sendOn} />
        </div>
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

function Problem({ id, text }: { id: string; text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p id={`${id}-error`} className="field-error">
      {text}
    </p>
  );
}
