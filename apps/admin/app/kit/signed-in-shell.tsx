import { may, type Permission, roleWords } from "@farthing/core/operators/permissions.ts";
import type { SessionOperator } from "@farthing/core/operators/sessions.server.ts";
import { type ReactNode, use } from "react";
import { pageEntries, sections, type Section } from "../../pages.ts";
import { ShellContext } from "../shell-context.ts";
import { LookSwitch } from "./look-switch.tsx";

/** A page that the menu and the palette lead to. */
export interface MenuEntry {
  section: Section;
  label: string;
  path: string;
  keys: string | undefined;
}

/** Returns the pages of the menu that an operator may see. */
export function menuOf({ role }: Pick<SessionOperator, "role">): MenuEntry[] {
  return pageEntries.flatMap(([path, { menu, see }]) =>
    menu && may(role, see as Permission) ? [{ section: menu.section, label: menu.label, path, keys: menu.keys }] : [],
  );
}

/** The frame around every page of an operator: menu, search, who is signed in. */
export function SignedInShell({ operator, children }: { operator: SessionOperator; children: ReactNode }) {
  const { path } = use(ShellContext);
  const entries = menuOf(operator);
  const own = path.split("?", 1)[0] ?? path;
  const current = entries
    .filter((entry) => own === entry.path || own.startsWith(`${entry.path}/`))
    .toSorted((one, other) => other.path.length - one.path.length)[0];
  return (
    <div className="shell">
      <header className="bar">
        <a className="bar-mark" href="/admin">
          Farthing <span>admin</span>
        </a>
        {may(operator.role, "members.see") && (
          <form className="bar-search" role="search" action="/admin/members">
            <label htmlFor="bar-search">Find a member</label>
            <input
              id="bar-search"
              type="search"
              name="q"
              placeholder="Name, e-mail, order, click …"
              aria-keyshortcuts="/"
            />
          </form>
        )}
        <button
          type="button"
          className="bar-palette needs-script"
          data-opens-palette
          aria-keyshortcuts="Control+K Meta+K"
        >
          Go to … <kbd>Ctrl K</kbd>
        </button>
        <details className="bar-account">
          <summary>
            {operator.name} <span className="soft">{roleWords[operator.role].name}</span>
          </summary>
          <div className="bar-account-menu">
            <p className="soft">{operator.email}</p>
            <LookSwitch />
            <p>
              <a href="/admin/keys">Keyboard shortcuts</a>
            </p>
            <form method="post" action="/admin/sign-out">
              <button className="button">Sign out</button>
            </form>
          </div>
        </details>
      </header>
      <details className="menu-fold">
        <summary>Menu{current ? `: ${current.label}` : ""}</summary>
        <Menu entries={entries} current={current} label="Sections, folded" />
      </details>
      <div className="menu-side">
        <Menu entries={entries} current={current} label="Sections" />
      </div>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <dialog className="palette" aria-label="Go to" data-palette={JSON.stringify(entries)}>
        <label htmlFor="palette-search">Go to</label>
        <input
          id="palette-search"
          type="text"
          autoComplete="off"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
        />
        <div id="palette-list" role="listbox" aria-label="Pages" />
      </dialog>
    </div>
  );
}

function Menu({ entries, current, label }: { entries: MenuEntry[]; current: MenuEntry | undefined; label: string }) {
  const bySection = Map.groupBy(entries, ({ section }) => section);
  return (
    <nav className="menu" aria-label={label}>
      {(Object.keys(sections) as Section[])
        .filter((section) => bySection.has(section))
        .map((section) => (
          <div key={section} className="menu-section">
            {section !== "home" && <p className="menu-heading">{sections[section]}</p>}
            <ul>
              {bySection.get(section)?.map((entry) => (
                <li key={entry.path}>
                  <a href={entry.path} aria-current={entry === current ? "page" : undefined}>
                    {entry.label}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
    </nav>
  );
}
