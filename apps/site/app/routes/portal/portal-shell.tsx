import type { ReactNode } from "react";
import { isRouteErrorResponse, useRouteError } from "react-router";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import type { PortalFrame } from "./portal.server.ts";
import portalStylesheet from "./portal.css?url";

export const portalLinks = () => [{ rel: "stylesheet", href: portalStylesheet }];

/** A page of the portal: its bar, the search, and the page's own content. The page around the frame says whose it is. */
export function PortalShell({
  title,
  frame,
  query,
  hasSearch = true,
  children,
}: {
  title: string;
  frame: PortalFrame | null;
  /** What was searched for. */
  query?: string;
  hasSearch?: boolean;
  children: ReactNode;
}) {
  const inBasket = frame?.inBasket ?? 0;
  return (
    <div className={frame?.isHome ? "portal is-home" : "portal"}>
      <PageHead title={title} isPrivate />
      <div className="portal-bar">
        <a href="/portal" className="portal-name">
          {/* The page around it has that heading. */}
          {frame?.isHome ? "All gift cards" : "Gift cards"}
        </a>
        <nav aria-label="Gift cards">
          <a href="/portal/orders">Orders</a>
          <a href="/portal/basket" className={inBasket > 0 ? "portal-basket is-filled" : "portal-basket"}>
            Basket
            {inBasket > 0 && (
              <span className="portal-count">
                {inBasket}
                <span className="visually-hidden"> {inBasket === 1 ? "card" : "cards"}</span>
              </span>
            )}
          </a>
        </nav>
      </div>
      {frame?.isTest && <p className="notice is-warn">Test mode: you can look around, but no cards are sold.</p>}
      {hasSearch && <PortalSearch query={query} />}
      {children}
    </div>
  );
}

function PortalSearch({ query = "" }: { query?: string | undefined }) {
  return (
    <search className="portal-search">
      <form action="/portal/search" method="get" className="search-form">
        <label htmlFor="portal-q" className="visually-hidden">
          Search gift cards
        </label>
        <input
          id="portal-q"
          type="search"
          name="q"
          defaultValue={query}
          maxLength={200}
          placeholder="Search gift cards"
          autoComplete="off"
          enterKeyHint="search"
        />
        <button type="submit" className="button">
          Search
        </button>
      </form>
    </search>
  );
}

/** What went wrong, on every page of the portal. */
export function PortalError() {
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const { title, text } = errors[status as keyof typeof errors] ?? errors[500];
  return (
    <PortalShell title={title} frame={null} hasSearch={false}>
      <h1 className="display page-title">{title}</h1>
      <p>{text}</p>
      {status !== 401 && (
        <p>
          <a className="button" href="/portal">
            All gift cards
          </a>
        </p>
      )}
    </PortalShell>
  );
}

const errors = {
  401: {
    title: "This page can’t be opened by itself",
    text: "It belongs inside the page that you came from, for half an hour at most. Go back there and open the gift cards again. If that does not help, your browser keeps no cookies there: allow them for this site.",
  },
  404: { title: "Nothing to see here", text: "There is no such page, card or order in this session." },
  500: {
    title: "Something broke on our side",
    text: "Nothing was paid by this. Your basket is kept: try again in a moment.",
  },
} as const;
