import type { MenuItem } from "@farthing/core/brands/brand.ts";
import type { ReactNode } from "react";
import { MenuPanel } from "./menu-panel.tsx";

const allRetailers: MenuItem = { label: "All retailers", href: "/retailers" };

/**
 * The brand's menu, three levels in one list (D6). From 1024 px its first level is a row whose sections open panels;
 * below, it is a sheet that slides from level to level (menu.behaviour.ts). Without script every entry is a link, and
 * panels open on hover and focus. `path` is the page's own.
 */
export function MainMenu({ menu, path, children }: { menu: MenuItem[]; path: string; children?: ReactNode }) {
  return (
    <nav id="site-menu" className="site-menu" aria-label="Main" popover="auto" data-level="0">
      <div className="site-menu-top">
        {/* Gets the focus when the sheet opens, so that a screen reader announces the sheet. */}
        <p className="site-menu-title display" tabIndex={-1}>
          Menu
        </p>
        <button type="button" className="site-menu-close" popoverTarget="site-menu" popoverTargetAction="hide">
          <span className="visually-hidden">Close menu</span>
          <svg width="16" height="16" viewBox="0 0 14 14" aria-hidden="true">
            <path d="m2 2 10 10M12 2 2 12" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
          </svg>
        </button>
      </div>
      <ul role="list" className="menu-sections">
        {menu.map((section, index) => {
          const groups = section.items ?? [];
          return (
            <li key={section.label} className="menu-section">
              <a
                href={section.href}
                className="menu-trigger"
                data-current={groups.some(({ href }) => href === path) || undefined}
              >
                {section.label}
              </a>
              {groups.length > 0 && <MenuPanel id={`menu-panel-${index}`} groups={groups} path={path} />}
            </li>
          );
        })}
        <li>
          <a
            href={allRetailers.href}
            className="menu-trigger"
            aria-current={path === allRetailers.href ? "page" : undefined}
          >
            {allRetailers.label}
          </a>
        </li>
      </ul>
      {children}
      <template>
        <LevelHead />
      </template>
    </nav>
  );
}

/** The head of a level of the sheet, Back and the title. Script copies it into the levels and writes their labels. */
function LevelHead() {
  return (
    <div className="menu-level-head">
      <button type="button" className="menu-back">
        <svg width="10" height="16" viewBox="0 0 10 16" aria-hidden="true">
          <path d="M8 2 2 8l6 6" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
        </svg>
        <span className="visually-hidden">Back to </span>
      </button>
      <h2 className="display" tabIndex={-1}>
        Menu
      </h2>
    </div>
  );
}
