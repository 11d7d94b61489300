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
