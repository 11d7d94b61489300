import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { signOf } from "./device-secret.ts";
import { acceptedSteps, groupedCode, msLeft, readCode, sixCharacters, stepAt, STEP_SECONDS } from "./rules.ts";
import { codeVectors, vectorSecret } from "./vectors.testing.ts";

describe("codes of a digital ID", () => {
  test.each(codeVectors)("M6 the sign of $handle at step $step is $sign", ({ handle, step, sign }) => {
    expect(signOf(vectorSecret, handle, step)).toBe(sign);
  });

  test("M6 the first thirty bits become six characters", () => {
    expect(sixCharacters(Uint8Array.from([0, 0, 0, 0, 0]))).toBe("000000");
    expect(sixCharacters(Uint8Array.from([255, 255, 255, 255, 255]))).toBe("ZZZZZZ");
    // 00001 00010 00011 00100 00101 00110 00
    expect(sixCharacters(Uint8Array.from([0b00001000, 0b10000110, 0b01000010, 0b10011000]))).toBe("123456");
  });

  test("M6 a code is shown for one step, accepted one step to each side, and invalid sixty seconds after it appeared", () => {
    const appeared = 1_000 * STEP_SECONDS * 1000;
    const taken = (ms: number) => acceptedSteps(ms).includes(stepAt(appeared));
    expect(taken(appeared - 30_001)).toBe(false);
    expect(taken(appeared - 30_000)).toBe(true);
    expect(taken(appeared + 59_999)).toBe(true);
    expect(taken(appeared + 60_000)).toBe(false);
  });

  test("M6 the rest of a step is more than zero and at most a step", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (ms) => {
        expect(msLeft(ms)).toBeGreaterThan(0);
        expect(msLeft(ms)).toBeLessThanOrEqual(STEP_SECONDS * 1000);
        expect(stepAt(ms + msLeft(ms))).toBe(stepAt(ms) + 1);
      }),
    );
  });

  test("M6 reads a code with small letters, groups, O for 0, and I and L for 1", () => {
    expect(readCode("K7Q29MXA4TB0")).toEqual({ handle: "K7Q29M", sign: "XA4TB0" });
    expect(readCode(" k7q2-9mxa 4tbo ")).toEqual({ handle: "K7Q29M", sign: "XA4TB0" });
    expect(readCode("Ilq2–9mxa–4tb0")).toEqual({ handle: "11Q29M", sign: "XA4TB0" });
    expect(readCode(groupedCode("K7Q29MXA4TB0"))).toEqual(readCode("K7Q29MXA4TB0"));
  });

  test.each([null, "", "K7Q29MXA4TB", "K7Q29MXA4TB00", "K7Q29MXA4TBU", "<script>", "é".repeat(12), "0".repeat(5000)])(
    "S2 %j is no code",
    (typed) => expect(readCode(typed)).toBeNull(),
  );

  test("S2 reading any text throws nothing", () => {
    fc.assert(fc.property(fc.string({ maxLength: 60 }), (typed) => void readCode(typed)));
  });
});
