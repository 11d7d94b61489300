import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codeFrom, mailboxOf, readCode, shownName } from "./rules.ts";
import { exampleInWords, friendTerms, inviterTerms, offerInWords } from "./terms.ts";

describe("C8 what is promised", () => {
  const terms = {
    friendPence: 500,
    inviterPence: 700,
    minCashbackPence: 150,
    withinDays: 60,
    maxPerYear: 3,
    endsAt: new Date("2027-03-31T00:00:00Z"),
  };

  test("C8 the terms say what must happen and by when, with the programme's own figures", () => {
    const friend = friendTerms(terms).join(" ");
    for (const text of ["before 31 March 2027", "within 60 days of joining", "£1.50", "prove your membership"])
      expect(friend).toContain(text);
    const inviter = inviterTerms(terms).join(" ");
    for (const text of ["before 31 March 2027", "Within 60 days", "£1.50", "up to 3 bonuses, £21.00 together"])
      expect(inviter).toContain(text);
    expect(offerInWords(terms)).toBe("You get £7.00, and your friend gets £5.00.");
    expect(offerInWords({ ...terms, inviterPence: 0 })).toBe("Your friend gets £5.00.");
    expect(offerInWords({ ...terms, friendPence: 0 })).toBe("You get £7.00 for each friend.");
  });

  test("C8 the example qualifies, whatever the smallest cashback is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (minCashbackPence) => {
        const [sale, cashback] = [...exampleInWords({ ...terms, minCashbackPence }).matchAll(/£([\d,]+\.\d\d)/g)].map(
          ([, pounds = ""]) => Math.round(Number(pounds.replaceAll(",", "")) * 100),
        );
        expect(cashback).toBe((sale! * 4) / 100);
        expect(cashback).toBeGreaterThanOrEqual(minCashbackPence);
        expect(cashback! - minCashbackPence).toBeLessThan(4);
      }),
    );
  });
});

describe("C8 codes and marks", () => {
  test("C8 a code has ten letters that don't look alike, and every letter is as likely as another", () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      if (byte >= 248) continue;
      const code = codeFrom(new Uint8Array(40).fill(byte));
      expect(readCode(code)).toBe(code);
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
    expect(new Set(counts.values())).toEqual(new Set([8]));
    expect(counts.size).toBe(31);
    expect(() => codeFrom(new Uint8Array(40).fill(255))).toThrow(RangeError);
  });

  test.each([
    "",
    "abcdefghj",
    "abcdefghjkm",
    "abcdefghj0",
    "abcdefghjl",
    "abcdefghj'",
    "../../../..",
    "abcdefghj\0",
    "ａbcdefghjk",
  ])("C8 %j is no code", (text) => expect(readCode(text)).toBeNull());

  test.each([
    ["ada+club@mail.example", "ada@mail.example"],
    ["Ada+a+b@mail.example", "ada@mail.example"],
    ["a.d.a+x@gmail.com", "ada@gmail.com"],
    ["ada@googlemail.com", "ada@gmail.com"],
    ["a.da@mail.example", "a.da@mail.example"],
  ])("C8 %s leads to the mailbox %s", (email, mailbox) => expect(mailboxOf(email)).toBe(mailbox));

  test("C8 a stranger sees a first name at most, and only if its owner agreed", () => {
    expect(shownName({ name: " Ada  Lovelace", showsFirstName: true })).toBe("Ada");
    expect(shownName({ name: "Ada Lovelace", showsFirstName: false })).toBeNull();
  });
});
