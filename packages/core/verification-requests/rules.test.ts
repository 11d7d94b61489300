import { describe, expect, test } from "vitest";
import {
  isWorkEmail,
  mailboxOf,
  maySubmit,
  memberAfter,
  memberTransitions,
  requestTransitions,
  statesBefore,
  validUntil,
  type Verification,
} from "./rules.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const days = (count: number) => new Date(NOW.getTime() + count * 86_400_000);

describe("M4 transitions of a request", () => {
  test("M4 a request is decided once or replaced by its member; only a rejection has a way back", () => {
    expect(requestTransitions).toEqual({
      submitted: { accept: "accepted", reject: "rejected", replace: "replaced" },
      accepted: {},
      rejected: { "accept-after-all": "accepted" },
      replaced: {},
    });
    expect(statesBefore("accept")).toEqual(["submitted"]);
  });

  test.each<[Verification, Verification]>([
    ["unverified", "submitted"],
    ["rejected", "submitted"],
    ["lapsed", "submitted"],
    ["submitted", "submitted"],
    ["verified", "verified"],
  ])("M4 a member who is %s and sends proof becomes %s", (before, after) => {
    expect(memberAfter(before, "submit")).toBe(after);
  });

  test("M4 a rejection keeps a verified member verified, and every member can be accepted", () => {
    expect(memberAfter("verified", "reject")).toBe("verified");
    for (const verification of Object.keys(memberTransitions) as Verification[])
      expect(memberAfter(verification, "accept")).toBe("verified");
  });

  test("M4 only a verified membership can run out", () => {
    expect(memberAfter("verified", "run-out")).toBe("lapsed");
    expect(() => memberAfter("submitted", "run-out")).toThrow(RangeError);
  });
});

describe("M4 renewal", () => {
  test.each([
    [null, false],
    [days(61), false],
    [days(60), true],
    [days(1), true],
    [days(-1), true],
  ])("M4 a verified member whose membership ends at %s may send proof: %s", (verifiedUntil, may) => {
    expect(maySubmit({ verification: "verified", verifiedUntil, now: NOW })).toBe(may);
  });

  test("M4 an early renewal loses no days, and a late one gains none", () => {
    expect(validUntil({ now: NOW, verifiedUntil: days(40) })).toEqual(days(405));
    expect(validUntil({ now: NOW, verifiedUntil: days(-40) })).toEqual(days(365));
    expect(validUntil({ now: NOW, verifiedUntil: null })).toEqual(days(365));
  });
});

describe("M4 work e-mail", () => {
  const domains = [
    { domain: "sch.example", withSubdomains: true },
    { domain: "mod.example", withSubdomains: false },
  ];
  test.each([
    ["ada@elm.sch.example", true],
    ["ada@sch.example", true],
    ["ADA@ELM.SCH.EXAMPLE", true],
    ["ada@mod.example", true],
    ["ada@army.mod.example", false],
    ["ada@notsch.example", false],
    ["ada@sch.example.evil.example", false],
    ["sch.example@evil.example", false],
  ])("M4 %s is a work address: %s", (email, is) => expect(isWorkEmail(email, domains)).toBe(is));

  test("M4 addresses that differ after a plus are one mailbox", () => {
    expect(mailboxOf("Ada+club@sch.example")).toBe("ada@sch.example");
  });
});
