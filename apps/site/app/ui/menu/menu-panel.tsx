import type { MenuItem } from "@farthing/core/brands/brand.ts";

/** A section's second and third level: a panel of groups on a wide window, two levels of the sheet on a narrow one. */
export function MenuPanel({ id, groups, path }: { id: string; groups: MenuItem[]; path: string }) {
  return (
    <div className="menu-panel" id={id}>
      <div className="menu-panel-row">
        <ul role="list" className="menu-groups">
          {groups.map((group, index) => (
            <li key={group.href} className="menu-group">
              <a href={group.href} className="menu-group-name" aria-current={group.href === path ? "page" : undefined}>
                {group.label}
              </a>
              <div className="menu-links" id={`${id}-${index}`}>
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
          ))}
        </ul>
        {groups[0] && <Feature group={groups[0]} />}
      </div>
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
