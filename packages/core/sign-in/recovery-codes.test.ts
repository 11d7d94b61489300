import { describe, expect, test } from "vitest";
import { newRecoveryCodes, RECOVERY_CODE_COUNT, recoveryCodeHash, typedRecoveryCode } from "./recovery-codes.ts";

describe("S1 recovery codes", () => {
  test("S1 makes ten different codes in two groups of five, without characters that look alike", () => {
    const codes = newRecoveryCodes();
    expect(codes).toHaveLength(RECOVERY_CODE_COUNT);
    expect(RECOVERY_CODE_COUNT).toBe(10);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{5}-[A-HJKMNP-Z2-9]{5}$/);
  });

  test("S1 every letter occurs", () => {
    const letters = new Set(
      Array.from({ length: 100 }, () => newRecoveryCodes().join(""))
        .join("")
        .replaceAll("-", ""),
    );
    expect([...letters].sort().join("")).toBe("23456789ABCDEFGHJKMNPQRSTUVWXYZ");
  });

  test.each([
    ["7K3MQ-X24TV", "7K3MQX24TV"],
    [" 7k3mq x24tv ", "7K3MQX24TV"],
    ["7k3mqx24tv", "7K3MQX24TV"],
    ["7–K3MQ•X24TV", "7K3MQX24TV"],
    ["7K3MQ-X24T", null],
    ["7K3MQ-X24TVA", null],
    ["", null],
  ])("S1 reads %j as %j", (typed, code) => expect(typedRecoveryCode(typed)).toBe(code));

  test("S1 a code's hash does not depend on how it is typed, and differs by member, code and key", () => {
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

  test("S1 a code that an earlier release made is still accepted", () => {
    expect(recoveryCodeHash("7K3MQ-X24TV", { memberId: "m1", key: "k1" })).toBe(
      "-n4cCNPLQFJgFov5sSotD9c1a-ye4so8F57TyXm7Gyk",
    );
  });
});
