/** Returns whether a queue's oldest work has been due for longer than a threshold allows (A3). Pure. */
export function isLate(nextDue: Date | null, { now, minutes }: { now: Date; minutes: number }): boolean {
  return nextDue !== null && now.getTime() - nextDue.getTime() > minutes * 60_000;
}
