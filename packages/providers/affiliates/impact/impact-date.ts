import { z } from "zod";

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})$/;

/**
 * Reads Impact's dates, `2021-04-25T02:07:45-04:00`: local time of the account with its offset, which changes with daylight saving. A date without an
 * offset could be any of 24 hours, so it is refused. Empty text is null: Impact has no other way of saying "not yet".
 */
export const impactDate = z
  .string({ error: "is not a date" })
  .nullish()
  .transform((text, context) => {
    if (text === null || text === undefined || text.trim() === "") return null;
    const moment = new Date(text.trim());
    if (ISO.test(text.trim()) && !Number.isNaN(moment.getTime())) return moment;
    context.addIssue({ code: "custom", message: "is not a date with an offset" });
    return z.NEVER;
  });

/** Formats a moment for Impact's filters: whole seconds in UTC. */
export function impactInstant(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}
