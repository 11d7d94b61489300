import type { Logger } from "./logger.ts";

export type SignInFactor = "password" | "code" | "passkey";

/**
 * One line for each try to sign in, or to confirm who one is (OWASP ASVS 5.0 16.3.1). Nobody is named: what was typed may
 * be another person's address, or a password in the wrong field.
 */
export interface SignInLine {
  requestId: string;
  factor: SignInFactor;
  /** As the page was told: `logged-in`, `open`, `second-step`, `refused`, `slow-down` and so on. */
  outcome: string;
  /** Whether somebody who is signed in confirms who they are. */
  again?: true;
  brand?: string | undefined;
  /** The id of who was proved. */
  member?: string | undefined;
  operator?: string | undefined;
}

/** Logs tries to sign in, as `sign-in`; those that failed are warnings. */
export function logSignIns(logger: Pick<Logger, "info" | "warn">): (line: SignInLine) => void {
  return (line) => {
    const isFailure = line.outcome === "refused" || line.outcome === "slow-down";
    logger[isFailure ? "warn" : "info"](line, "sign-in");
  };
}
