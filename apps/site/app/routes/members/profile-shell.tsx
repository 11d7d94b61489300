import type { ReactNode } from "react";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { type ProfilePageKey, profilePages } from "./profile-pages.ts";

/** The frame of all pages of a member's account: the heading, and the navigation to the other pages. */
export function ProfileShell({
  current,
  title,
  lead,
  parent,
  isNotSaved = false,
  children,
}: {
  current: ProfilePageKey;
  /** Heading and title of the page. */
  title: string;
  /** A line under the heading. */
  lead?: ReactNode;
  /** The parent page, where it is in the navigation. */
  parent?: { href: string; label: string };
  /** Whether a form of the page was sent, and its member had to prove first who they are. */
  isNotSaved?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="wrap page profile">
      <PageHead title={title} isPrivate />
      <nav className="profile-nav" aria-label="Your account">
        <ul role="list">
          {profilePages.map(({ key, label, href }) => (
            <li key={key}>
              <a href={href} aria-current={key === current ? "page" : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {parent && (
        <p className="profile-parent">
          <a href={parent.href}>{parent.label}</a>
        </p>
      )}
      <header className="profile-head">
        <h1 className="display page-title">{title}</h1>
      </header>
      {lead && <p className="profile-lead soft">{lead}</p>}
      {isNotSaved && (
        <Notice tone="warn" isUrgent title="Nothing was saved. Please send it again.">
          <p>We had to be sure that it is you.</p>
        </Notice>
      )}
      {children}
      <form action="/logout" method="post" className="profile-log-out">
        <button type="submit" className="link-button">
          Log out
        </button>
      </form>
    </div>
  );
}
