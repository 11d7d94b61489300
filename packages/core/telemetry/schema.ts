import { z } from "zod";
import { cleanQuery } from "../search/schema.ts";
import {
  EARLIEST_MOMENT,
  EVENT_SUBJECTS,
  eventTypes,
  EXTRA_FIELDS,
  LATEST_MOMENT,
  storedExtra,
  storedId,
  storedTerm,
  TIMED_EVENTS,
  type EventType,
} from "./rules.ts";

/** An event as the collector takes it: checked, in the server's words (T1, T3). */
export interface TelemetryEvent {
  eventType: EventType;
  /** A pseudonym; null: a visitor who is not signed in. */
  userId: string | null;
  sessionId: string;
  affinityId: string;
  /** The OfferId, SearchTerm, retailerName or categoryId, as text; `[removed]` where it may be about a person. */
  subject: string;
  /** By the visitor's clock; null for types without it. */
  pageLoadedAt: Date | null;
  /** Fields that are not of the event's type, as JSON; null: none. */
  extraFields: string | null;
  /** The sender's own id of the event: the same one is stored once. Null: none. */
  eventId: string | null;
}

export interface FieldError {
  /** `additionalFields.OfferId`; empty: the event as a whole. */
  field: string;
  message: string;
}

export type ParsedEvent = { ok: true; event: TelemetryEvent } | { ok: false; errors: FieldError[] };

const id = (length: number, what: string) =>
  z.string({ error: `is not ${what}` }).regex(new RegExp(`^[\\x21-\\x7e]{1,${length}}$`), {
    error: `is not ${what}: 1 to ${length} printable ASCII characters without spaces`,
  });
const readable = (text: string) => !text.includes("\0") && text.isWellFormed();
const text = (length: number) =>
  z
    .string({ error: "is not text" })
    .min(1, { error: "is empty" })
    .max(length, { error: `has more than ${length} characters` })
    .refine(readable, { error: "has characters that text can't have" });
const idOrNumber = z.union([z.int({ error: "is not a whole number" }).transform(String), text(100)], {
  error: "is neither text of 1 to 100 characters nor a whole number",
});

const moment = z
  .union([z.number(), z.string().max(40)], { error: "is neither milliseconds since 1970 nor an ISO date" })
  .transform((value, context) => {
    const date = new Date(typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value);
    if (date.getTime() >= EARLIEST_MOMENT && date.getTime() < LATEST_MOMENT) return date;
    context.addIssue("is not a moment from 2020 to 2099");
    return z.NEVER;
  });

const fields = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape, { error: "is not an object" });
const searchTerm = z.string({ error: "is not text" }).max(2_000, { error: "has more than 2000 characters" });
const fieldsOf = {
  OfferPage: fields({ OfferId: idOrNumber, timestampPageLoad: moment }),
  SearchPage: fields({ SearchTerm: searchTerm }),
  RetailerPage: fields({ retailerName: text(200), timestampPageLoad: moment }),
  CategoryPage: fields({ categoryId: idOrNumber, timestampPageLoad: moment }),
  OfferRedeemed: fields({ OfferId: idOrNumber }),
} satisfies Record<EventType, z.ZodType>;

const envelope = {
  userId: id(64, "an id")
    .nullish()
    .transform((value) => value ?? null),
  sessionId: id(64, "an id"),
  affinityId: id(64, "an id"),
  eventId: z
    .string({ error: "is not an id" })
    .regex(/^[\x21-\x7e]{16,64}$/, { error: "is not an id: 16 to 64 printable ASCII characters without spaces" })
    .nullish()
    .transform((value) => value ?? null),
};

/** One schema for each event type (T1): global data, eventType and additionalFields. */
export const telemetryEventSchema = z.discriminatedUnion(
  "eventType",
  [
    z.looseObject({ ...envelope, eventType: z.literal("OfferPage"), additionalFields: fieldsOf.OfferPage }),
    z.looseObject({ ...envelope, eventType: z.literal("SearchPage"), additionalFields: fieldsOf.SearchPage }),
    z.looseObject({ ...envelope, eventType: z.literal("RetailerPage"), additionalFields: fieldsOf.RetailerPage }),
    z.looseObject({ ...envelope, eventType: z.literal("CategoryPage"), additionalFields: fieldsOf.CategoryPage }),
    z.looseObject({ ...envelope, eventType: z.literal("OfferRedeemed"), additionalFields: fieldsOf.OfferRedeemed }),
  ],
  { error: `is not an event with eventType ${eventTypes.join(", ")}` },
);

/**
 * Checks an event that was parsed from JSON. Errors name their fields; nothing of the value is repeated in them. E-mail addresses and numbers of six
 * or more digits in what may be free text become `[removed]` (rules.ts): the subject and the extra fields. The ids around them are kept as sent.
 */
export function parseEvent(value: unknown): ParsedEvent {
  const parsed = telemetryEventSchema.safeParse(value);
  if (!parsed.success) return { ok: false, errors: parsed.error.issues.slice(0, 10).map(toFieldError) };
  const { eventType, userId, sessionId, affinityId, eventId, additionalFields, ...rest } = parsed.data;
  const { [EVENT_SUBJECTS[eventType]]: subject, ...others } = additionalFields as Record<string, unknown>;
  const { timestampPageLoad, ...untimed } = others;
  const isTimed = TIMED_EVENTS.has(eventType);
  const extra = keepExtra({ ...rest, ...(isTimed ? untimed : others) });
  if (!extra.ok) return { ok: false, errors: [extra.error] };
  return {
    ok: true,
    event: {
      eventType,
      userId,
      sessionId,
      affinityId,
      eventId,
      subject: storedSubject(eventType, subject as string),
      pageLoadedAt: isTimed ? (timestampPageLoad as Date) : null,
      extraFields: extra.json,
    },
  };
}

function storedSubject(eventType: EventType, subject: string): string {
  if (eventType === "SearchPage") return storedTerm(cleanQuery(subject));
  return eventType === "RetailerPage" ? storedTerm(subject) : storedId(subject);
}

function toFieldError({ path, message }: { path: PropertyKey[]; message: string }): FieldError {
  return { field: path.map((part) => String(part).slice(0, EXTRA_FIELDS.nameLength)).join("."), message };
}

/** Bounds the fields that the type does not have: their number, depth and bytes as sent. Returns them as they are stored. */
function keepExtra(
  extra: Record<string, unknown>,
): { ok: true; json: string | null } | { ok: false; error: FieldError } {
  const names = Object.keys(extra);
  if (names.length === 0) return { ok: true, json: null };
  const refuse = (message: string) => ({ ok: false, error: { field: "additionalFields", message } }) as const;
  if (names.length > EXTRA_FIELDS.names)
    return refuse(`has more than ${EXTRA_FIELDS.names} fields that its type does not have`);
  if (!isShallow(extra, EXTRA_FIELDS.depth))
    return refuse(
      `has fields that are nested more than ${EXTRA_FIELDS.depth} deep, or whose text or names can't be stored`,
    );
  const json = JSON.stringify(extra);
  if (new TextEncoder().encode(json).length > EXTRA_FIELDS.bytes)
    return refuse(`has more than ${EXTRA_FIELDS.bytes} bytes of fields that its type does not have`);
  return { ok: true, json: JSON.stringify(storedExtra(extra)) };
}

/** Depth is checked before anything walks the whole value, so that a thousand brackets cost nothing. */
function isShallow(value: unknown, depth: number): boolean {
  if (typeof value === "string") return readable(value);
  if (typeof value !== "object" || value === null) return true;
  if (depth === 0) return false;
  return Object.entries(value).every(
    ([name, part]) => name.length <= EXTRA_FIELDS.nameLength && readable(name) && isShallow(part, depth - 1),
  );
}
