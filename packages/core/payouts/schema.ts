import { z } from "zod";

/** A hold of a member's payouts, as it is typed. */
export const newHoldSchema = z
  .object({
    member_number: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z0-9]{4,40}$/, "Enter the member’s number, letters and digits only."),
    reason: z.string().trim().min(3, "Say why, in 3 to 500 characters.").max(500, "Say why, in 3 to 500 characters."),
  })
  .transform(({ member_number: memberNumber, reason }) => ({ memberNumber, reason }));
