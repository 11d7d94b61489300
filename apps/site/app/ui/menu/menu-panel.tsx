import type { MenuItem } from "@farthing/core/brands/brand.ts";
import { useLocation } from "react-router";

/** A section's second and third level: a panel of groups on a wide window, two levels of the sheet on a narrow one. */
export function MenuPanel({
  id,
  section: { label, items: groups = [] },
  openGroup,
  onOpenGroup,
  onBack,
}: {
  id: string;
  section: MenuItem;
  openGroup: number | undefined;
  /** Null on wide windows, where a group is a link to its page and its own links stand below it. */
  onOpenGroup: ((group: number) => void) | null;
  onBack: () => void;
}) {
  const { pathname } = useLocation();
  return (
    <div className="menu-panel" id={id}>
      {onOpenGroup && <LevelHead title={label} back="Menu" onBack={onBack} />}
      <div className="menu-panel-row">
        <ul role="list" className="menu-groups">
          {groups.map((group, index) => {
            const isOpen = openGroup === index;
            return (
              <li key={group.href} className="menu-group" data-open={isOpen || undefined}>
                <a
                  href={group.href}
                  className="menu-group-name"
                  aria-current={group.href === pathname ? "page" : undefined}
                  {...(onOpenGroup && {
                    role: "button",
                    "aria-expanded": isOpen,
                    "aria-controls": `${id}-${index}`,
                    onClick: (event) => {
                      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
                      event.preventDefault();
                      onOpenGroup(index);
                    },
                  })}
                >
                  {group.label}
                </a>
                <div className="menu-links" id={`${id}-${index}`}>
                  {onOpenGroup && <LevelHead title={group.label} back={label} onBack={onBack} />}
                  <ul role="list">
                    {(group.items ?? []).map((item) => (
                      <li key={item.href + item.label}>
                        <a href={item.href} className={item.href === group.href ? "is-all" : undefined}>
                          {item.label}
                        </a>
                      </li>
                    ))}
                  </ul>
                </div>
              </li>
            );
          })}
        </ul>
        {groups[0] && <Feature group={groups[0]} />}
      </div>
    </div>
  );
}

/** The head of a level of the sheet: Back and the title. */
function LevelHead({ title, back, onBack }: { title: string; back: string; onBack: () => void }) {
  return (
    <div className="menu-level-head">
      <button type="button" className="menu-back" onClick={onBack}>
        <svg width="10" height="16" viewBox="0 0 10 16" aria-hidden="true">
          <path d="M8 2 2 8l6 6" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
        </svg>
        <span className="visually-hidden">Back to </span>
        {back}
      </button>
      <h2 className="display" tabIndex={-1}>
        {title}
      </h2>
    </div>
  );
}

/** The picture beside the groups. It loads when the panel is shown. */
function Feature({ group: { label, href } }: { group: MenuItem }) {
  return (
    <a href={href} className="menu-feature">
      <img src={`/art${href}.svg`} alt="" width="320" height="200" loading="lazy" />
      <span className="label">What’s on in</span>
      <span className="display">{label}</span>
    </a>
  );
}
