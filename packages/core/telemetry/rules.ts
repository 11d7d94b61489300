/** The events of specification section 7 (T1), with the field of additionalFields that says what each is about. */
export const EVENT_SUBJECTS = {
  OfferPage: "OfferId",
  SearchPage: "SearchTerm",
  RetailerPage: "retailerName",
  CategoryPage: "categoryId",
  OfferRedeemed: "OfferId",
} as const;

export type EventType = keyof typeof EVENT_SUBJECTS;
export const eventTypes = Object.keys(EVENT_SUBJECTS) as EventType[];

/** Events that tell when their page was loaded. */
export const TIMED_EVENTS: ReadonlySet<EventType> = new Set<EventType>(["OfferPage", "RetailerPage", "CategoryPage"]);

/** Maximum size of one event, in bytes of JSON (T3). */
export const MAX_EVENT_BYTES = 16 * 1024;
/** Maximum size of a batch, in bytes and in lines. */
export const MAX_BATCH_BYTES = 1024 * 1024;
export const MAX_BATCH_LINES = 5_000;

/** What is kept of fields that an event's type does not have (T3). */
export const EXTRA_FIELDS = { names: 20, nameLength: 64, depth: 3, bytes: 2_048 } as const;

/** Stands for what was typed or sent and may be about a person. */
export const REMOVED_TERM = "[removed]";

/** What is not seen between two characters: zero-width spaces and joiners, marks of direction, soft hyphens, fillers. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Six digits of any script with up to three other signs after each, as in "07700 - 900 - 123". */
const LONG_NUMBER = /(?:\p{Nd}[^\p{L}\p{N}]{0,3}){6}/u;

/**
 * Returns whether a text has an e-mail address or a number of six or more digits, however it is written: full-width or other scripts' digits, any
 * signs between the digits, characters that are not seen. Telephone and card numbers are such numbers.
 */
function mayNamePerson(text: string): boolean {
  const seen = text.normalize("NFKC").replace(UNSEEN, "");
  return /\S@\S/.test(seen) || LONG_NUMBER.test(seen);
}

/**
 * Returns free text as it is stored: as it came, or `[removed]`. People type e-mail addresses, card numbers and telephone numbers into any field: no
 * report needs them, so they are not kept.
 */
export function storedTerm(term: string): string {
  return mayNamePerson(term) ? REMOVED_TERM : term;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** One word; 16 hexadecimal digits are a public id of ours (random_public_id.sql). A number that begins with 0 is a telephone number. */
const WORD = /^(?:[\da-f]{16}|(?!0\d{5,}$)[A-Za-z\d]+)$/;

/**
 * Returns an offer's or a category's id as it is stored. A UUID and one word of ASCII letters and digits are ids, however many digits they have;
 * anything else is free text (`storedTerm`), and so is a number of six or more digits that begins with 0.
 */
export function storedId(id: string): string {
  return UUID.test(id) || WORD.test(id) ? id : storedTerm(id);
}

/** Events are of these years: a moment of them is no telephone number. Milliseconds since 1970. */
export const EARLIEST_MOMENT = Date.UTC(2020, 0, 1);
export const LATEST_MOMENT = Date.UTC(2100, 0, 1);
const ISO_DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** Returns whether a value is a moment from 2020 to 2099: milliseconds since 1970, as a number or as text, or an ISO date. */
function isMoment(value: string | number): boolean {
  const isDate = typeof value === "string" && ISO_DATE.test(value);
  if (typeof value === "string" && !isDate && !/^\d{13}$/.test(value)) return false;
  const time = isDate ? Date.parse(value) : Number(value);
  return time >= EARLIEST_MOMENT && time < LATEST_MOMENT;
}

/**
 * Returns a field that the event's type does not have as it is stored, with all that is in it: text, names of fields and whole numbers that may be
 * about a person (`mayNamePerson`) become `[removed]`. UUIDs and moments of events stay.
 */
export function storedExtra(value: unknown): unknown {
  if (typeof value === "string") return UUID.test(value) || isMoment(value) ? value : storedTerm(value);
  if (typeof value === "number")
    return Number.isInteger(value) && Math.abs(value) >= 100_000 && !isMoment(value) ? REMOVED_TERM : value;
  if (Array.isArray(value)) return value.map(storedExtra);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [storedTerm(name), storedExtra(part)]));
}

/** Returns the UTC day of a moment, as `2026-11-25`. */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** Returns the day that is `days` after a day, both as `2026-11-25`. */
export function addDays(day: string, days: number): string {
  const moment = new Date(`${day}T00:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + days);
  return utcDay(moment);
}
