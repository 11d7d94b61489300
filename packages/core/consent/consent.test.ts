import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { consentValue, readConsentValue } from "./consent-cookie.ts";
import { recordConsent } from "./operations.server.ts";
import {
  CONSENT_SECONDS,
  CONSENT_VERSION,
  grantedPurposes,
  type Purpose,
  purposesInForm,
  purposesOf,
} from "./rules.ts";

const { db } = await testDatabase();
const chosenAt = new Date("2026-11-20T10:00:00Z");
const asked: Purpose[] = ["measurement", "tags", "messages"];

const formOf = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};

describe("T6 what a brand asks for", () => {
  test.each([
    [false, null, null, []],
    [true, null, null, ["measurement"]],
    [false, "GTM-ABCD12", null, ["tags"]],
    [false, null, "https://push.example/sw.js", ["messages"]],
    [true, "GTM-ABCD12", "https://push.example/sw.js", asked],
  ])("T6 telemetry %s, container %s, engagement %s: %j", (telemetry, tagManager, engagementScript, purposes) => {
    expect(purposesOf({ features: { telemetry }, tracking: { tagManager, engagementScript } })).toEqual(purposes);
  });

  test("T6 a form agrees to all, to nothing, or to what is ticked among what is asked; anything else is no choice", () => {
    expect(purposesInForm(formOf({ choice: "all" }), asked)).toEqual(asked);
    expect(purposesInForm(formOf({ choice: "all" }), ["tags"])).toEqual(["tags"]);
    expect(purposesInForm(formOf({ choice: "none", tags: "yes" }), asked)).toEqual([]);
    expect(purposesInForm(formOf({ choice: "some" }), asked)).toEqual([]);
    expect(purposesInForm(formOf({ choice: "some", messages: "yes", tags: "yes" }), ["measurement", "tags"])).toEqual([
      "tags",
    ]);
    for (const choice of [{}, { choice: "" }, { choice: "ALL" }, { tags: "yes" }])
      expect(purposesInForm(formOf(choice as Record<string, string>), asked)).toBeNull();
  });
});

describe("T6 what a choice allows", () => {
  const choice = { version: CONSENT_VERSION, chosenAt, purposes: ["tags", "messages"] as Purpose[] };
  const allowed = (change: Partial<typeof choice>, more: { hasSignal?: boolean; now?: Date; asked?: Purpose[] } = {}) =>
    grantedPurposes({ ...choice, ...change }, { asked, hasSignal: false, now: chosenAt, ...more });

  test("T6 what was agreed to, and only what the brand still asks for", () => {
    expect(allowed({})).toEqual(["tags", "messages"]);
    expect(allowed({}, { asked: ["measurement", "messages"] })).toEqual(["messages"]);
    expect(grantedPurposes(null, { asked, hasSignal: false, now: chosenAt })).toEqual([]);
  });

  test("T6 nothing where the words have changed since", () => {
    expect(allowed({ version: CONSENT_VERSION + 1 })).toEqual([]);
    expect(allowed({ version: CONSENT_VERSION - 1 })).toEqual([]);
  });

  test("T6 nothing after half a year, to the second", () => {
    const after = (seconds: number) => allowed({}, { now: new Date(chosenAt.getTime() + seconds * 1000) });
    expect(after(CONSENT_SECONDS - 1)).toEqual(["tags", "messages"]);
    expect(after(CONSENT_SECONDS)).toEqual([]);
  });

  test("T6 nothing where the browser sends Global Privacy Control", () => {
    expect(allowed({}, { hasSignal: true })).toEqual([]);
  });
});

describe("T6 the cookie", () => {
  test.each([[[]], [["measurement"]], [asked]] as [Purpose[]][])("T6 %j comes back as it was stored", (purposes) => {
    const choice = { version: CONSENT_VERSION, chosenAt, purposes };
    expect(readConsentValue(consentValue(choice))).toEqual(choice);
    expect(readConsentValue(consentValue(choice, { isScripted: false }))).toEqual(choice);
  });

  test("T6 anything else is no choice, and a purpose that we do not know is none", () => {
    for (const value of ["", "1", "1.2.none", "x.1795600000.none", "1.1795600000.", "1.1795600000.none.x", undefined])
      expect(readConsentValue(value), String(value)).toBeNull();
    expect(readConsentValue("1.1795600000.tags-everything")?.purposes).toEqual(["tags"]);
  });
});

describe("T6 the record of members' choices", () => {
  test("T6 each change is kept with its version and time; the same again is not, and no other brand's member", async () => {
    const brandId = (await insertBrand(db)).id;
    const memberId = (await insertVerifiedMember(db, { brandId })).id;
    const choose = (purposes: Purpose[], more = {}) =>
      recordConsent(db, { brandId, memberId, version: CONSENT_VERSION, purposes, hasSignal: false, chosenAt, ...more });
    expect(await choose(["measurement"])).toBe(true);
    expect(await choose(["measurement"], { chosenAt: new Date(chosenAt.getTime() + 1000) })).toBe(false);
    expect(await choose([], { chosenAt: new Date(chosenAt.getTime() + 2000) })).toBe(true);
    expect(await choose([], { version: 2, chosenAt: new Date(chosenAt.getTime() + 3000) })).toBe(true);
    expect(await choose([], { version: 2, hasSignal: true, chosenAt: new Date(chosenAt.getTime() + 4000) })).toBe(true);
    expect(await choose(asked, { brandId: (await insertBrand(db)).id })).toBe(false);
    const rows = await db
      .selectFrom("consent_choices")
      .select(["version", "purposes", "has_signal", "chosen_at"])
      .where("member_id", "=", memberId)
      .orderBy("chosen_at")
      .execute();
    expect(rows.map(({ version, purposes, has_signal }) => [version, purposes, has_signal])).toEqual([
      [CONSENT_VERSION, ["measurement"], false],
      [CONSENT_VERSION, [], false],
      [2, [], false],
      [2, [], true],
    ]);
    expect(rows[0]?.chosen_at).toEqual(chosenAt);
  });

  test("T6 two windows at once record one choice", async () => {
    const brandId = (await insertBrand(db)).id;
    const memberId = (await insertVerifiedMember(db, { brandId })).id;
    const choose = () =>
      recordConsent(db, { brandId, memberId, version: 1, purposes: ["tags"], hasSignal: false, chosenAt });
    expect((await Promise.all([choose(), choose()])).sort()).toEqual([false, true]);
  });
});
