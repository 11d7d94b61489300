import { findStatus } from "@farthing/core/status/find-status.server.ts";
import { holds, noticesOfStatus, noticeWords, type ShownNotice } from "@farthing/core/notices/rules.ts";
import { type AreaStatus, statusSummary, statusWords } from "@farthing/core/status/rules.ts";
import { href } from "react-router";
import { servicesContext, visitContext } from "../../site-context.ts";
import { noticeTimes } from "../../ui/layout/notice-times.ts";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import { clock, pastDay } from "../../ui/text/british-dates.ts";
import type { Route } from "./+types/status-page";
import stylesheet from "./status-page.css?url";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

/** /status: whether what members care about works, in words (P6). */
export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const { brand } = context.get(visitContext);
  const moment = now();
  const areas = await findStatus(db, { brandId: brand.id, hasGiftCards: brand.features.giftCards, now: moment });
  const notices = noticesOfStatus(brand.notices, moment);
  return { areas, notices, now: moment, supportEmail: brand.supportEmail };
}

export default function StatusPage({ loaderData: { areas, notices, now, supportEmail } }: Route.ComponentProps) {
  const hasTrouble = notices.some((notice) => notice.kind === "trouble" && holds(notice, now));
  return (
    <div className="wrap page status-page">
      <PageHead
        title="Does everything work?"
        description="Whether the site, tracking, confirmations, payouts and e-mails work at the moment."
        path={href("/status")}
        isPrivate
      />
      <header>
        <h1 className="display page-title">Does everything work?</h1>
        <p className="status-summary">
          {hasTrouble ? "Not everything works: read what we know." : statusSummary(areas)}
        </p>
      </header>
      {notices.length > 0 && (
        <ul role="list" className="status-notices" aria-label="Notices">
          {notices.map((notice) => (
            <Notice key={notice.id} notice={notice} now={now} />
          ))}
        </ul>
      )}
      <ul role="list" className="status-areas">
        {areas.map((status) => (
          <Area key={status.area} status={status} now={now} />
        ))}
      </ul>
      <p className="soft">
        Something else? Write to <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
      </p>
    </div>
  );
}

/** What operators have written. */
function Notice({ notice, now }: { notice: ShownNotice; now: Date }) {
  const { kind, title, text } = notice;
  // What is over has no end: its time is that of the bar.
  const times = noticeTimes(kind === "over" ? { ...notice, until: null } : notice, now);
  return (
    <li className={`is-${kind}`}>
      <p className="status-notice-kind">{`${noticeWords[kind]}, ${times}`}</p>
      <h2>{title}</h2>
      <p className="status-notice-text">{text}</p>
    </li>
  );
}

function Area({ status, now }: { status: AreaStatus; now: Date }) {
  const { name, says, follows } = statusWords(status, (moment) => when(moment, now));
  return (
    <li className={status.isLate ? "is-late" : undefined}>
      <h2>{name}</h2>
      <p className="status-mark">{status.isLate ? "Late" : "Works"}</p>
      <p className="status-words">{follows === null ? says : `${says} ${follows}`}</p>
    </li>
  );
}

/** Returns `14:32 today` or `14:32 on 18 November`, in London. */
function when(moment: Date, now: Date): string {
  return `${clock(moment)} ${pastDay(moment, now)}`;
}
