import { describe, expect, test } from "vitest";
import { openSecret, sealSecret, type SecretKeys } from "./sealed-secret.ts";

describe("S1 a member's secret at rest", () => {
  const keys: SecretKeys = ["a key in use"];
  const sealed = sealSecret("JBSWY3DPEHPK3PXP", { memberId: "m1", keys });

  test("S1 a secret is decrypted for its member and is unreadable at rest", () => {
    expect(openSecret(sealed, { memberId: "m1", keys })).toBe("JBSWY3DPEHPK3PXP");
    expect(sealed).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("JBSWY3DPEHPK3PXP");
    expect(sealSecret("JBSWY3DPEHPK3PXP", { memberId: "m1", keys })).not.toBe(sealed);
    for (const text of ["", "é", "x".repeat(1000)])
      expect(openSecret(sealSecret(text, { memberId: "m1", keys }), { memberId: "m1", keys })).toBe(text);
  });

  test("S1 a secret that an earlier release encrypted is decrypted", () => {
    const before = "2XI33CLtRqpV0VApG025z0mpIjiKzfd3t3q2ZI1vxtEc0_A20KuZPaRta6M";
    expect(openSecret(before, { memberId: "m1", keys })).toBe("JBSWY3DPEHPK3PXP");
  });

  test("S1 a secret is encrypted with the first key and decrypted with any of them", () => {
    expect(openSecret(sealed, { memberId: "m1", keys: ["new", "other", "a key in use"] })).toBe("JBSWY3DPEHPK3PXP");
    const anew = sealSecret("x", { memberId: "m1", keys: ["new", "a key in use"] });
    expect(openSecret(anew, { memberId: "m1", keys: ["new"] })).toBe("x");
    expect(() => openSecret(anew, { memberId: "m1", keys })).toThrow(/FARTHING_OLD_SECRETS/);
  });

  test("S1 a secret of another member, of an unknown key, changed or truncated is refused with an error that says what to do", () => {
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
    // GCM allows short tags: four bytes of the right one must not be enough.
    const empty = Buffer.from(sealSecret("", { memberId: "m1", keys }), "base64url");
    for (const length of [16, 20, 24, 27])
      expect(() => openSecret(empty.subarray(0, length).toString("base64url"), { memberId: "m1", keys })).toThrow(
        /authentication tag/i,
      );
    expect(() => openSecret(sealed.slice(0, 20), { memberId: "m1", keys })).toThrow(/authentication tag/i);
  });
});
