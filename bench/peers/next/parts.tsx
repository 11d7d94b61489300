/** The peer's own components: the same content in as many bytes as our pages, without importing their code. */
import type { MenuItem } from "@farthing/core/brands/brand.ts";
import type { OfferCard as OfferCardView, RetailerCard } from "@farthing/core/catalogue/catalogue-view.ts";
import { summariseRates } from "@farthing/core/catalogue/rate-wording.ts";
import type { ReactNode } from "react";
import { FavouriteButton, MenuSection, SearchForm } from "./client-parts.tsx";
import type { BenchVisit } from "./visit.ts";

const kindWords: Readonly<Record<string, string>> = {
  cashback: "Cashback",
  code: "Code",
  deal: "Deal",
  in_store: "In store",
  gift_card: "Gift card",
  app_exclusive: "In the app",
};

const DAY_MS = 86_400_000;

function RetailerMark({ slug, size }: { slug: string; size: number }) {
  return (
    <img
      className="retailer-mark"
      src={`/art/retailers/${slug}.svg`}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
    />
  );
}

function endsSoon(endsAt: Date | null, now: Date): string | null {
  const days = endsAt === null ? Infinity : Math.floor((endsAt.getTime() - now.getTime()) / DAY_MS);
  return days < 1 ? "Ends today" : days < 2 ? "Ends tomorrow" : days < 7 ? `${days} days left` : null;
}

function OfferCard({ offer, now }: { offer: OfferCardView; now: Date }) {
  const ends = endsSoon(offer.endsAt, now);
  return (
    <div className="offer-card" data-kind={offer.kind}>
      <div className="offer-card-top">
        <RetailerMark slug={offer.retailer.slug} size={44} />
        <p className="offer-card-retailer">{offer.retailer.name}</p>
      </div>
      <h3 className="offer-card-headline display">
        <a
          href={`/offers/${offer.slug}?offer=${offer.publicId}`}
          data-tracking="offer_listing_clicks"
          data-tracking-offer-id={offer.publicId}
          data-tracking-retailer={offer.retailer.name}
        >
          <span className="offer-card-sticker">{offer.headline}</span>
          <span className="visually-hidden">{`: ${offer.title}, ${offer.retailer.name}`}</span>
        </a>
      </h3>
      {offer.title !== offer.headline && (
        <p className="offer-card-title" aria-hidden="true">
          {offer.title}
        </p>
      )}
      {offer.termsLine && <p className="offer-card-terms">{offer.termsLine}</p>}
      <p className="offer-card-foot">
        <span className="tag">{kindWords[offer.kind]}</span>
        {offer.plusCashback && <span className="tag is-good">{offer.plusCashback}</span>}
        {offer.adultsOnly && <span className="tag is-warn">18+</span>}
        {ends && <span className="tag is-warn">{ends}</span>}
      </p>
      <FavouriteButton kind="offer" id={offer.publicId} name={`${offer.headline}, ${offer.retailer.name}`} />
    </div>
  );
}

export function OfferGrid({ offers, now }: { offers: OfferCardView[]; now: Date }) {
  return (
    <ul className="offer-grid" role="list">
      {offers.map((offer) => (
        <li key={offer.publicId}>
          <OfferCard offer={offer} now={now} />
        </li>
      ))}
    </ul>
  );
}

export function RetailerGrid({ retailers }: { retailers: RetailerCard[] }) {
  return (
    <ul className="retailer-grid" role="list">
      {retailers.map((retailer) => (
        <li key={retailer.slug}>
          <div className="retailer-tile">
            <RetailerMark slug={retailer.slug} size={64} />
            <a href={`/retailers/${retailer.slug}`}>{retailer.name}</a>
            <p>{summariseRates(retailer) ?? `${retailer.liveOffers} offers`}</p>
            <FavouriteButton kind="retailer" id={retailer.slug} name={retailer.name} />
          </div>
        </li>
      ))}
    </ul>
  );
}

export function KindLinks({ path, kinds }: { path: string; kinds: Partial<Record<string, number>> | null }) {
  const links = Object.entries(kinds ?? {}).filter(([, count]) => (count ?? 0) > 0);
  const total = links.reduce((sum, [, count]) => sum + (count ?? 0), 0);
  return (
    <nav aria-label="Kinds of offer" className="kind-links">
      <ul role="list">
        <li>
          <a href={path} aria-current="true">
            All <span className="count">{total}</span>
          </a>
        </li>
        {links.map(([kind, count]) => (
          <li key={kind}>
            <a href={`${path}?kind=${kind}`}>
              {kindWords[kind]} <span className="count">{count}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function ConsentBanner() {
  return (
    <section className="consent-banner" aria-label="Cookies">
      <div className="wrap">
        <p>
          May we count what is used here, load our marketing tags and send messages to this device? All offers work
          without.
        </p>
        <form action="/cookies" method="post">
          <input type="hidden" name="next" value="/" />
          <button type="submit" name="choice" value="none" className="button is-quiet">
            Refuse all
          </button>
          <button type="submit" name="choice" value="all" className="button is-quiet">
            Accept all
          </button>
          <a href="/cookies">Choose</a>
        </form>
      </div>
    </section>
  );
}

export function Banner({ banner: { id, text, href } }: { banner: { id: string; text: string; href?: string | null } }) {
  return (
    <aside className="alert-banner" aria-label="Announcement">
      <div className="wrap">
        <p>{href ? <a href={href}>{text}</a> : text}</p>
        <form action="/banner-closed" method="post">
          <input type="hidden" name="banner" value={id} />
          <input type="hidden" name="next" value="/" />
          <button type="submit">
            <span className="visually-hidden">Close announcement</span>
            <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
              <path d="m2 2 10 10M12 2 2 12" stroke="currentColor" strokeWidth="2.200" strokeLinecap="round" />
            </svg>
          </button>
        </form>
      </div>
    </aside>
  );
}

export function Pager({ path, page, pages }: { path: string; page: number; pages: number }) {
  return (
    <nav aria-label="Pages" className="pager">
      <p>
        Page {page} of {pages}
      </p>
      {page < pages && (
        <a href={`${path}page=${page + 1}`} rel="next" className="button is-quiet">
          Next page
        </a>
      )}
    </nav>
  );
}

function Wordmark({ name }: { name: string }) {
  return (
    <a href="/" className="wordmark">
      {name}
    </a>
  );
}

export function SiteHeader({ visit: { brand, member } }: { visit: BenchVisit }) {
  return (
    <header id="site-header" className="site-header" tabIndex={-1}>
      <div className="wrap site-header-bar">
        <Wordmark name={brand.name} />
        <SearchForm />
        <div className="site-account">
          {member ? (
            <>
              <span className="site-account-name">{member.name}</span>
              <a href="/profile">Profile</a>
              <form action="/logout" method="post">
                <button type="submit" className="link-button">
                  Log out
                </button>
              </form>
            </>
          ) : (
            <>
              <a href="/register" className="site-account-join">
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
        <nav id="site-menu" className="site-menu" aria-label="Main" popover="auto" data-level={0}>
          <div className="site-menu-top">
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
            {brand.menu.map((item) => (
              <MenuSection key={item.label} label={item.label} href={item.href}>
                <MenuPanel groups={item.items ?? []} />
              </MenuSection>
            ))}
            <li>
              <a href="/retailers" className="menu-trigger">
                All retailers
              </a>
            </li>
          </ul>
          <div className="site-menu-account">
            <p className="soft">{member ? `Signed in as ${member.name}` : "New here?"}</p>
            <a href={member ? "/profile" : "/register"} className="button">
              {member ? "Profile" : "Create account"}
            </a>
          </div>
        </nav>
      </div>
    </header>
  );
}

function MenuPanel({ groups }: { groups: MenuItem[] }) {
  const [first] = groups;
  return (
    <div className="menu-panel" id={`menu-panel-${first?.href.split("/").at(-1)}`}>
      <div className="menu-panel-row">
        <ul role="list" className="menu-groups">
          {groups.map((group) => (
            <li key={group.href} className="menu-group">
              <a href={group.href} className="menu-group-name">
                {group.label}
              </a>
              <div className="menu-links" id={`menu-panel-${group.href.split("/").at(-1)}`}>
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
        {first && (
          <a href={first.href} className="menu-feature">
            <img src={`/art${first.href}.svg`} alt="" width="320" height="200" loading="lazy" />
            <span className="label">What’s on in</span>
            <span className="display">{first.label}</span>
          </a>
        )}
      </div>
    </div>
  );
}

export function SiteFooter({ visit: { brand, now } }: { visit: BenchVisit }) {
  const groups = brand.menu.filter((item) => (item.items ?? []).length > 0).slice(0, 2);
  return (
    <footer className="site-footer">
      <div className="wrap site-footer-columns">
        <div className="site-footer-brand">
          <Wordmark name={brand.name} />
          <p>{brand.strapline}</p>
          <ul role="list" className="site-footer-apps">
            {Object.entries(brand.storeLinks).map(
              ([system, href]) =>
                href && (
                  <li key={system}>
                    <a href={href} rel="noopener">
                      <span>Get the app for {system === "ios" ? "iPhone" : "Android"}</span>
                      <b>{system === "ios" ? "App Store" : "Google Play"}</b>
                    </a>
                  </li>
                ),
            )}
          </ul>
        </div>
        <FooterColumn label="Explore" items={brand.menu} />
        {groups.map(({ label, items = [] }) => (
          <FooterColumn key={label} label={label} items={items.slice(0, 8)} />
        ))}
        <FooterColumn label="Help" items={[{ label: "Questions and answers", href: "/faq" }]}>
          <li>
            <a href="/#how-it-works">How cashback works</a>
            <span className="info-popup-place">
              <button type="button" className="info-button" popoverTarget="about-cashback">
                <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
                  <circle cx="10" cy="10" r="8.500" fill="none" stroke="currentColor" strokeWidth="1.600" />
                  <path d="M10 9.200v5M10 5.900v.1" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
                </svg>
                <span className="visually-hidden">About cashback</span>
              </button>
              <span id="about-cashback" className="info-popup" popover="auto">
                Shops pay us when you buy through our links. A share of that is yours: it shows in your account within
                days, and is paid out once the shop has confirmed that the purchase stands.
              </span>
            </span>
          </li>
          <li>
            <a href="/partners">For partners</a>
          </li>
          <li>
            <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>
          </li>
        </FooterColumn>
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
        <nav aria-label="Legal">
          <ul role="list">
            {brand.legalPages.map(({ slug, title }) => (
              <li key={slug}>
                <a href={`/legal/${slug}`}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
        <a href="#top" className="back-to-top">
          <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
            <path
              d="M8 14V2M3 7l5-5 5 5"
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
              strokeLinecap="round"
              strokeLinejoin="round"
            />
          </svg>
          <span>Back to top</span>
        </a>
      </div>
    </footer>
  );
}

function FooterColumn({ label, items, children }: { label: string; items: MenuItem[]; children?: ReactNode }) {
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
