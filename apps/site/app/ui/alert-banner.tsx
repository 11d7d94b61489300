import type { Brand } from "@farthing/core/brands/brand.ts";

const storageKey = "farthing.closed-banner";

/**
 * Runs in the head before anything is drawn, so that a banner closed before does not flash up. It is the same text on every page:
 * anonymous pages come out of a cache and cannot know who closed what.
 */
export const keepBannerClosed = `try{var d=document.documentElement;if(d.dataset.banner&&localStorage.getItem("${storageKey}")===d.dataset.banner)d.dataset.bannerClosed=""}catch(e){}`;

/** What the brand has to say to everyone. Closed once, it stays closed until there is another (product.md D6). */
export function AlertBanner({ banner }: { banner: NonNullable<Brand["banner"]> }) {
  function close() {
    document.documentElement.dataset.bannerClosed = "";
    // Private windows may refuse to remember; then it is closed on this page alone.
    try {
      localStorage.setItem(storageKey, banner.id);
    } catch (error) {
      console.info("The closed banner could not be remembered.", error);
    }
    document.getElementById("main")?.focus();
  }

  return (
    <aside className="alert-banner" aria-label="Announcement">
      <div className="wrap">
        <p>{banner.href ? <a href={banner.href}>{banner.text}</a> : banner.text}</p>
        <button type="button" className="needs-script" onClick={close}>
          <span className="visually-hidden">Close announcement</span>
          <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
            <path d="m2 2 10 10M12 2 2 12" stroke="currentColor" strokeWidth="2.200" strokeLinecap="round" />
          </svg>
        </button>
      </div>
    </aside>
  );
}
