import { z } from "zod";

const LIMIT_HINT = "is a whole number from 1 to 100";

/** The parameters that every list of the partners' API takes. */
export const pagingParameters = {
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, LIMIT_HINT)
    .transform(Number)
    .pipe(z.int().max(100, LIMIT_HINT))
    .default(20)
    .describe("The number of entries of a page: 1 to 100, 20 by default."),
  cursor: z.string().max(100).optional().describe("nextCursor of the page before. Without it, the newest entries."),
};

/** The same, of a list whose cursor is an id. */
export const uuidPaging = {
  ...pagingParameters,
  cursor: z
    .uuid("is a nextCursor of this list")
    .optional()
    .describe(pagingParameters.cursor.description ?? ""),
};

export const nextCursorSchema = z
  .string()
  .nullable()
  .describe("Send it as cursor for the next page; null on the last page.");

/** A moment as RFC 3339 writes it, in UTC or with an offset. */
export const momentParameter = z.iso.datetime({ offset: true, error: "is a moment such as 2026-11-20T10:00:00Z" });
