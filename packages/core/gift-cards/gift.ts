import { z } from "zod";
import { recipientSchema } from "../mails/recipient.ts";
import { londonDate } from "../registration/rules.ts";

/** The looks that a present can have. */
export const giftDesigns = ["birthday", "thanks", "celebration", "plain"] as const;
export type GiftDesign = (typeof giftDesigns)[number];

/** How far ahead a present can be sent, in days. */
export const MAX_GIFT_DAYS = 365;

/** A line break is allowed in a message; other control characters would reach the mail. */
// oxlint-disable-next-line no-control-regex -- control characters are what it refuses
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f]/;

/** A card as a present: who gets it, with which words, and when. */
export const giftSchema = z.object({
  recipientName: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .refine((name) => !/\p{Cc}/u.test(name)),
  recipientEmail: z.string().trim().pipe(recipientSchema),
  message: z
    .string()
    .transform((text) => text.replaceAll(/\r\n?/g, "\n").trim())
    .pipe(
      z
        .string()
        .max(500)
        .refine((text) => !CONTROL.test(text)),
    ),
  design: z.enum(giftDesigns),
  /** A day in London, `YYYY-MM-DD`; null: at once. */
  sendOn: z.iso.date().nullable(),
});

export type Gift = z.infer<typeof giftSchema>;

/**
 * Returns why a present can't be sent on a London day; null: it can. Days are `YYYY-MM-DD`.
 * @param expiresOn the card's last day; null: it has none, or it is not known yet
 */
export function sendDayProblem(
  sendOn: string | null,
  now: Date,
  expiresOn: string | null = null,
): "past" | "too-far" | "card-over" | null {
  const today = londonDate(now);
  if (sendOn !== null && sendOn < today) return "past";
  if (expiresOn !== null && (sendOn ?? today) > expiresOn) return "card-over";
  if (sendOn === null) return null;
  return Date.parse(sendOn) - Date.parse(today) > MAX_GIFT_DAYS * 86_400_000 ? "too-far" : null;
}
