/** How often a member is asked, and how long a link is valid (M7): asking must not become nagging. */
export const carerMigrationLimits = { askAgainDays: 30, maxAsked: 3, linkDays: 7, resendMinutes: 5 } as const;

const DAY_MS = 24 * 60 * 60 * 1000;

export interface AskedBefore {
  state: "later" | "agreed" | "moved";
  timesPutOff: number;
  askAgainAt: Date | null;
}

/**
 * Returns whether to ask a member now: not while the question is put off, at most `maxAsked` times, and not after they
 * have agreed.
 */
export function isAskedNow(before: AskedBefore | null, now: Date): boolean {
  if (before === null) return true;
  if (before.state !== "later") return false;
  return before.timesPutOff < carerMigrationLimits.maxAsked && before.askAgainAt !== null && before.askAgainAt <= now;
}

export function askAgainAt(now: Date): Date {
  return new Date(now.getTime() + carerMigrationLimits.askAgainDays * DAY_MS);
}

export function linkExpiresAt(now: Date): Date {
  return new Date(now.getTime() + carerMigrationLimits.linkDays * DAY_MS);
}

/** Returns the words of the consent, as they are stored. */
export function consentWords({ fromName, toName }: { fromName: string; toName: string }): string {
  return `${fromName} may pass my name, e-mail address, date of birth and password to ${toName}, which makes an account for me once I confirm it by e-mail. My ${fromName} account stays as it is, with all I have earned.`;
}
