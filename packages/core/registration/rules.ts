/** Returns the date in London: 2026-11-20. A person who turns eighteen may join from midnight there. */
export function londonDate(now: Date): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/London", dateStyle: "short" }).format(now);
}

/**
 * Returns the age in whole years on a day, both as 2026-11-20. A person born on 29 February ages on 1 March of a
 * common year.
 */
export function ageOn(dateOfBirth: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return today.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}

/** Maximum age in years; an earlier year of birth is taken for a slip. */
export const MAX_AGE = 120;

/** How long an unfinished registration can be resumed. */
export const DRAFT_DAYS = 7;

export const registrationLimits = {
  /** From one network address, which may be that of a whole school: step one sent, and accounts made. */
  starts: { tries: 60, windowSeconds: 60 * 60 },
  accounts: { tries: 30, windowSeconds: 60 * 60 },
  /** Invitations that were opened and do not exist: whoever tries codes. */
  invitations: { tries: 30, windowSeconds: 60 * 60 },
  /**
   * Mails to one e-mail address that registrations cause. Beyond the limit none is sent, and the page says the same.
   */
  mails: { tries: 3, windowSeconds: 24 * 60 * 60 },
} as const;

const places: Record<string, string> = {
  GB: "United Kingdom",
  IM: "Isle of Man",
  JE: "Jersey",
  GG: "Guernsey",
  IE: "Ireland",
  GI: "Gibraltar",
};

/** Returns the name of a country or territory of residence by its code. */
export function placeName(code: string): string {
  return places[code] ?? new Intl.DisplayNames("en-GB", { type: "region" }).of(code) ?? code;
}

/** Returns the words that a person agrees to; stored with the consent (`member_consents`). */
export function consentWording(kind: "terms" | "offers-by-email", brandName: string): string {
  return kind === "terms"
    ? `I agree to the terms of ${brandName} and have read its privacy notice.`
    : `Send me ${brandName}’s offers by e-mail. I can stop this at any time.`;
}

/**
 * Minimum duration of an answer to step two: far longer than the work, so that the time does not reveal whether an
 * address has an account (S1).
 */
export const EVEN_ANSWER_MS = 400;

/** Returns an e-mail address that its owner recognises and others can't use. */
export function emailHint(email: string): string {
  const [local = "", domain = ""] = email.split("@");
  return `${local.slice(0, 1)}…@${domain}`;
}
