import { z } from "zod";
import { isReasonCode, type ReasonCode, rejectionReasons } from "./reasons.ts";

const note = z
  .string()
  .trim()
  .max(500, "Use at most 500 characters.")
  .optional()
  .transform((text) => text || null);

/** An operator's decision as it is posted: never a rejection without a reason, nor "other" without a note (M4). */
export const decisionSchema = z.discriminatedUnion("decision", [
  z.object({ decision: z.literal("accept") }).transform(() => ({ accept: true }) as const),
  z
    .object({
      decision: z.literal("reject"),
      reason: z
        .string("Choose a reason: the member gets it with an example of what would pass.")
        .refine(isReasonCode, "Choose a reason: the member gets it with an example of what would pass.")
        .transform((code) => code as ReasonCode),
      note,
    })
    .refine(({ reason, note: text }) => reason !== "other" || text !== null, {
      path: ["note"],
      message: `“${rejectionReasons.other.says}” explains nothing by itself: say what the member should do.`,
    })
    .transform(({ reason, note: text }) => ({ accept: false, reason, note: text }) as const),
]);
