const MINUTE_MS = 60_000;

/** How long an operator may act as a member, and wait for the member's yes (A3). */
export const accessTimes = {
  /** From the question: after it the answer, and an unused yes, are worth nothing. */
  lapsesMs: 24 * 60 * MINUTE_MS,
  /** One session, from its start. */
  sessionMs: 30 * MINUTE_MS,
  /** The link that starts the session. */
  ticketMs: 5 * MINUTE_MS,
} as const;

/** How often all operators together may ask one member within `lapsesMs`: each question is an e-mail. */
export const MAX_REQUESTS_A_DAY = 3;

export const accessStates = ["asked", "allowed", "running", "refused", "ended"] as const;
export type AccessState = (typeof accessStates)[number];

/** From which states a request comes into each. Time changes none of them: `standingOf` does. */
export const accessComesFrom = {
  asked: [],
  allowed: ["asked"],
  running: ["allowed"],
  refused: ["asked"],
  ended: ["asked", "allowed", "running"],
} as const satisfies Record<AccessState, readonly AccessState[]>;

/**
 * Who ended a request; `time`: it lapsed; `club`: the member was suspended or recovered the account, or the operator may
 * not act as members any more.
 */
export type EndedBy = "member" | "operator" | "time" | "club";

/** What a request is worth now. */
export type Standing =
  /** It waits for the member. */
  | "asked"
  /** The member has said yes, and the operator has not started. */
  | "allowed"
  | "running"
  | "refused"
  /** Nobody used it in time. */
  | "lapsed"
  /** It was taken back before it began. */
  | "withdrawn"
  /** The operator has been there. */
  | "over";

/** Returns what a request is worth at `now`. `isLive`: the operator still has the session and the role that it began with. */
export function standingOf(
  request: {
    state: AccessState;
    lapsesAt: Date;
    startedAt: Date | null;
    endsAt: Date | null;
    isLive: boolean;
  },
  now: Date,
): Standing {
  const { state, lapsesAt, startedAt, endsAt, isLive } = request;
  switch (state) {
    case "asked":
    case "allowed":
      return lapsesAt > now ? state : "lapsed";
    case "running":
      return isLive && endsAt !== null && endsAt > now ? "running" : "over";
    case "refused":
      return "refused";
    case "ended":
      return startedAt === null ? "withdrawn" : "over";
  }
}

/** Returns whether something may still come of a request. */
export function isOpen(standing: Standing): boolean {
  return standing === "asked" || standing === "allowed" || standing === "running";
}

/** Returns the minutes until `endsAt`, rounded up: at least 1. */
export function minutesLeft(endsAt: Date, now: Date): number {
  return Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / MINUTE_MS));
}
