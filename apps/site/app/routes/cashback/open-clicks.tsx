import type { OpenClick } from "@farthing/core/cashback/cashback-view.ts";
import { href } from "react-router";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { dayAndMonth } from "../../ui/text/british-dates.ts";
import { RetailerMark } from "../../ui/cards/retailer-mark.tsx";

/** Clicks without a result yet: when it is due, and the number to quote. */
export function OpenClicks({ clicks, now }: { clicks: OpenClick[]; now: Date }) {
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting" className="display section-title">
        Waiting to track
      </h2>
      <ul className="open-clicks" role="list">
        {clicks.map((click) => (
          <li key={click.clickNumber}>
            <RetailerMark slug={click.retailer.slug} size={40} />
            <p>
              <a href={href("/retailers/:slug", { slug: click.retailer.slug })}>{click.retailer.name}</a>
              <small className="soft">
                Visited {dayAndMonth(click.clickedAt, now)}.{" "}
                {click.tracksBy > now
                  ? `If you bought something, it should show by ${dayAndMonth(click.tracksBy, now)}, and can be claimed from then.`
                  : `If you bought something, it should have shown by ${dayAndMonth(click.tracksBy, now)}.`}{" "}
                <a href={pagePath(href("/money/claims/new"), { click: click.clickNumber })}>
                  Missing? Claim it<span className="visually-hidden">: a purchase at {click.retailer.name}</span>
                </a>
              </small>
            </p>
            <a
              className="figures open-click-receipt"
              href={href("/money/receipts/:number", { number: click.clickNumber })}
            >
              <span className="visually-hidden">Receipt for the click at {click.retailer.name}, </span>No.{" "}
              {click.clickNumber}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
