import type { Brand } from "@farthing/core/brands/brand.ts";
import { STORAGE_KEY } from "./alert-banner.behaviour.ts";

/**
 * A script for the head that runs before anything is drawn, so that a closed banner does not flash up. Its text is the
 * same on every page: visitors' pages come from a cache, which does not know who closed the banner. Where storage is
 * closed, as in a private window, reading it throws and the banner stays.
 */
export const KEEP_BANNER_CLOSED = `try{var d=document.documentElement;if(d.dataset.banner&&localStorage.getItem("${STORAGE_KEY}")===d.dataset.banner)d.dataset.bannerClosed=""}catch(e){}`;

/**
 * The brand's announcement to everyone. Once closed, it stays closed until there is another (D6): with script, local
 * storage remembers it (alert-banner.behaviour.ts); without, the form sets a cookie and returns to `address`, the page's own.
 */
export function AlertBanner({ banner, address }: { banner: NonNullable<Brand["banner"]>; address: string }) {
  return (
    <aside className="alert-banner" aria-label="Announcement">
      <div className="wrap">
        <p>{banner.href ? <a href={banner.href}>{banner.text}</a> : banner.text}</p>
        <form action="/banner-closed" method="post">
          <input type="hidden" name="banner" value={banner.id} />
          <input type="hidden" name="next" value={address} />
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
