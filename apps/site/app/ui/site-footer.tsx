import type { MenuItem } from "@farthing/core/brands/brand.ts";
import type { RootData } from "../root.tsx";
import { Wordmark } from "./wordmark.tsx";

/** The foot of every page: what the club is, where to go, whom to ask, and how it is paid. */
export function SiteFooter({ data }: { data: RootData }) {
  const { brand, now } = data;
  return (
    <footer className="site-footer">
      <div className="wrap site-footer-columns">
        <div className="site-footer-brand">
          <Wordmark name={brand.name} />
          <p>{brand.strapline}</p>
        </div>
        {columns(brand.menu).map(({ label, items }) => (
          <nav key={label} aria-label={`${label}, at the foot of the page`}>
            <h2 className="label">{label}</h2>
            <ul role="list">
              {items.map((item) => (
                <li key={item.href + item.label}>
                  <a href={item.href}>{item.label}</a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <div>
          <h2 className="label">Help</h2>
          <ul role="list">
            <li>
              <a href="/#how-it-works">How cashback works</a>
            </li>
            <li>
              <a href="/partners">For partners</a>
            </li>
            <li>
              <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>
            </li>
          </ul>
        </div>
      </div>
      <div className="wrap site-footer-legal">
        <p>
          {brand.name} is a free members’ club for {brand.audience}. Shops pay us commission when you buy; your share of
          it is your cashback. The rate that held when you followed our link is the one you are paid. Offers are the
          shops’ own and can end early.
        </p>
        <p>
          © {now.getUTCFullYear()} {brand.name}
        </p>
      </div>
    </footer>
  );
}

/** The menu's top links in one column, and each of its groups, at most two, in one of its own. */
function columns(menu: MenuItem[]): { label: string; items: MenuItem[] }[] {
  const groups = menu
    .filter((item) => item.items && item.items.length > 0)
    .map(({ label, items = [] }) => ({ label, items: items.slice(0, 8) }));
  return [{ label: "Explore", items: menu }, ...groups.slice(0, 2)];
}
