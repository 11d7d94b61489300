/** Notices: what operators tell everybody about the running of the site (P6). Pure. */

export const noticeKinds = ["planned", "trouble", "over"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** What a notice is, in the words of pages. */
export const noticeWords: Record<NoticeKind, string> = {
  planned: "Planned work",
  trouble: "Trouble",
  over: "Over",
};

/** A notice as pages show it. */
export interface ShownNotice {
  id: string;
  kind: NoticeKind;
  title: string;
  text: string;
  since: Date;
  /** Null: until an operator ends it. */
  until: Date | null;
}

/** Returns whether a notice holds: from `since` on, and no longer at `until`. */
export function holds({ since, until }: Pick<ShownNotice, "since" | "until">, now: Date): boolean {
  return since <= now && (until === null || now < until);
}

/** Returns what a page shows at the top: the notice that holds and began last. */
export function leadingNotice<Notice extends ShownNotice>(notices: readonly Notice[], now: Date): Notice | null {
  return notices.filter((notice) => holds(notice, now)).toSorted((one, other) => +other.since - +one.since)[0] ?? null;
}

/** How long before it begins planned work is on the status page. */
const AHEAD_DAYS = 14;

/** Returns what the status page shows: what holds, and what is planned for the next 14 days; what began first comes first. */
export function noticesOfStatus<Notice extends ShownNotice>(notices: readonly Notice[], now: Date): Notice[] {
  const ahead = new Date(now.getTime() + AHEAD_DAYS * 86_400_000);
  return notices
    .filter(
      (notice) => holds(notice, now) || (notice.kind === "planned" && notice.since > now && notice.since <= ahead),
    )
    .toSorted((one, other) => +one.since - +other.since);
}
