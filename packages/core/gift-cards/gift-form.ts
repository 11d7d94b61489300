/** The form of a present (G6). */
import { REQUIRED_MESSAGE, type FieldErrors } from "../forms/rules.ts";
import { longDate } from "../mails/long-date.ts";
import { giftSchema, MAX_GIFT_DAYS, sendDayProblem, type Gift } from "./gift.ts";

/** A present's values as its form shows them again. */
export type TypedGift = Record<"recipient_name" | "recipient_email" | "message" | "design" | "send_on", string>;

/** Returns what was typed, cut to what the fields take and a little more, so that nothing is lost. */
export function typedGift(form: FormData): TypedGift {
  const text = (name: string, longest: number) => {
    const value = form.get(name);
    return typeof value === "string" ? value.slice(0, longest) : "";
  };
  return {
    recipient_name: text("recipient_name", 200).trim(),
    recipient_email: text("recipient_email", 300).trim(),
    message: text("message", 2000),
    design: text("design", 20),
    send_on: text("send_on", 20).trim(),
  };
}

/** Returns the values that a present's form shows of a gift. */
export function valuesOf(gift: Gift): TypedGift {
  return {
    recipient_name: gift.recipientName,
    recipient_email: gift.recipientEmail,
    message: gift.message,
    design: gift.design,
    send_on: gift.sendOn ?? "",
  };
}

const messages: Readonly<Record<string, readonly [field: keyof TypedGift, message: string]>> = {
  recipientName: ["recipient_name", "Use at most 60 letters."],
  recipientEmail: ["recipient_email", "Enter an e-mail address like name@example.org."],
  message: ["message", "Use at most 500 letters."],
  design: ["design", "Choose one of the list."],
  sendOn: ["send_on", "Enter a day, or leave it empty."],
};

/**
 * Reads a present from its form.
 * @param expiresOn the card's last day (YYYY-MM-DD); null: it has none
 */
export function readGift(
  values: TypedGift,
  now: Date,
  expiresOn: string | null,
): { value: Gift; errors: null } | { value: null; errors: FieldErrors } {
  const read = giftSchema.safeParse({
    ...{ recipientName: values.recipient_name, recipientEmail: values.recipient_email, message: values.message },
    ...{ design: values.design, sendOn: values.send_on === "" ? null : values.send_on },
  });
  const errors: FieldErrors = {};
  for (const { path } of read.error?.issues ?? []) {
    const [field, message] = messages[String(path[0])] ?? ["message", "Check this."];
    errors[field] ??= values[field] === "" && field !== "message" ? REQUIRED_MESSAGE : message;
  }
  const problem = read.success ? sendDayProblem(read.data.sendOn, now, expiresOn) : null;
  if (problem === "past") errors["send_on"] = "This day is past. Choose today or a later day.";
  if (problem === "too-far") errors["send_on"] = `Choose a day within ${MAX_GIFT_DAYS} days.`;
  if (problem === "card-over" && expiresOn !== null)
    errors["send_on"] = `Choose a day before the card ends, ${longDate(expiresOn)}.`;
  if (!read.success || problem !== null) return { value: null, errors };
  return { value: read.data, errors: null };
}
