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

/** Stands for what was typed into the search field and may be about a person. */
export const REMOVED_TERM = "[removed]";

/**
 * Returns a search term as it is stored. People type e-mail addresses, card numbers and telephone numbers into any field: no report needs them, so
 * they are not kept.
 */
export function storedTerm(term: string): string {
  return /\S@\S/.test(term) || /(?:\d[ .()/-]{0,2}){6,}/.test(term) ? REMOVED_TERM : term;
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
