import { describe, expect, test } from "vitest";
import { matchTotp, totpCode } from "../sign-in/totp.ts";
import { acceptedSteps, stepAt } from "./rules.ts";

const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const noon = Date.UTC(2026, 10, 20, 12);
const second = 1_000;
const hour = 3_600 * second;
/** Codes as phones show them at the right time while the server's clock is off. */
const offBy = [0, 20 * second, -20 * second, hour, -hour];

describe("codes while the server's clock jumps", () => {
  test("M6 a device uses the clock of the server that it last asked: its codes are valid again once it has asked the jumped one", () => {
    const shown = (server: number, offset: number) => acceptedSteps(server).includes(stepAt(noon + offset));
    for (const jump of offBy) {
      expect(shown(noon + jump, jump), "after it asked").toBe(true);
      expect(shown(noon + jump, 0), "before").toBe(Math.abs(jump) < 30 * second);
    }
  });

  test("S1 a code from an app is refused while the server is off by more than a minute, and accepted again afterwards", () => {
    const code = totpCode(secret, new Date(noon));
    const spend = (server: number, lastStep: number) => matchTotp(secret, code, { at: new Date(server), lastStep });
    for (const jump of [hour, -hour]) {
      expect(spend(noon + jump, 0), "while it is off").toBeNull();
      expect(spend(noon, 0), "once it is right").not.toBeNull();
    }
  });

  test("S1 no jump makes a spent code valid again, or spends future codes", () => {
    const code = totpCode(secret, new Date(noon));
    const spent = matchTotp(secret, code, { at: new Date(noon + 20 * second), lastStep: 0 }) ?? 0;
    expect(spent).toBeGreaterThan(0);
    for (const jump of offBy)
      expect(matchTotp(secret, code, { at: new Date(noon + jump), lastStep: spent })).toBeNull();
    // The code's own step is spent, not the server's: the next code is valid however far the clock was off.
    const next = totpCode(secret, new Date(noon + 30 * second));
    expect(matchTotp(secret, next, { at: new Date(noon + 30 * second), lastStep: spent })).toBe(spent + 1);
  });
});
