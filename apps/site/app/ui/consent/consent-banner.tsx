import type { Purpose } from "@farthing/core/consent/rules.ts";

/** What the question says of each purpose, in few words. `/cookies` says the rest. */
const inShort: Readonly<Record<Purpose, string>> = {
  measurement: "count what is used here",
  tags: "load our marketing tags",
  messages: "send messages to this device",
};

/**
 * Asks whether the site may do more than it needs (T6). It lies at the end of the page and stays at the lower edge of the window until then, so it covers
 * nothing for good and moves nothing. It stands before the header in the markup, so the keyboard and screen readers meet it first. Both answers are one
 * press, with the same button. Without script they are posted as a form; with script the page stays (start-consent.ts).
 */
export function ConsentBanner({ asked, address }: { asked: readonly Purpose[]; address: string }) {
  return (
    <section className="consent-banner" aria-label="Cookies">
      <div className="wrap">
        {/* One text node, whose start stays where it is when the theme's font changes where its lines break. */}
        <p>{`May we ${inWords(asked.map((purpose) => inShort[purpose]))}? All offers work without.`}</p>
        <form method="post" action="/cookies">
          <input type="hidden" name="next" value={address} />
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

/** Returns "a", "a and b" or "a, b and c". */
function inWords(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}
