import { z } from "zod";

const DATE = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/;

/**
 * Reads Partnerize's dates, `2020-03-08 17:18:33`: local time of the zone that the report was asked in, which is always UTC. Empty text and the zero date
 * `0000-00-00 00:00:00` are null.
 */
export const partnerizeDate = z
  .string({ error: "is not a date" })
  .nullish()
  .transform((text, context) => {
    if (text === null || text === undefined || text.trim() === "" || text.startsWith("0000-00-00")) return null;
    const moment = DATE.test(text) ? new Date(`${text.replace(" ", "T")}Z`) : new Date(Number.NaN);
    // A day such as 31 February would roll over into the next month.
    if (!Number.isNaN(moment.getTime()) && partnerizeInstant(moment) === text) return moment;
    context.addIssue({ code: "custom", message: "is not a date and time such as 2020-03-08 17:18:33" });
    return z.NEVER;
  });

/** Formats a moment as Partnerize does, in UTC. */
export function partnerizeInstant(moment: Date): string {
  return Number.isNaN(moment.getTime()) ? "" : moment.toISOString().slice(0, 19).replace("T", " ");
}
