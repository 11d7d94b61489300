import { listAlerts } from "@farthing/core/alerts/queries.server.ts";
import { addFavourite, removeFavourite } from "@farthing/core/favourites/operations.server.ts";
import {
  listFavouriteOffers,
  listFavouriteRetailers,
  listViewedOffers,
} from "@farthing/core/favourites/queries.server.ts";
import { MAX_FAVOURITES } from "@farthing/core/favourites/max-favourites.ts";
import { favouriteSchema } from "@farthing/core/favourites/schema.ts";
import { clearViews } from "@farthing/core/favourites/view-recorder.server.ts";
import { safeNext } from "@farthing/core/sign-in/next-path.ts";
import { data, href, redirect } from "react-router";
import { loginRedirect } from "../../login-redirect.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { dayAndMonth } from "../../ui/text/british-dates.ts";
import { EmptyState } from "../../ui/text/empty-state.tsx";
import { FavouriteButton } from "../../ui/favourites/favourite-button.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { OfferGrid } from "../../ui/cards/offer-card.tsx";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { toRetailerRow } from "../../ui/lists/retailer-row.ts";
import { RetailerGrid } from "../../ui/cards/retailer-tile.tsx";
import { ProfileShell } from "../members/profile-shell.tsx";
import { OverOffers } from "./over-offers.tsx";
import { rememberWanted } from "./wanted-cookie.ts";
import type { Route } from "./+types/favourites-page";

export async function loader({ context, request }: Route.LoaderArgs) {
  const { brand, member } = context.get(visitContext);
  if (!member) throw loginRedirect(request, href("/favourites"));
  // A script that saved something needs no page.
  if (wantsNoPage(request)) return null;
  const { db, now: clock } = context.get(servicesContext);
  const whose = { brandId: brand.id, memberId: member.id, now: clock() };
  const [offers, retailers, alerts, viewed] = await Promise.all([
    listFavouriteOffers(db, whose),
    listFavouriteRetailers(db, whose),
    listAlerts(db, whose),
    listViewedOffers(db, whose),
  ]);
  return { offers, retailers, alerts, viewed, now: whose.now };
}

/**
 * Receives every heart of the site: `add` or `remove` a favourite, or `clear` what was viewed. A form is sent back to
 * its page; a script, which asks for JSON, is answered 204. Visitors are sent to the login, and their favourite is
 * added when they come back.
 */
export async function action({ context, request }: Route.ActionArgs) {
  const { brand, member, origin } = context.get(visitContext);
  const { db, now } = context.get(servicesContext);
  const form = await request.formData();
  const next = safeNext(form.get("next"), href("/favourites"));
  const wanted = favouriteSchema.parse(form.get("add"));
  if (!member) {
    if (!wanted) throw loginRedirect(request, next);
    throw redirect(pagePath(href("/login"), { next: pagePath(href("/favourites/wanted"), { next }) }), {
      status: 303,
      headers: { "Set-Cookie": rememberWanted(wanted, origin) },
    });
  }
  const unwanted = favouriteSchema.parse(form.get("remove"));
  if (wanted) {
    const outcome = await addFavourite(db, { brandId: brand.id, memberId: member.id, favourite: wanted, now: now() });
    if (outcome !== "added") return data({ problem: outcome }, outcome === "full" ? 409 : 404);
  } else if (unwanted) {
    await removeFavourite(db, { memberId: member.id, favourite: unwanted });
  } else if (form.get("clear") === "viewed") {
    await clearViews(db, { memberId: member.id });
  } else {
    return data({ problem: "unknown" as const }, 400);
  }
  if (wantsNoPage(request)) return data(null, 204);
  throw redirect(next, 303);
}

function wantsNoPage(request: Request): boolean {
  return request.headers.get("Accept") === "application/json";
}

export default function FavouritesPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData) return null;
  const { retailers, alerts, viewed, now } = loaderData;
  const live = loaderData.offers.filter(({ state }) => state === "live" || state === "upcoming");
  const over = loaderData.offers.filter(({ state }) => state !== "live" && state !== "upcoming");
  const isEmpty = loaderData.offers.length + retailers.length + alerts.length === 0;
  return (
    <ProfileShell
      current="favourites"
      title="Favourites"
      lead="What you saved with the heart, the rates we watch for you, and the offers you looked at last."
    >
      <Problem problem={actionData?.problem} />
      {isEmpty && (
        <EmptyState title="Nothing saved yet">
          <p>Press the heart on an offer or a shop, and you find it here again.</p>
          <p className="button-row">
            <a className="button" href="/">
              See what’s on
            </a>
            <a className="button is-quiet" href="/retailers">
              All retailers
            </a>
          </p>
        </EmptyState>
      )}
      {loaderData.offers.length > 0 && (
        <section aria-labelledby="favourite-offers">
          <h2 id="favourite-offers" className="display section-title">
            Offers
          </h2>
          {live.length > 0 && <OfferGrid offers={live} now={now} />}
          {over.length > 0 && <OverOffers offers={over} />}
        </section>
      )}
      {retailers.length > 0 && (
        <section aria-labelledby="favourite-retailers">
          <h2 id="favourite-retailers" className="display section-title">
            Retailers
          </h2>
          <RetailerGrid retailers={retailers.map(toRetailerRow)} />
        </section>
      )}
      {alerts.length > 0 && (
        <section aria-labelledby="alerts">
          <h2 id="alerts" className="display section-title">
            Rates we watch for you
          </h2>
          <p className="soft">We write to you when one of them rises.</p>
          <ul className="kept-list" role="list">
            {alerts.map(({ retailer, askedRate, askedAt }) => (
              <li key={retailer.slug}>
                <p>
                  <a href={href("/retailers/:slug", { slug: retailer.slug })}>{retailer.name}</a>
                  <span className="soft">
                    {askedRate ? `Best rate ${askedRate}` : "No cashback"} when you asked, on{" "}
                    {dayAndMonth(askedAt, now)}
                  </span>
                </p>
                <FavouriteButton kind="alert" id={retailer.slug} name={retailer.name} hasWords />
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="viewed">
        <h2 id="viewed" className="display section-title">
          Recently viewed
        </h2>
        {viewed.length > 0 ? (
          <>
            <OfferGrid offers={viewed} now={now} isRow />
            <form method="post" action="/favourites" className="kept-clear">
              <input type="hidden" name="next" value="/favourites" />
              <button type="submit" name="clear" value="viewed" className="button is-quiet">
                Forget what I viewed
              </button>
              <p className="soft">Only you see this list. It holds the last 24 offers, and no more.</p>
            </form>
          </>
        ) : (
          <p className="soft">Offers that you look at while logged in show here. Only you see them.</p>
        )}
      </section>
    </ProfileShell>
  );
}

function Problem({ problem }: { problem: "full" | "unknown" | undefined }) {
  if (problem === "full") {
    return (
      <Notice tone="warn" title="That was not saved: your list is full" isUrgent>
        <p>It holds {MAX_FAVOURITES}. Take some away below, then try again.</p>
      </Notice>
    );
  }
  if (problem === "unknown") {
    return (
      <Notice tone="warn" title="That was not saved" isUrgent>
        <p>We don’t have that offer or shop any more.</p>
      </Notice>
    );
  }
  return null;
}
