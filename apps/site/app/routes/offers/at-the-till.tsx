import { href } from "react-router";
import { pagePath } from "../../ui/page-head/page-path.ts";
import type { OfferData } from "./offer-data.ts";
import { REGISTERS } from "./redeems.ts";

/** An offer at the shop's till (O4), where the member's digital ID counts. */
export function AtTheTill({ data: { isSignedIn, brandName, ownPath } }: { data: OfferData }) {
  if (!isSignedIn) {
    return (
      <>
        <a className="button is-large is-wide" href={pagePath(href("/login"), { next: ownPath })} {...REGISTERS}>
          Log in to use it
        </a>
        <p className="deal-hint">Then show your digital ID at the till</p>
      </>
    );
  }
  return (
    <>
      <a className="button is-large is-wide" href="/digital-id" data-tracking="extra_offer_button_click">
        Show my digital ID
      </a>
      <p className="deal-hint">It tells the till that you belong to {brandName}</p>
    </>
  );
}
