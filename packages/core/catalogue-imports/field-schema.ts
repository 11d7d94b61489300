import { z } from "zod";

/** Field schemas that the file schemas share. Every message says what the value must be, so that it can be corrected. */

/**
 * Text of `min` to `max` characters, trimmed. Markup is kept as plain text: pages escape it.
 * NUL and lone surrogates are refused here because PostgreSQL can't store them.
 */
export function plainText(max: number, min = 1) {
  return z
    .string("must be text in quotes")
    .refine(
      (text) => text.isWellFormed() && !text.includes("\u0000"),
      "holds a character that can't be stored (NUL or half a surrogate pair); remove it",
    )
    .transform((text) => text.trim())
    .refine((text) => text.length >= min, "must not be empty")
    .refine((text) => text.length <= max, {
      error: (issue) => `is ${String(issue.input).length} characters long; shorten it to at most ${max}`,
    });
}

/** An absolute http or https URL without user information: nothing else may become a link (W5, Y4). */
export const httpUrl = z
  .string("must be text in quotes")
  .max(2000, "is longer than 2000 characters")
  .refine(isHttpUrl, "must be a full web address that starts with https:// or http://");

function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s\u0000-\u0020]+$/i.test(text) || !text.isWellFormed()) return false;
  const url = URL.parse(text);
  return (
    url !== null &&
    (url.protocol === "https:" || url.protocol === "http:") &&
    url.username === "" &&
    url.password === ""
  );
}

/** A host name, without scheme, port or path. */
export const validHost = z
  .string("must be text in quotes")
  .max(253)
  .regex(/^[^\s/\\@\u0000-\u0020]+$/, "must be a host name such as www.example.com, without https:// or a path");

/** "2026-11-20T09:00:00+00:00", with or without an offset and a fraction. Without an offset it is in the feed's time zone. */
export const instantText = z
  .string("must be a date and time such as 2026-11-30T23:59:00+00:00")
  .refine(isInstant, "must be a real date and time such as 2026-11-30T23:59:00+00:00");

const INSTANT = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

function isInstant(text: string): boolean {
  const parts = INSTANT.exec(text);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  if (year < 1990 || year > 2200) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isDay && Number(parts[4] ?? 0) <= 23 && Number(parts[5] ?? 0) <= 59 && Number(parts[6] ?? 0) <= 59;
}

/** An `instantText` at which something ends. Without a time it is the last day, to its last second. */
export const endText = instantText.transform(lastMoment);

export function lastMoment(end: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(end) ? `${end}T23:59:59` : end;
}

/** A slug of our own, for example "chalkside" or "shoes-and-bags". */
export const slugText = z
  .string("must be text in quotes")
  .max(100, "must be at most 100 characters")
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lower-case letters, digits and single hyphens");
