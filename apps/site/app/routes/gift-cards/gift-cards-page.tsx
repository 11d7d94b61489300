import { createElement } from "react";
import { data, href, useRouteLoaderData } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import type { RootData } from "../../root-data.ts";
import { privacyContext, visitContext } from "../../site-context.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import { pagePath } from "../../ui/page-head/page-path.ts";
import type { Route } from "./+types/gift-cards-page";
import stylesheet from "./gift-cards-page.css?url";
import { portalPath } from "./portal-path.ts";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

/** Stands for the order in the address that the bank returns payers to. */
const ORDER = "ORDER";

/**
 * /gift-cards: the gift-card portal, embedded as in any partner's page (G1). The page holds no token, so all visitors
 * share it; its script fetches one (decision 041). `retailer` opens that retailer's card. The bank returns payers with
 * `order`.
 */
export function loader({ context, request }: Route.LoaderArgs) {
  const { brand, origin } = context.get(visitContext);
  if (!brand.features.giftCards) throw data(null, 404);
  const { order, retailer } = readParameters(request, "/gift-cards");
  // The address of an order belongs to one person, and the card provider adds its own parameters to it.
  if (order !== null) context.set(privacyContext, "token");
  const templateUrl = `${origin}${pagePath(href("/gift-cards"), { order: ORDER })}`;
  return { order, retailer, redirect: { paymentSuccess: { templateUrl, idPlaceholder: ORDER } } };
}

export default function GiftCardsPage({ loaderData: { order, retailer, redirect } }: Route.ComponentProps) {
  const { brand } = useRouteLoaderData("root") as RootData;
  const ownPath = pagePath(href("/gift-cards"), { retailer, order });
  return (
    <div className="wrap page gift-cards-page">
      <PageHead
        title="Gift cards"
        description={`Buy gift cards of shops you know from ${brand.name}: pay by card, and have the code within seconds.`}
        path={href("/gift-cards")}
        isPrivate={order !== null}
      />
      <header className="prose">
        <h1 className="display page-title">Gift cards</h1>
        <p>
          Choose a shop and an amount and pay by card. The code shows here, or goes to a friend by e-mail. Members find
          the cards that they bought in <a href={href("/money/gift-cards")}>their wallet</a>.
        </p>
      </header>
      {order !== null && (
        <Notice tone="info" title="Welcome back from your bank">
          <p>
            Your order is below. If you are a member, your cards are also{" "}
            <a href={href("/money/gift-cards")}>in your wallet</a>.
          </p>
        </Notice>
      )}
      <section className="gift-cards-portal" aria-label="Gift cards" data-gift-cards>
        {/* Appears after a while, by the style sheet: on a bad line no script may be there to say it. */}
        <p className="gift-cards-slow">
          The gift cards are still opening. You can wait, or <a href={ownPath}>load this page again</a>.
        </p>
        {createElement("farthing-gift-cards", {
          environment: "production",
          path: portalPath({ order, retailer }),
          redirect: JSON.stringify(redirect),
          "show-payment-errors": "", // a member whose bank refuses has to know that nothing was taken
        })}
        <noscript>
          <p>
            Gift cards are sold in a part of this page that needs JavaScript. Switch it on in your browser and load this
            page again.
          </p>
          <WaysOn supportEmail={brand.supportEmail} />
        </noscript>
        <div className="gift-cards-problem" role="alert" hidden>
          <h2 className="display section-title">The gift cards did not open</h2>
          <p>
            {order === null ? "Nothing was paid. " : "Your order is not lost: members find their cards in the wallet. "}
            Your connection may have dropped, or your browser may block a part of this page.
          </p>
          <p className="button-row">
            <a className="button" href={ownPath}>
              Try again
            </a>
          </p>
          <WaysOn supportEmail={brand.supportEmail} />
        </div>
      </section>
    </div>
  );
}

/** Where a person without the portal finds help and something to do. */
function WaysOn({ supportEmail }: { supportEmail: string }) {
  return (
    <p>
      You can also read the <a href={href("/faq/:category?/:question?")}>questions and answers</a>, look through{" "}
      <a href={pagePath(href("/search"), { show: "offers", kind: "gift_card" })}>offers with gift cards</a>, or write to{" "}
      <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
    </p>
  );
}
