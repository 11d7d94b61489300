import type { ReactNode } from "react";

/** A page or section without content: the theme's drawing, plain words, and a next step. */
export function EmptyState({
  title,
  children,
  isPage = false,
}: {
  title: string;
  children: ReactNode;
  isPage?: boolean;
}) {
  const Heading = isPage ? "h1" : "h2";
  return (
    <div className="empty-state">
      <div className="empty-state-art" aria-hidden="true" />
      <Heading className={isPage ? "display page-title" : "display section-title"}>{title}</Heading>
      {children}
    </div>
  );
}
