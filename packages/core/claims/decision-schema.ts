/** Forms with which operators decide about a claim (C7). */
import { z } from "zod";
import { DECLINE_REASONS, type DeclineReason } from "../networks/decline-reason.ts";

const MAX_NOTE = 500;
const noteSchema = z
  .string()
  .trim()
  .max(MAX_NOTE, `Use at most ${MAX_NOTE} characters: the member reads all of it.`)
  .default("")
  .transform((note) => note || null);

export const acceptSchema = z.object({ answer: noteSchema });

export const declineSchema = z
  .object({
    reason: z.enum(Object.keys(DECLINE_REASONS) as [DeclineReason, ...DeclineReason[]], "Choose a reason."),
    note: noteSchema,
  })
  .refine(({ reason, note }) => reason !== "other" || note !== null, {
    path: ["note"],
    message: "“Other” explains nothing by itself: add what the retailer wrote.",
  });

export const askSchema = z.object({
  asked: z
    .string()
    .trim()
    .min(1, "Say what the member should add.")
    .max(MAX_NOTE, `Use at most ${MAX_NOTE} characters: the member reads all of it.`),
});

export const appealForMemberSchema = z.object({
  words: z
    .string()
    .trim()
    .min(1, "Say what the member says against the decision.")
    .max(1000, "Use at most 1,000 characters: the retailer reads all of it."),
});
