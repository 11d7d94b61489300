/** A member's standing (members.verification), and a request's way (verification_requests.state). */
export type Verification = "unverified" | "submitted" | "verified" | "rejected" | "lapsed";
export type RequestState = "submitted" | "accepted" | "rejected" | "replaced";
export type RequestEvent = "accept" | "reject" | "replace";

/** The whole of what can happen to a request: what is not here is refused. */
export const requestTransitions: Record<RequestState, Partial<Record<RequestEvent, RequestState>>> = {
  submitted: { accept: "accepted", reject: "rejected", replace: "replaced" },
  accepted: {},
  rejected: {},
  replaced: {},
};

/** States from which an event is possible: the guard of the update. */
export function statesBefore(event: RequestEvent): RequestState[] {
  return (Object.keys(requestTransitions) as RequestState[]).filter((state) => requestTransitions[state][event]);
}

export type MemberEvent = "submit" | "accept" | "reject" | "run-out";

/**
 * How a member's standing follows. Renewal overlaps: who is verified stays so while proof is looked at, and a refusal takes nothing away that has
 * not run out (complaints 8).
 */
export const memberTransitions: Record<Verification, Partial<Record<MemberEvent, Verification>>> = {
  unverified: { submit: "submitted", accept: "verified" },
  submitted: { submit: "submitted", accept: "verified", reject: "rejected" },
  verified: { submit: "verified", accept: "verified", reject: "verified", "run-out": "lapsed" },
  rejected: { submit: "submitted", accept: "verified" },
  lapsed: { submit: "submitted", accept: "verified", reject: "rejected" },
};

/** @throws RangeError for an event that can't happen then */
export function memberAfter(verification: Verification, event: MemberEvent): Verification {
  const next = memberTransitions[verification][event];
  if (!next) throw new RangeError(`A member who is ${verification} can't ${event}`);
  return next;
}

const dayMs = 24 * 60 * 60 * 1000;

export const verificationDays = {
  /** How long a decision holds. */
  valid: 365,
  /** From how long before its end it can be renewed. */
  renewable: 60,
  /** When a member is told of the end. */
  notice: 30,
  /** How long after the decision the file is kept, for a question about it. */
  keepFile: 14,
} as const;

export function addDays(date: Date, days: number): Date {
  return new Date(date.getTime() + days * dayMs);
}

/** Until when a decision of `now` holds: a renewal adds to what is left, so that nobody loses days by being early. */
export function validUntil({ now, verifiedUntil }: { now: Date; verifiedUntil: Date | null }): Date {
  const from = verifiedUntil && verifiedUntil > now ? verifiedUntil : now;
  return addDays(from, verificationDays.valid);
}

/** Whether a member may send proof now: always, but who is verified only when the end comes near. */
export function maySubmit({
  verification,
  verifiedUntil,
  now,
}: {
  verification: Verification;
  verifiedUntil: Date | null;
  now: Date;
}): boolean {
  if (verification !== "verified") return true;
  return verifiedUntil !== null && addDays(verifiedUntil, -verificationDays.renewable) <= now;
}

export const workEmailLimits = { linkHours: 24, sendsPerDay: 5, sendsPerMailboxPerDay: 3 } as const;
export const UPLOADS_PER_HOUR = 20;

/** The mailbox behind an address: without what stands after a plus, so that one person at work is one mailbox. */
export function mailboxOf(email: string): string {
  const [local = "", domain = ""] = email.toLowerCase().split("@");
  return `${local.split("+")[0]}@${domain}`;
}

export interface WorkDomain {
  domain: string;
  withSubdomains: boolean;
}

export function isWorkEmail(email: string, domains: readonly WorkDomain[]): boolean {
  const host = email.toLowerCase().split("@").at(-1) ?? "";
  return domains.some(
    ({ domain, withSubdomains }) => host === domain || (withSubdomains && host.endsWith(`.${domain}`)),
  );
}
