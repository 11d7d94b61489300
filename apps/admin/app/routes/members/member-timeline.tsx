import type { TimelineEvent } from "@farthing/core/members/timeline.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { use } from "react";
import { ShellContext } from "../../shell-context.ts";
import { Badge } from "../../kit/facts.tsx";
import { Moment } from "../../kit/moment.tsx";

/** The kinds of events; the server's module that reads them stays out of what is drawn. */
const kinds = [
  ["", "Everything"],
  ["account", "Account"],
  ["membership", "Membership"],
  ["mail", "E-mail"],
  ["shopping", "Shopping"],
  ["money", "Money"],
  ["operator", "Operators"],
] as const;
const names: Record<string, string> = Object.fromEntries(kinds);

/** Everything that happened, newest first, narrowed by kind. */
export function MemberTimeline({
  events,
  kind,
  older,
  path,
}: {
  events: readonly TimelineEvent[];
  kind: string;
  /** Where the next page begins; null: this is the last. */
  older: string | null;
  path: string;
}) {
  return (
    <section className="panel" aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <nav className="acts" aria-label="Kinds of events">
        {kinds.map(([value, label]) => (
          <a
            key={value}
            href={value ? `${path}?kind=${value}` : path}
            aria-current={value === kind ? "true" : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      {events.length === 0 && <p className="soft">Nothing of this kind.</p>}
      <ol className="timeline">
        {events.map((event, at) => (
          // Events have no id of their own, and the list is not changed in the browser.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at}>
            <Moment at={event.at} /> <Badge>{names[event.kind]}</Badge> <What event={event} />
            {event.pence !== null && (
              <>
                {" "}
                <Amount pence={event.pence} />
              </>
            )}
            {event.detail && <div className="soft">{event.detail}</div>}
          </li>
        ))}
      </ol>
      {older && (
        <p>
          <a href={`${path}?${new URLSearchParams({ ...(kind && { kind }), before: older })}`}>Older</a>
        </p>
      )}
    </section>
  );
}

const pages: Record<string, (id: string) => string> = {
  payout: (id) => `/admin/payouts/${id}`,
  click: (id) => `/admin/ledger/clicks/${id}`,
  goodwill: (id) => `/admin/members/${id}/goodwill`,
};

/** What happened, as a link where it has a page that this operator may open. */
function What({ event: { about, path: ownPath, what } }: { event: TimelineEvent }) {
  const { operator } = use(ShellContext);
  if (ownPath) return <a href={ownPath}>{what}</a>;
  const [kind = "", id = ""] = (about ?? "").split(" ");
  const path = Object.hasOwn(pages, kind) ? pages[kind]?.(id) : undefined;
  return path && operator && may(operator.role, "money.see") ? <a href={path}>{what}</a> : <>{what}</>;
}
