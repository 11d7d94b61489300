import type { ReactNode } from "react";

export interface Crumb {
  label: string;
  href: string;
}

/** A page's title, the way back, and what can be done on it. */
export function PageHead({
  title,
  crumbs = [],
  intro,
  children,
}: {
  title: string;
  crumbs?: readonly Crumb[];
  intro?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <header className="page-head">
      <title>{`${title} · Admin`}</title>
      {crumbs.length > 0 && (
        <nav aria-label="You are here" className="crumbs">
          {crumbs.map(({ label, href }) => (
            <a key={href} href={href}>
              {label}
            </a>
          ))}
        </nav>
      )}
      <div className="page-head-line">
        <h1>{title}</h1>
        {children && <div className="page-head-acts">{children}</div>}
      </div>
      {intro && <p className="soft">{intro}</p>}
    </header>
  );
}
