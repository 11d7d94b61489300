import type { Brand } from "@farthing/core/brands/brand.ts";
import type { FormEvent } from "react";

const storageKey = "farthing.closed-banner";

/**
 * Runs in the head before anything is drawn, so that a banner closed before does not flash up. It is the same text on every page:
 * anonymous pages come out of a cache and cannot know who closed what.
 */
export const keepBannerClosed = `try{var d=document.documentElement;if(d.dataset.banner&&localStorage.getItem("${storageKey}")===d.dataset.banner)d.dataset.bannerClosed=""}catch(e){}`;

/**
 * What the brand has to say to everyone. Closed once, it stays closed until there is another (product.md D6): with script the browser keeps that to itself,
 * without script the form sets a cookie and comes back to `address`, the page's own.
 */
export function AlertBanner({ banner, address }: { banner: NonNullable<Brand["banner"]>; address: string }) {
  function close(event: FormEvent) {
    try {
      localStorage.setItem(storageKey, banner.id);
    } catch {
      return; // a private window may refuse to remember: then the cookie has to
    }
    event.preventDefault();
    document.documentElement.dataset["bannerClosed"] = "";
    document.getElementById("main")?.focus();
  }

  return (
    <aside className="alert-banner" aria-label="Announcement">
      <div className="wrap">
        <p>{banner.href ? <a href={banner.href}>{banner.text}</a> : banner.text}</p>
        <form action="/banner-closed" method="post" onSubmit={close}>
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
