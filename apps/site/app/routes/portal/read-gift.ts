import { giftSchema, MAX_GIFT_DAYS, sendDayProblem, type Gift } from "@farthing/core/gift-cards/gift.ts";
import { field } from "../sign-in/form-field.ts";

/** What a person typed about a present, as the form has it. */
export interface TypedGift {
  recipientName: string;
  recipientEmail: string;
  message: string;
  design: string;
  /** `YYYY-MM-DD`, or "" for at once. */
  sendOn: string;
}

export type GiftProblems = Partial<Record<keyof TypedGift, string>>;

const sentences: Record<keyof TypedGift, string> = {
  recipientName: "Enter their name, in at most 60 characters.",
  recipientEmail: "Enter their e-mail address, like sam@example.org.",
  message: "Shorten the message to at most 500 characters.",
  design: "Choose a design.",
  sendOn: "Choose a day, or leave it empty to send the card at once.",
};

/** Reads a present from a form. Returns it, or what to change about each field. */
export function readGift(
  form: FormData,
  now: Date,
): { ok: true; gift: Gift } | { ok: false; typed: TypedGift; problems: GiftProblems } {
  const typed: TypedGift = {
    recipientName: field(form, "recipient_name", 200),
    recipientEmail: field(form, "recipient_email", 300),
    message: field(form, "message", 2000),
    design: field(form, "design", 20),
    sendOn: field(form, "send_on", 20).trim(),
  };
  const read = giftSchema.safeParse({ ...typed, sendOn: typed.sendOn === "" ? null : typed.sendOn });
  const late = read.success ? sendDayProblem(read.data.sendOn, now) : null;
  if (read.success && late === null) return { ok: true, gift: read.data };
  const problems: GiftProblems = {};
  for (const { path } of read.error?.issues ?? []) {
    const name = path[0] as keyof TypedGift;
    problems[name] = sentences[name];
  }
  if (late === "past") problems.sendOn = "Choose today or a later day.";
  if (late === "too-far") problems.sendOn = `Choose a day within ${MAX_GIFT_DAYS} days.`;
  return { ok: false, typed, problems };
}
