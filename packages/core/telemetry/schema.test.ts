import { describe, expect, test } from "vitest";
import { eventTypes, storedTerm } from "./rules.ts";
import { parseEvent } from "./schema.ts";

const fieldsOf: Record<string, Record<string, unknown>> = {
  OfferPage: { OfferId: "a1B2c3", timestampPageLoad: 1_790_000_000_000 },
  SearchPage: { SearchTerm: "walking boots" },
  RetailerPage: { retailerName: "Fernhollow & Sons", timestampPageLoad: "2026-09-21T14:13:20.000Z" },
  CategoryPage: { categoryId: 42, timestampPageLoad: "1790000000000" },
  OfferRedeemed: { OfferId: "a1B2c3" },
};
const event = (eventType: string, fields: unknown = fieldsOf[eventType], rest: object = {}) => ({
  ...{
    userId: "lovvGu-SpaqB9Y3_s0VjlQ",
    sessionId: "s.1",
    affinityId: "teachers-members",
    eventType,
    additionalFields: fields,
  },
  ...rest,
});
const errorsOf = (value: unknown) => {
  const parsed = parseEvent(value);
  return parsed.ok ? [] : parsed.errors;
};
const parsed = (value: unknown) => {
  const result = parseEvent(value);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.event;
};

describe("T1 the events of specification section 7", () => {
  test("T1 each type is taken with its own fields, and its subject and time are told apart", () => {
    const pageLoadedAt = new Date(1_790_000_000_000);
    expect(eventTypes.map((type) => parsed(event(type)))).toMatchObject([
      {
        eventType: "OfferPage",
        subject: "a1B2c3",
        pageLoadedAt,
        userId: "lovvGu-SpaqB9Y3_s0VjlQ",
        sessionId: "s.1",
        affinityId: "teachers-members",
      },
      { eventType: "SearchPage", subject: "walking boots", pageLoadedAt: null },
      { eventType: "RetailerPage", subject: "Fernhollow & Sons", pageLoadedAt },
      { eventType: "CategoryPage", subject: "42", pageLoadedAt },
      { eventType: "OfferRedeemed", subject: "a1B2c3", pageLoadedAt: null, extraFields: null },
    ]);
  });

  test.each(eventTypes.flatMap((type) => Object.keys(fieldsOf[type]!).map((field) => [type, field] as const)))(
    "T1 %s without %s is refused, and the answer names the field",
    (type, field) => {
      const { [field]: _, ...others } = fieldsOf[type]!;
      expect(errorsOf(event(type, others))).toEqual([
        { field: `additionalFields.${field}`, message: expect.stringMatching(/^is /) },
      ]);
    },
  );

  test.each([
    ["no event at all", null, ""],
    ["a list", [], ""],
    ["another type", event("OfferBought", {}), "eventType"],
    ["a type that every object has", event("toString", {}), "eventType"],
    ["no session", event("OfferRedeemed", undefined, { sessionId: undefined }), "sessionId"],
    ["an empty session", event("OfferRedeemed", undefined, { sessionId: "" }), "sessionId"],
    ["a session with a NUL", event("OfferRedeemed", undefined, { sessionId: "a\0b" }), "sessionId"],
    ["a session that is too long", event("OfferRedeemed", undefined, { sessionId: "x".repeat(65) }), "sessionId"],
    ["an affinity with spaces", event("OfferRedeemed", undefined, { affinityId: "a b" }), "affinityId"],
    ["a user that is a name", event("OfferRedeemed", undefined, { userId: "Ada Lovelace" }), "userId"],
    ["a user that is a number", event("OfferRedeemed", undefined, { userId: 7 }), "userId"],
    ["fields that are a list", event("OfferRedeemed", ["x"]), "additionalFields"],
    ["fields that are text", event("OfferRedeemed", "x"), "additionalFields"],
    ["an empty offer", event("OfferRedeemed", { OfferId: "" }), "additionalFields.OfferId"],
    ["an offer with a lone surrogate", event("OfferRedeemed", { OfferId: "\ud800" }), "additionalFields.OfferId"],
    ["an offer that is no whole number", event("OfferRedeemed", { OfferId: 1.5 }), "additionalFields.OfferId"],
    [
      "a retailer that is too long",
      event("RetailerPage", { ...fieldsOf["RetailerPage"], retailerName: "x".repeat(201) }),
      "additionalFields.retailerName",
    ],
    [
      "a search that is too long",
      event("SearchPage", { SearchTerm: "x".repeat(2_001) }),
      "additionalFields.SearchTerm",
    ],
    [
      "a time before there were events",
      event("OfferPage", { OfferId: "x", timestampPageLoad: 0 }),
      "additionalFields.timestampPageLoad",
    ],
    [
      "a time that is none",
      event("OfferPage", { OfferId: "x", timestampPageLoad: "soon" }),
      "additionalFields.timestampPageLoad",
    ],
    [
      "a time in a far century",
      event("OfferPage", { OfferId: "x", timestampPageLoad: 8.64e15 }),
      "additionalFields.timestampPageLoad",
    ],
    ["an own id that can be guessed", event("OfferRedeemed", undefined, { eventId: "1" }), "eventId"],
  ])("T3 %s is refused, and the answer names the field", (_, value, field) => {
    const errors = errorsOf(value);
    expect(errors.map((error) => error.field)).toContain(field);
    for (const { message } of errors) expect(message).toMatch(/^(is|has) /);
  });

  test("T1 the largest of everything is taken, and a visitor has no user", () => {
    const max = { sessionId: "x".repeat(64), affinityId: "~".repeat(64), userId: null, eventId: "e".repeat(64) };
    expect(parsed(event("OfferRedeemed", { OfferId: "x".repeat(100) }, max))).toMatchObject({
      userId: null,
      eventId: "e".repeat(64),
    });
    expect(parsed(event("OfferRedeemed", undefined, { userId: undefined }))).toMatchObject({ userId: null });
    expect(
      parsed(event("RetailerPage", { ...fieldsOf["RetailerPage"], retailerName: "é".repeat(200) })).subject,
    ).toHaveLength(200);
  });
});

describe("T3 fields that the type does not have", () => {
  const withExtra = (extra: object, rest: object = {}) => event("OfferRedeemed", { OfferId: "x", ...extra }, rest);

  test("T3 are kept, wherever they were sent, and a time that the type has no field for is one of them", () => {
    const { extraFields } = parsed(
      withExtra({ button: "copy", timestampPageLoad: 5, deep: { a: { b: 1 } } }, { appVersion: "2.0" }),
    );
    expect(JSON.parse(extraFields ?? "")).toEqual({
      appVersion: "2.0",
      button: "copy",
      timestampPageLoad: 5,
      deep: { a: { b: 1 } },
    });
  });

  test("T3 are bounded: number, names, depth and bytes, each at its limit and one beyond", () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1]));
    const refusal = (extra: object) => errorsOf(withExtra(extra)).map(({ field }) => field);
    expect(refusal(many(20))).toEqual([]);
    expect(refusal(many(21))).toEqual(["additionalFields"]);
    expect(refusal({ ["n".repeat(64)]: 1 })).toEqual([]);
    expect(refusal({ ["n".repeat(65)]: 1 })).toEqual(["additionalFields"]);
    expect(refusal({ a: { b: { c: 1 } } })).toEqual([]);
    expect(refusal({ a: { b: { c: {} } } })).toEqual(["additionalFields"]);
    expect(refusal({ a: [["deep", []]] })).toEqual(["additionalFields"]);
    expect(refusal({ a: "x".repeat(2_048 - '{"a":""}'.length) })).toEqual([]);
    expect(refusal({ a: "x".repeat(2_049 - '{"a":""}'.length) })).toEqual(["additionalFields"]);
    expect(refusal({ a: "é".repeat(1_100) }), "bytes, not characters").toEqual(["additionalFields"]);
  });

  test("T3 a hundred thousand brackets, NULs and lone surrogates are refused like anything else", () => {
    const deep = JSON.parse(`{"x":${"[".repeat(7_000)}${"]".repeat(7_000)}}`) as object;
    for (const extra of [deep, { a: "b\0" }, { "a\0": "b" }, { a: "\udc00" }, { a: { "\ud800": 1 } }])
      expect(errorsOf(withExtra(extra))).toEqual([
        { field: "additionalFields", message: expect.stringContaining("can't be stored") },
      ]);
  });

  test("S1 fields named like parts of every object are data", () => {
    const value: unknown = JSON.parse(
      `{"sessionId":"s","affinityId":"a","eventType":"OfferRedeemed","additionalFields":{"OfferId":"x","__proto__":{"OfferId":"y"},"constructor":1}}`,
    );
    expect(parsed(value).subject).toBe("x");
    expect(({} as Record<string, unknown>)["OfferId"]).toBeUndefined();
  });
});

test.each([
  ["ada@example.com", "[removed]"],
  ["order for Ada.L@example.co.uk", "[removed]"],
  ["4242 4242 4242 4242", "[removed]"],
  ["020 7946 0000", "[removed]"],
  ["123456", "[removed]"],
  ["12345", "12345"],
  ["boots 2026", "boots 2026"],
  ["@home", "@home"],
  ["b&q", "b&q"],
])("T6 of the search %j the collector keeps %j", (term, kept) => {
  expect(storedTerm(term)).toBe(kept);
  expect(parsed(event("SearchPage", { SearchTerm: `  ${term}\0 ` })).subject).toBe(kept);
});

test.each([
  ["an en dash", "4111–1111–1111–1111"],
  ["a middle dot", "07700·900·123"],
  ["an underscore", "07700_900_123"],
  ["a dash between spaces", "07700 - 900 - 123"],
  ["full-width digits", "０７７００９００１２３"],
  ["Arabic-Indic digits", "٠٧٧٠٠٩٠٠١٢٣"],
  ["digits in circles", "⓪⑦⑦⓪⓪⑨"],
  ["zero-width spaces", "0\u200B\u200B\u200B\u200B7\u200B7\u200B0\u200B0\u200B9\u200B0\u200B0"],
  ["word joiners and soft hyphens", "07\u2060\u00AD\u2060\u00AD70\u2060\u00AD\u2060\u00AD09"],
  ["keys of a keyboard", "0\uFE0F\u20E37\uFE0F\u20E37\uFE0F\u20E30\uFE0F\u20E30\uFE0F\u20E39\uFE0F\u20E3"],
  ["a full-width at", "ann＠example.org"],
  ["a small at", "ann﹫example.org"],
  ["an at beside a zero-width space", "ann\u200B@\u200Bexample.org"],
])("T6 S1 a telephone number, a card number or an address with %s is kept nowhere", (_, text) => {
  const page = { timestampPageLoad: 1_790_000_000_000 };
  expect(parsed(event("SearchPage", { SearchTerm: `boots ${text}` })).subject).toBe("[removed]");
  expect(parsed(event("RetailerPage", { retailerName: text, ...page })).subject).toBe("[removed]");
  expect(parsed(event("OfferPage", { OfferId: text, ...page })).subject).toBe("[removed]");
  expect(parsed(event("CategoryPage", { categoryId: text, ...page })).subject).toBe("[removed]");
  const { extraFields } = parsed(
    event("OfferRedeemed", { OfferId: "x", note: `call ${text}`, [text]: 1, in: { a: [text] } }, { about: text }),
  );
  expect(JSON.parse(extraFields ?? "")).toEqual({
    about: "[removed]",
    note: "[removed]",
    "[removed]": 1,
    in: { a: ["[removed]"] },
  });
});

test.each(["ann@example.org 07700900123", "ann@example.org", "07700900123", "07700-900-123", "+44 7700 900123"])(
  "T6 S1 the OfferId %j is no id",
  (id) => {
    expect(parsed(event("OfferRedeemed", { OfferId: id })).subject).toBe("[removed]");
  },
);

test.each([
  ...["0190b0a0-0000-7000-8000-000000000003", "0123456789012345", "a1b2345678901c2d", "9007199254740991", "00042"],
  ...["7", "summer-sale 2026", "Ünïcode"],
])("T6 the id %j is kept as it is", (id) => {
  expect(parsed(event("OfferRedeemed", { OfferId: id })).subject).toBe(id);
  expect(parsed(event("CategoryPage", { categoryId: id, timestampPageLoad: 1_790_000_000_000 })).subject).toBe(id);
});

test("T6 a whole number that is an id is kept, however many digits it has", () => {
  expect(parsed(event("OfferRedeemed", { OfferId: 1_234_567_890_123 })).subject).toBe("1234567890123");
});

test("T6 of extra fields, moments, UUIDs, short numbers and fractions are kept, and long numbers are not", () => {
  const kept = {
    ...{ at: 1_790_000_000_000, asText: "1790000000000", date: "2026-09-21", moment: "2026-09-21T14:13:20.000Z" },
    ...{ id: "0190b0a0-0000-7000-8000-000000000003", pence: 99_999, took: 1234.567, isOpen: true, nothing: null },
  };
  const removed = { phone: 447_700_900_123, card: 4_111_111_111_111_111, born: "1980-05-03", was: -123_456 };
  const { extraFields } = parsed(event("OfferRedeemed", { OfferId: "x", ...kept, ...removed }));
  expect(JSON.parse(extraFields ?? "")).toEqual({
    ...kept,
    ...{ phone: "[removed]", card: "[removed]", born: "[removed]", was: "[removed]" },
  });
});

test.each(["boots 2026", "size 10 11", "7-eleven", "½ price", "2 for 1", "١٢٣٤٥", "日本 2026"])(
  "T6 the search %j names nobody and is kept",
  (term) => {
    expect(parsed(event("SearchPage", { SearchTerm: term })).subject).toBe(term);
  },
);
