import type { Visit } from "./visit.ts";

export type SlowDown = { outcome: "slow-down"; retryAfterSeconds: number };

export type LogInResult =
  /** `headers` carry the session's Set-Cookie; `next` where the person was going, if the server kept it. */
  | { outcome: "logged-in"; headers: Headers; next?: string }
  /** The password was right and a code is asked for next; `headers` carry the cookie of that step. */
  | { outcome: "second-step"; headers: Headers }
  /** The password was right, but the address is not confirmed: a new link is on its way. */
  | { outcome: "unconfirmed" }
  /** One answer for a wrong password, an unknown e-mail and whatever else is not right. */
  | { outcome: "refused" }
  | SlowDown;

/** What a browser's passkey dialog is given: WebAuthn's options as JSON, and the challenge with our signature, to be posted back with the answer. */
export interface PasskeyQuestion {
  optionsJson: string;
  challenge: string;
}

/** What a browser answered, as the page posts it. */
export interface PasskeyAnswer {
  challenge: string;
  answerJson: string;
}

/** Signing in, getting back in, and what proves who one is: what needs the server's keys, its password hashing or cookies. */
export interface AccountServices {
  logIn(
    visit: Visit,
    request: Request,
    credentials: { email: string; password: string; next?: string },
  ): Promise<LogInResult>;
  /** The second step, with a code from the app or a recovery code; "expired": log in anew. */
  logInWithCode(visit: Visit, request: Request, code: string): Promise<LogInResult | { outcome: "expired" }>;
  askForPasskey(visit: Visit): PasskeyQuestion;
  logInWithPasskey(visit: Visit, request: Request, answer: PasskeyAnswer): Promise<LogInResult>;
  /** Ends this session; `headers` clear its cookie. */
  logOut(visit: Visit, request: Request): Promise<Headers>;
  /** A new password as it is stored (argon2id), at most a few at a time. Throws HashingBusy, with `retryAfterSeconds`, where too many wait. */
  hashPassword(password: string): Promise<string>;
  /** A new session for a member who has just proved who they are, and the end of the one that came along; `headers` carry its Set-Cookie. */
  openSession(visit: Visit, request: Request, memberId: string): Promise<Headers>;

  /** Another session in place of the member's own after a change of how the account is opened, no fresher than it; `headers` carry its Set-Cookie. */
  rotateSession(visit: Visit, request: Request): Promise<Headers>;

  /** The member signed in shows again who they are, before sensitive changes: with the password and, where two-step sign-in is on, with a code or a recovery code. */
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
  /** Always "noted", for known and unknown addresses alike, unless the visitor asks too often. */
  forgotPassword(visit: Visit, email: string): Promise<{ outcome: "noted" } | SlowDown>;
  resetPassword(
    visit: Visit,
    reset: { token: string; password: string },
  ): Promise<{ outcome: "reset" } | { outcome: "bad-token" } | SlowDown>;

  /** What to scan with an app; null where two-step sign-in is on. */
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
