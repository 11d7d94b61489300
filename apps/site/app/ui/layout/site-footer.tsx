import type { MenuItem } from "@farthing/core/brands/brand.ts";
import type { ReactNode } from "react";
import type { RootData } from "../../root-data.ts";
import { BackToTop } from "./back-to-top.tsx";
import { InfoPopup } from "../overlays/info-popup.tsx";
import { Wordmark } from "./wordmark.tsx";

/** The foot of every page: the club, links, help, apps, legal pages, and how the club earns money. */
export function SiteFooter({ data }: { data: RootData }) {
  const { brand, now } = data;
  const { ios, android } = brand.storeLinks;
  return (
    <footer className="site-footer">
      <div className="wrap site-footer-columns">
        <div className="site-footer-brand">
          <Wordmark name={brand.name} />
          <p>{brand.strapline}</p>
          {(ios ?? android) && (
            <ul role="list" className="site-footer-apps">
              {ios && <AppLink href={ios} store="App Store" system="iPhone" />}
              {android && <AppLink href={android} store="Google Play" system="Android" />}
            </ul>
          )}
        </div>
        {columns(brand.menu).map(({ label, items }) => (
          <Column key={label} label={label} items={items} />
        ))}
        <Column label="Help" items={[{ label: "Questions and answers", href: "/faq" }]}>
          <li>
            <a href="/#how-it-works">How cashback works</a>
            <InfoPopup id="about-cashback" about="cashback">
              Shops pay us when you buy through our links. A share of that is yours: it shows in your account within
              days, and is yours once the shop has confirmed the purchase and paid us.
            </InfoPopup>
          </li>
          <li>
            <a href="/status">Does everything work?</a>
          </li>
          <li>
            <a href="/partners">For partners</a>
          </li>
          <li>
            <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>
          </li>
        </Column>
      </div>
      <div className="wrap site-footer-legal">
        <p>
          {brand.name} is a free members’ club for {brand.audience}. Shops pay us commission when you buy; your share of
          it is your cashback. The rate that held when you followed our link is the one you are paid. Offers are the
          shops’ own and can end early.
        </p>
        <div className="site-footer-end">
          <p>
            © {now.getUTCFullYear()} {brand.name}
          </p>
          <nav aria-label="Legal">
            <ul role="list">
              {brand.legalPages.map(({ slug, title }) => (
                <li key={slug}>
                  <a href={`/legal/${slug}`} data-tracking={slug === "terms" ? "terms_and_conditions" : undefined}>
                    {title}
                  </a>
                </li>
              ))}
              <li>
                <a href="/cookies">Cookie settings</a>
              </li>
            </ul>
          </nav>
          <BackToTop />
        </div>
      </div>
    </footer>
  );
}

function Column({ label, items, children }: { label: string; items: MenuItem[]; children?: ReactNode }) {
  return (
    <nav aria-label={`${label}, at the foot of the page`}>
      <h2 className="label">{label}</h2>
      <ul role="list">
        {items.map((item) => (
          <li key={item.href + item.label}>
            <a href={item.href}>{item.label}</a>
          </li>
        ))}
        {children}
      </ul>
    </nav>
  );
}

function AppLink({ href, store, system }: { href: string; store: string; system: string }) {
  return (
    <li>
      <a href={href} rel="noopener">
        <span>Get the app for {system}</span>
        <b>{store}</b>
      </a>
    </li>
  );
}

/** Returns the menu's top links as one column, and its first two groups as a column each. */
function columns(menu: MenuItem[]): { label: string; items: MenuItem[] }[] {
  const groups = menu
    .filter((item) => item.items && item.items.length > 0)
    .map(({ label, items = [] }) => ({ label, items: items.slice(0, 8) }));
  return [{ label: "Explore", items: menu }, ...groups.slice(0, 2)];
}
