import type { MenuItem } from "@farthing/core/brands/brand.ts";
import { type FocusEvent, type KeyboardEvent, type ReactNode, useRef } from "react";
import { useLocation } from "react-router";
import { MenuPanel } from "./menu-panel.tsx";
import { moveFocus } from "./move-focus.ts";
import { useHoverIntent } from "./use-hover-intent.ts";
import { useMenu } from "./use-menu.ts";

const allRetailers: MenuItem = { label: "All retailers", href: "/retailers" };

/**
 * The brand's menu, three levels in one list (D6). From 1024 px its first level is a row whose sections open panels;
 * below, it is a sheet that slides from level to level. Without script every entry is a link, and panels open on hover
 * and focus.
 */
export function MainMenu({ menu, children }: { menu: MenuItem[]; children?: ReactNode }) {
  const { nav, mode, at, show, back } = useMenu();
  const { pathname } = useLocation();
  const list = useRef<HTMLUListElement>(null);
  const hover = useHoverIntent({
    isActive: mode === "wide",
    open: at.section,
    isPinned: at.isPinned,
    onOpen: (section) => show({ section, isPinned: false }),
    onClose: () => show({}),
  });

  /** Handles the arrow keys along the row and into the panel, and Home and End. */
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (mode !== "wide" || event.altKey || event.ctrlKey || event.metaKey) return;
    const trigger = (event.target as Element).closest<HTMLElement>(".menu-trigger");
    const panel = (event.target as Element).closest<HTMLElement>(".menu-panel");
    if (trigger && (event.key === " " || event.key === "ArrowDown")) {
      const section = Number(trigger.dataset["section"] ?? -1);
      if (section < 0) return;
      event.preventDefault();
      if (event.key === "ArrowDown") show({ section, isPinned: true }, ".menu-panel a");
      else trigger.click();
    } else if (trigger && moveFocus(list.current, ".menu-trigger", event.key, ["ArrowLeft", "ArrowRight"])) {
      event.preventDefault();
    } else if (panel && moveFocus(panel, "a", event.key, ["ArrowUp", "ArrowDown"])) {
      event.preventDefault();
    }
  }

  function onBlur({ relatedTarget, currentTarget }: FocusEvent) {
    if (mode === "wide" && relatedTarget && !currentTarget.contains(relatedTarget)) show({});
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles keys and focus of the links and buttons inside
    <nav
      ref={nav}
      id="site-menu"
      className="site-menu"
      aria-label="Main"
      popover="auto"
      data-level={at.group !== undefined ? 2 : at.section !== undefined ? 1 : 0}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    >
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
      <ul role="list" className="menu-sections" ref={list} {...hover.ofRow}>
        {menu.map((item, section) => {
          const isOpen = at.section === section;
          const groups = item.items ?? [];
          const isCurrent = groups.some(({ href }) => href === pathname);
          return (
            <li key={item.label} className="menu-section" data-open={isOpen || undefined} {...hover.ofSection(section)}>
              <a
                href={item.href}
                className="menu-trigger"
                data-section={section}
                data-current={isCurrent || undefined}
                {...(mode !== "plain" &&
                  groups.length > 0 && {
                    role: "button",
                    "aria-expanded": isOpen,
                    "aria-controls": `menu-panel-${section}`,
                    onClick: (event) => {
                      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
                      event.preventDefault();
                      const isPinned = isOpen && at.isPinned;
                      show(mode === "wide" && isPinned ? {} : { section, isPinned: true });
                    },
                  })}
              >
                {item.label}
              </a>
              {groups.length > 0 && (
                <MenuPanel
                  id={`menu-panel-${section}`}
                  section={item}
                  openGroup={isOpen ? at.group : undefined}
                  onOpenGroup={mode === "narrow" ? (group) => show({ section, group }) : null}
                  onBack={back}
                />
              )}
            </li>
          );
        })}
        <li>
          <a
            href={allRetailers.href}
            className="menu-trigger"
            aria-current={pathname === allRetailers.href ? "page" : undefined}
          >
            {allRetailers.label}
          </a>
        </li>
      </ul>
      {children}
    </nav>
  );
}
