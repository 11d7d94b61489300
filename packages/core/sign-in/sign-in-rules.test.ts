import { describe, expect, it, test } from "vitest";
import { isFreshSession } from "./fresh-session.ts";
import { countedAddress, loginLimits } from "./login-limits.ts";
import { maskedEmail } from "../members/masked-email.ts";
import { newRecoveryCodes, recoveryCodeCount, recoveryCodeHash, typedRecoveryCode } from "./recovery-codes.ts";
import {
  confirmationFault,
  containsEmail,
  isAcceptablePassword,
  passwordFaults,
  passwordHasEmail,
  passwordIsCommon,
  passwordProblem,
  passwordRule,
} from "./rules.ts";
import { emailSchema, loginSchema } from "./schema.ts";
import { openSecret, sealSecret, type SecretKeys } from "../secrets/sealed-secret.ts";
import { tokenLifeMs } from "../members/token-rules.ts";
import { matchTotp, newTotpSecret, totpCode, totpUri } from "./totp.ts";

const now = new Date("2026-11-20T12:00:00Z");
const later = (ms: number) => new Date(now.getTime() + ms);
const minute = 60_000;
const hour = 60 * minute;

describe("S1 a fresh session", () => {
  it.each([
    ["open", 15 * minute],
    ["change", 30 * minute],
  ] as const)("S1 to %s, counts until exactly %i ms after logging in", (to, lasts) => {
    expect(isFreshSession(now, { now, to })).toBe(true);
    expect(isFreshSession(now, { now: later(lasts), to })).toBe(true);
    expect(isFreshSession(now, { now: later(lasts + 1), to })).toBe(false);
    expect(isFreshSession(undefined, { now, to })).toBe(false);
  });
});

describe("S1 limits of tries", () => {
  it.each(Object.entries(loginLimits))(
    "S1 %s: whole seconds, waits that grow, and none that a person would take for a lock-out",
    (_, { free, windowSeconds, firstWaitSeconds, longestWaitSeconds }) => {
      for (const value of [free, windowSeconds, firstWaitSeconds, longestWaitSeconds])
        expect(Number.isInteger(value)).toBe(true);
      expect(free).toBeGreaterThan(0);
      expect(windowSeconds).toBeGreaterThanOrEqual(15 * 60);
      expect(windowSeconds).toBeLessThanOrEqual(24 * 3600);
      expect(longestWaitSeconds).toBeGreaterThanOrEqual(firstWaitSeconds);
      expect(longestWaitSeconds).toBeLessThanOrEqual(24 * 3600);
    },
  );

  it.each([
    ["2001:db8:1:2::", "2001:db8:1:2::/64"],
    ["2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"],
    ["2001:DB8:1:3::1", "2001:db8:1:3::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["1::8", "1:0:0:0::/64"],
    ["1:2:3:4:5:6:7::", "1:2:3:4::/64"],
    ["::2:3:4:5:6:7:8", "0:2:3:4::/64"],
    ["1:2:3::4:5:6:7:8", "1:2:3:4::/64"],
    ["0001:0020:0300:4000:0:0:0:0", "1:20:300:4000::/64"],
    ["2001:db8::1:2:3:4", "2001:db8:0:0::/64"],
    ["1:2:3:4:5:6:7:8%", "1:2:3:4::/64"],
    ["198.51.100.7", "198.51.100.7"],
  ])("S1 %s is counted as %s", (address, counted) => {
    expect(countedAddress(address)).toBe(counted);
  });
});

describe("S1 an address that says little to whoever looks over a shoulder", () => {
  it.each([
    ["mary@school.example", "m•••@s•••.example"],
    ["m@s.example.co.uk", "m•••@s•••.uk"],
    ["m@localhost", "m•••@l•••"],
    ['"odd@name"@host.example', '"•••@h•••.example'],
    ["m@.example", "m•••@.•••"],
    ["@host.example", "•••"],
    ["no address", "•••"],
  ])("S1 %s is shown as %s", (email, shown) => expect(maskedEmail(email)).toBe(shown));
});

describe("S1 recovery codes", () => {
  test("S1 ten of them, all different, in two groups of five without characters that look alike", () => {
    const codes = newRecoveryCodes();
    expect(codes).toHaveLength(recoveryCodeCount);
    expect(recoveryCodeCount).toBe(10);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{5}-[A-HJKMNP-Z2-9]{5}$/);
  });

  test("S1 every letter comes up", () => {
    const letters = new Set(
      Array.from({ length: 100 }, () => newRecoveryCodes().join(""))
        .join("")
        .replaceAll("-", ""),
    );
    expect([...letters].sort().join("")).toBe("23456789ABCDEFGHJKMNPQRSTUVWXYZ");
  });

  it.each([
    ["7K3MQ-X24TV", "7K3MQX24TV"],
    [" 7k3mq x24tv ", "7K3MQX24TV"],
    ["7k3mqx24tv", "7K3MQX24TV"],
    ["7–K3MQ•X24TV", "7K3MQX24TV"],
    ["7K3MQ-X24T", null],
    ["7K3MQ-X24TVA", null],
    ["", null],
  ])("S1 typed as %j it is %j", (typed, code) => expect(typedRecoveryCode(typed)).toBe(code));

  test("S1 a code's hash is the same however it is typed, and another's for another member, code or key", () => {
    const of = { memberId: "m1", key: "k1" };
    const hash = recoveryCodeHash("7K3MQ-X24TV", of);
    expect(hash).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(recoveryCodeHash("7k3mq x24tv", of)).toBe(hash);
    const others = [
      recoveryCodeHash("7K3MQ-X24TW", of),
      recoveryCodeHash("7K3MQ-X24TV", { ...of, memberId: "m2" }),
      recoveryCodeHash("7K3MQ-X24TV", { ...of, key: "k2" }),
      recoveryCodeHash("none", of),
    ];
    expect(new Set([hash, ...others]).size).toBe(5);
    expect(recoveryCodeHash("none", of)).toBe(recoveryCodeHash("", of));
  });

  test("S1 a code that was printed before a new release is good after it", () => {
    expect(recoveryCodeHash("7K3MQ-X24TV", { memberId: "m1", key: "k1" })).toBe(
      "-n4cCNPLQFJgFov5sSotD9c1a-ye4so8F57TyXm7Gyk",
    );
  });
});

describe("M3 the password rule in words (seed section 5)", () => {
  it.each([
    ["Farthing-2026", ""],
    ["Abc1", "Use at least 8 characters."],
    ["abcdefg1", "Add an uppercase letter."],
    ["ABCDEFG1", "Add a lowercase letter."],
    ["Abcdefgh", "Add a digit or special character."],
    ["abcdefgh", "Add an uppercase letter and a digit or special character."],
    ["        ", "Add a lowercase letter, an uppercase letter and a digit or special character."],
    ["abc", "Use at least 8 characters. Add an uppercase letter and a digit or special character."],
    [`Aa1${"x".repeat(126)}`, "Use at most 128 characters."],
  ])("M3 %j: %j", (password, problem) => {
    expect(passwordProblem(passwordFaults(password))).toBe(problem);
    expect(isAcceptablePassword(password)).toBe(problem === "");
    expect(confirmationFault(password, password)).toBe(problem || null);
  });

  test("Y1 a refusal says what to do", () => {
    expect(passwordHasEmail).toMatch(/^Leave your e-mail address out/);
    expect(passwordIsCommon).toMatch(/Choose another\.$/);
  });

  test("M3 the rule itself names every part", () => {
    expect(passwordRule).toBe(
      "At least 8 characters, with a lowercase letter, an uppercase letter, and a digit or special character.",
    );
  });

  test("M3 a second typing that differs is said so, whatever else is wrong with it", () => {
    for (const typed of ["Farthing-2027", "farthing-2026", "", "Farthing-2026 "])
      expect(confirmationFault(typed, "Farthing-2026")).toBe("This is not the same as the password above.");
  });

  test("Y1 eight characters are counted as people see them", () => {
    expect(passwordFaults("Aa1😀😀😀😀")).toEqual(["too-short"]);
    expect(passwordFaults("Aa1😀😀😀😀😀")).toEqual([]);
  });

  it.each([
    ["xxada@sch.examplexx", "ada@sch.example", true],
    ["ADALOVELACE-1", " Ada.Lovelace@sch.example ", false],
    ["my-ADA.LOVELACE-1", " Ada.Lovelace@sch.example ", true],
    ["Elm-Road-School-1", "ada@elm-road.sch.example", true],
    ["ada-Bob-12", "ada@sch.example", false],
    ["anna-Bob-12", "anna@sch.example", true],
    ["bobs-sch-12", "ada@sch.example", false],
    ["Farthing-2026", "", false],
  ])("Y1 %s holds %s: %s", (password, email, holds) => expect(containsEmail(password, email)).toBe(holds));
});

describe("M2 what a login form takes", () => {
  const password = "x";
  it.each([
    ["a@b.example", "x", true],
    ["a@b.example", "x".repeat(128), true],
    ["a@b.example", "x".repeat(129), false],
    ["a@b.example", "", false],
    ["no address", password, false],
  ])("M2 %s with %s: %s", (email, typed, is) => {
    expect(loginSchema.safeParse({ email, password: typed }).success).toBe(is);
  });

  test("M2 an address of 254 characters is the longest, and one character has one form", () => {
    const long = (length: number) =>
      `${"a".repeat(64)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(length - 194)}.example`;
    expect(emailSchema.safeParse(long(246)).success).toBe(true);
    expect(emailSchema.safeParse(`${" ".repeat(9)}${long(246)}`).success).toBe(true);
    expect(emailSchema.safeParse(`${"a".repeat(300)}@b.example`).success).toBe(false);
  });
});

describe("S1 a member's secret at rest", () => {
  const keys: SecretKeys = ["a key in use"];
  const sealed = sealSecret("JBSWY3DPEHPK3PXP", { memberId: "m1", keys });

  test("S1 opens for its member and says nothing by itself", () => {
    expect(openSecret(sealed, { memberId: "m1", keys })).toBe("JBSWY3DPEHPK3PXP");
    expect(sealed).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("JBSWY3DPEHPK3PXP");
    expect(sealSecret("JBSWY3DPEHPK3PXP", { memberId: "m1", keys })).not.toBe(sealed);
    for (const text of ["", "é", "x".repeat(1000)])
      expect(openSecret(sealSecret(text, { memberId: "m1", keys }), { memberId: "m1", keys })).toBe(text);
  });

  test("S1 what was sealed before a new release opens after it", () => {
    const before = "2XI33CLtRqpV0VApG025z0mpIjiKzfd3t3q2ZI1vxtEc0_A20KuZPaRta6M";
    expect(openSecret(before, { memberId: "m1", keys })).toBe("JBSWY3DPEHPK3PXP");
  });

  test("S1 opens with any of the keys that were in use, and is sealed with the first", () => {
    expect(openSecret(sealed, { memberId: "m1", keys: ["new", "other", "a key in use"] })).toBe("JBSWY3DPEHPK3PXP");
    const anew = sealSecret("x", { memberId: "m1", keys: ["new", "a key in use"] });
    expect(openSecret(anew, { memberId: "m1", keys: ["new"] })).toBe("x");
    expect(() => openSecret(anew, { memberId: "m1", keys })).toThrow(/FARTHING_OLD_SECRETS/);
  });

  test("S1 moved to another member's row, opened with another key, changed or cut short it opens nothing, and the error says what to do", () => {
    const bytes = Buffer.from(sealed, "base64url");
    const changed = (at: number) => {
      const copy = Buffer.from(bytes);
      copy[at]! ^= 1;
      return copy.toString("base64url");
    };
    expect(() => openSecret(sealed, { memberId: "m2", keys })).toThrow(/FARTHING_OLD_SECRETS/);
    expect(() => openSecret(sealed, { memberId: "m1", keys: ["another"] })).toThrow(/key that is not known/);
    for (const at of [0, 11, 12, 27, 28, bytes.length - 1])
      expect(() => openSecret(changed(at), { memberId: "m1", keys })).toThrow(/FARTHING_OLD_SECRETS/);
    // GCM knows short tags: four bytes of the right one are not enough.
    const empty = Buffer.from(sealSecret("", { memberId: "m1", keys }), "base64url");
    for (const length of [16, 20, 24, 27])
      expect(() => openSecret(empty.subarray(0, length).toString("base64url"), { memberId: "m1", keys })).toThrow(
        /authentication tag/i,
      );
    expect(() => openSecret(sealed.slice(0, 20), { memberId: "m1", keys })).toThrow(/authentication tag/i);
  });
});

describe("S1 links in mails", () => {
  test("S1 each kind of link works for its own time", () => {
    expect(tokenLifeMs).toEqual({
      "confirm-email": 24 * hour,
      "reset-password": hour,
      "add-email": 24 * hour,
      "undo-email-change": 7 * 24 * hour,
    });
  });
});

describe("S1 codes from an app (RFC 6238)", () => {
  // The RFC's own secret and moments; its codes have eight digits, of which apps show the last six.
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  it.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("S1 at %i s the code is %s", (seconds, code) => {
    expect(totpCode(secret, new Date(seconds * 1000))).toBe(code);
  });

  const step = Math.floor(now.getTime() / 30_000);
  const codeAt = (steps: number) => totpCode(secret, new Date((step + steps) * 30_000));
  const match = (code: string, lastStep = 0) => matchTotp(secret, code, { at: now, lastStep });

  it.each([
    [-2, null],
    [-1, -1],
    [0, 0],
    [1, 1],
    [2, null],
  ])("S1 a code of %i steps from now belongs to %j", (steps, found) => {
    expect(match(codeAt(steps))).toBe(found === null ? null : step + found);
  });

  test("S1 a code is worth something once, and none from before it afterwards", () => {
    expect(match(codeAt(0), step - 1)).toBe(step);
    expect(match(codeAt(0), step)).toBeNull();
    expect(match(codeAt(-1), step)).toBeNull();
    expect(match(codeAt(1), step)).toBe(step + 1);
  });

  test("S1 spaces and hyphens do not matter; anything else but six digits is no code, and no error", () => {
    const code = codeAt(0);
    expect(match(` ${code.slice(0, 3)} - ${code.slice(3)} `)).toBe(step);
    for (const typed of [
      "",
      code.slice(1),
      `${code}0`,
      `0${code}`,
      `a${code.slice(1)}`,
      "１２３４５６",
      `${code}x`,
      `x${code}`,
    ])
      expect(match(typed)).toBeNull();
  });

  test("S1 secrets have 160 bits and differ, and the address for apps says whose they are", () => {
    const secrets = Array.from({ length: 20 }, newTotpSecret);
    expect(new Set(secrets).size).toBe(20);
    for (const one of secrets) expect(one).toMatch(/^[A-Z2-7]{32}$/);
    const uri = new URL(totpUri(secret, { issuer: "Chalk & Side", account: "ada@sch.example" }));
    expect(uri.protocol).toBe("otpauth:");
    expect(decodeURIComponent(uri.pathname)).toContain("Chalk & Side:ada@sch.example");
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      ...{ secret, issuer: "Chalk & Side", algorithm: "SHA1", digits: "6", period: "30" },
    });
  });
});
