import { noticeWords, type ShownNotice } from "@farthing/core/notices/rules.ts";
import { href } from "react-router";
import { noticeTimes } from "./notice-times.ts";

/**
 * What operators tell everybody about the running of the site, while it holds (P6): in one line, which leads to the status page. It can't be
 * closed: it goes when it is over.
 */
export function NoticeBar({ notice, now }: { notice: ShownNotice; now: Date }) {
  const { kind, title, until } = notice;
  return (
    <aside className={`notice-bar is-${kind}`} aria-label={noticeWords[kind]}>
      <p className="wrap">
        <strong>{noticeWords[kind]}:</strong> <a href={href("/status")}>{title}</a>
        {until && kind !== "over" && <span>, {noticeTimes({ since: null, until }, now)}</span>}
      </p>
    </aside>
  );
}
