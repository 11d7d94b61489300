import type { ReactNode } from "react";
import { PageHead } from "../../ui/page-head.tsx";
import { type ProfilePageKey, profilePages } from "./profile-pages.ts";

/** What all pages of a member's account share: the heading and the way to the others. Their loaders send strangers to /login?next=…. */
export function ProfileShell({
  current,
  title,
  lead,
  children,
}: {
  current: ProfilePageKey;
  /** Heading and title of the page. */
  title: string;
  /** A line under the heading. */
  lead?: ReactNode;
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
      <header className="profile-head">
        <div>
          <h1 className="display page-title">{title}</h1>
          {lead && <p className="soft">{lead}</p>}
        </div>
        <form action="/logout" method="post" className="profile-log-out">
          <button type="submit" className="link-button">
            Log out
          </button>
        </form>
      </header>
      {children}
    </div>
  );
}
