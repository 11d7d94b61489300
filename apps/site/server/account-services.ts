import type { Visit } from "./visit.ts";

export type SlowDown = { outcome: "slow-down"; retryAfterSeconds: number };

export type LogInResult =
  /**
   * `headers` carry the session's Set-Cookie. `next` is where the person was going, if the server kept it. `memberId` is
   * for the log.
   */
  | { outcome: "logged-in"; headers: Headers; next?: string; memberId: string }
  /** The password was right and a code is required next. `headers` carry the cookie of that step. */
  | { outcome: "second-step"; headers: Headers }
  /** The password was right, but the address is not confirmed. A new link has been sent. */
  | { outcome: "unconfirmed" }
  /** The same outcome for a wrong password, an unknown e-mail and anything else that is wrong. */
  | { outcome: "refused" }
  | SlowDown;

/**
 * What a browser's passkey dialog needs: WebAuthn's options as JSON, and the signed challenge, which is posted back
 * with the answer.
 */
export interface PasskeyQuestion {
  optionsJson: string;
  challenge: string;
}

/** The browser's answer, as the page posts it. */
export interface PasskeyAnswer {
  challenge: string;
  answerJson: string;
}

/** Sign-in, recovery and identity checks: everything that needs the server's keys, password hashing or cookies. */
export interface AccountServices {
  logIn(
    visit: Visit,
    request: Request,
    credentials: { email: string; password: string; next?: string },
  ): Promise<LogInResult>;
  /**
   * Completes the second step with a code from the app or a recovery code. "expired" means that the person has to log
   * in again.
   */
  logInWithCode(visit: Visit, request: Request, code: string): Promise<LogInResult | { outcome: "expired" }>;
  askForPasskey(visit: Visit): PasskeyQuestion;
  logInWithPasskey(visit: Visit, request: Request, answer: PasskeyAnswer): Promise<LogInResult>;
  /** Ends this session. `headers` clear its cookie. */
  logOut(visit: Visit, request: Request): Promise<Headers>;
  /**
   * Returns a new password as it is stored (argon2id). Hashes a few at a time; throws HashingBusy, with
   * `retryAfterSeconds`, where too many wait.
   */
  hashPassword(password: string): Promise<string>;
  /**
   * Opens a session for a member who has just proved their identity, and ends the one that the request came with.
   * `headers` carry the new Set-Cookie.
   */
  openSession(visit: Visit, request: Request, memberId: string): Promise<Headers>;

  /**
   * Replaces the member's session after a change of how the account is opened. The new session is no fresher. `headers`
   * carry its Set-Cookie.
   */
  rotateSession(visit: Visit, request: Request): Promise<Headers>;

  /**
   * Confirms the identity of a signed-in member before a sensitive change: with the password and, where two-step
   * sign-in is on, with a code or a recovery code.
   */
  confirmWithPassword(
    visit: Visit,
    request: Request,
    proof: { password: string; code: string },
  ): Promise<LogInResult | { outcome: "wrong-code" }>;
  confirmWithPasskey(visit: Visit, request: Request, answer: PasskeyAnswer): Promise<LogInResult>;
  changePassword(
    visit: Visit,
    request: Request,
    passwords: { present: string; wanted: string },
  ): Promise<{ outcome: "changed"; headers: Headers } | { outcome: "refused" } | SlowDown>;
  /** Returns "noted" for known and unknown addresses alike, unless the visitor asks too often. */
  forgotPassword(visit: Visit, email: string): Promise<{ outcome: "noted" } | SlowDown>;
  resetPassword(
    visit: Visit,
    reset: { token: string; password: string },
  ): Promise<{ outcome: "reset" } | { outcome: "bad-token" } | SlowDown>;

  /** Returns what to scan with an app; null where two-step sign-in is on. */
  prepareSecondFactor(visit: Visit): Promise<{ secret: string; uri: string } | null>;
  turnOnSecondFactor(
    visit: Visit,
    request: Request,
    code: string,
  ): Promise<{ outcome: "on"; recoveryCodes: string[]; headers: Headers } | { outcome: "refused" } | SlowDown>;
  turnOffSecondFactor(visit: Visit, request: Request): Promise<Headers>;
  renewRecoveryCodes(visit: Visit, request: Request): Promise<{ recoveryCodes: string[]; headers: Headers } | null>;

  prepareNewPasskey(visit: Visit): Promise<PasskeyQuestion>;
  addPasskey(
    visit: Visit,
    answer: PasskeyAnswer & { name: string },
  ): Promise<{ outcome: "added" } | { outcome: "refused" }>;
}
