import type { AccessView } from "@farthing/core/account-access/queries.server.ts";
import type { EndedBy } from "@farthing/core/account-access/rules.ts";
import { clock, dayAndMonth } from "../../ui/text/british-dates.ts";

const endings: Record<EndedBy, string> = {
  member: "You ended it.",
  operator: "They ended it.",
  time: "It ended by itself.",
  club: "We ended it.",
};

/** Returns what became of a request, for the member. */
export function accessWords(request: AccessView, now: Date): string {
  const { operator, standing, askedAt, startedAt, endsAt, endedBy } = request;
  const at = (moment: Date) => `${dayAndMonth(moment, now)} at ${clock(moment)}`;
  switch (standing) {
    case "asked":
      return `${operator} asked on ${at(askedAt)} and waits for your answer.`;
    case "allowed":
      return `You said yes to ${operator}. They have not looked yet.`;
    case "running":
      return `${operator} is in your account now, until ${clock(endsAt ?? now)} at the latest.`;
    case "refused":
      return `${operator} asked on ${at(askedAt)}. You said no.`;
    case "lapsed":
      return `${operator} asked on ${at(askedAt)}. Nobody looked, and the question is over.`;
    case "withdrawn":
      return `${operator} asked on ${at(askedAt)}, and it was taken back before anybody looked.`;
    case "over": {
      const until = endsAt ? `, until ${clock(endsAt)} at the latest` : "";
      const ended = endedBy ? ` ${endings[endedBy]}` : "";
      return `${operator} looked at your account on ${startedAt ? at(startedAt) : at(askedAt)}${until}.${ended}`;
    }
  }
}

/** Returns how much was seen and changed; null where nobody has looked. */
export function seenWords({
  startedAt,
  pagesSeen,
  changesMade,
}: Pick<AccessView, "startedAt" | "pagesSeen" | "changesMade">): string | null {
  if (startedAt === null) return null;
  const pages = pagesSeen === 1 ? "1 page" : `${pagesSeen} pages`;
  const changes =
    changesMade === 0 ? "changed nothing" : changesMade === 1 ? "sent 1 form" : `sent ${changesMade} forms`;
  return `They opened ${pages} and ${changes}.`;
}
