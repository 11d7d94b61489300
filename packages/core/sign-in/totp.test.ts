import { describe, expect, test } from "vitest";
import { matchTotp, newTotpSecret, totpCode, totpUri } from "./totp.ts";

const now = new Date("2026-11-20T12:00:00Z");

describe("M2 S1 codes from an app (RFC 6238)", () => {
  // Test vectors of RFC 6238; its codes have eight digits, of which apps show the last six.
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  test.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("M2 at %i s the code is %s", (seconds, code) => {
    expect(totpCode(secret, new Date(seconds * 1000))).toBe(code);
  });

  const step = Math.floor(now.getTime() / 30_000);
  const codeAt = (steps: number) => totpCode(secret, new Date((step + steps) * 30_000));
  const match = (code: string, lastStep = 0) => matchTotp(secret, code, { at: now, lastStep });

  test.each([
    [-2, null],
    [-1, -1],
    [0, 0],
    [1, 1],
    [2, null],
  ])("S1 a code of %i steps from now belongs to %j", (steps, found) => {
    expect(match(codeAt(steps))).toBe(found === null ? null : step + found);
  });

  test("S1 a code works once, and earlier codes do not work after it", () => {
    expect(match(codeAt(0), step - 1)).toBe(step);
    expect(match(codeAt(0), step)).toBeNull();
    expect(match(codeAt(-1), step)).toBeNull();
    expect(match(codeAt(1), step)).toBe(step + 1);
  });

  test("S1 ignores spaces and hyphens, and refuses anything but six digits without an error", () => {
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

  test("S1 secrets have 160 bits and differ, and their address names issuer and account", () => {
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
