import type { MenuItem } from "@farthing/core/brands/brand.ts";
import { useLocation } from "react-router";
import type { RootData } from "../root.tsx";
import { SearchForm } from "./search-form.tsx";
import { Wordmark } from "./wordmark.tsx";

const allRetailers: MenuItem = { label: "All retailers", href: "/retailers" };

/** The top of every page. The menu is a popover on narrow windows and a row on wide ones: one list, no script. */
export function SiteHeader({ data, hasSearch }: { data: RootData; hasSearch: boolean }) {
  const { brand, member } = data;
  return (
    <header className="site-header">
      <div className="wrap site-header-bar">
        <Wordmark name={brand.name} />
        {hasSearch && <SearchForm />}
        <div className="site-account">
          {member ? (
            <>
              <span className="site-account-name">{member.name}</span>
              <a href="/profile">Profile</a>
              <LogOutForm />
            </>
          ) : (
            <a href="/login" className="button is-quiet">
              Log in
            </a>
          )}
        </div>
        <button type="button" className="menu-button" popoverTarget="site-menu">
          <svg width="22" height="16" viewBox="0 0 22 16" aria-hidden="true">
            <path d="M1 2h20M1 8h20M1 14h20" stroke="currentColor" strokeWidth="2.500" strokeLinecap="round" />
          </svg>
          <span>Menu</span>
        </button>
        <nav id="site-menu" className="site-menu" aria-label="Main" popover="auto">
          <div className="site-menu-top">
            <span className="display">Menu</span>
            <button type="button" className="link-button" popoverTarget="site-menu" popoverTargetAction="hide">
              Close
            </button>
          </div>
          <MenuList items={[...brand.menu, allRetailers]} path={useLocation().pathname} />
          {member && (
            <div className="site-menu-account">
              <p className="soft">Signed in as {member.name}</p>
              <LogOutForm />
            </div>
          )}
        </nav>
      </div>
    </header>
  );
}

function MenuList({ items, path }: { items: MenuItem[]; path: string }) {
  return (
    <ul role="list">
      {items.map((item) => (
        <li key={item.href + item.label}>
          <a href={item.href} aria-current={item.href === path ? "page" : undefined}>
            {item.label}
          </a>
          {item.items && item.items.length > 0 && (
            <details className="site-menu-more">
              <summary>
                <span className="visually-hidden">More in {item.label}</span>
              </summary>
              <MenuList items={item.items} path={path} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

function LogOutForm() {
  return (
    <form action="/logout" method="post">
      <button type="submit" className="link-button">
        Log out
      </button>
    </form>
  );
}
