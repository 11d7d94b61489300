import type { RootData } from "../../root-data.ts";
import { MainMenu } from "../menu/main-menu.tsx";
import { SearchForm } from "../search/search-form.tsx";
import { Wordmark } from "./wordmark.tsx";

/** The top of every page: wordmark, search, account and menu. */
export function SiteHeader({ data, hasSearch }: { data: RootData; hasSearch: boolean }) {
  const { brand, member, memberPages, path } = data;
  return (
    <header id="site-header" className="site-header" tabIndex={-1}>
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
            <>
              <a href="/register" className="site-account-join" data-tracking="join">
                Join
              </a>
              <a href="/login" className="button is-quiet">
                Log in
              </a>
            </>
          )}
        </div>
        <button type="button" className="menu-button" popoverTarget="site-menu">
          <svg width="22" height="16" viewBox="0 0 22 16" aria-hidden="true">
            <path d="M1 2h20M1 8h20M1 14h20" stroke="currentColor" strokeWidth="2.500" strokeLinecap="round" />
          </svg>
          <span>Menu</span>
        </button>
        <MainMenu menu={brand.menu} path={path}>
          {member ? (
            <div className="site-menu-account">
              <p className="soft">Signed in as {member.name}</p>
              <LogOutForm />
              <ul role="list" className="menu-member">
                {memberPages.map(({ label, href }) => (
                  <li key={href}>
                    <a href={href} aria-current={href === path ? "page" : undefined}>
                      {label}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ) : (
            <div className="site-menu-account">
              <p className="soft">New here?</p>
              <a href="/register" className="button" data-tracking="join">
                Create account
              </a>
            </div>
          )}
        </MainMenu>
      </div>
    </header>
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
