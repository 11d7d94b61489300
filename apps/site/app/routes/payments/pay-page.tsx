import { MAX_PAYMENT_PENCE, MIN_PAYMENT_PENCE } from "@farthing/core/partners/amount-schema.ts";
import { data, isRouteErrorResponse, useRouteLoaderData } from "react-router";
import type { RootData } from "../../root-data.ts";
import { visitContext } from "../../site-context.ts";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import type { Route } from "./+types/pay-page";
import { FixedPriceSummary } from "./fixed-price-summary.tsx";
import PaymentForm from "./payment-form.island.tsx";

/** The page in a partner's frame, for that partner's visitors only (W9). */
export function loader({ context }: Route.LoaderArgs) {
  const { widget } = context.get(visitContext);
  if (!widget) throw data(null, 401);
  const { partner, origin, bearer, mode = "live", price = null } = widget;
  const limits = {
    minPence: MIN_PAYMENT_PENCE,
    maxPence: MAX_PAYMENT_PENCE,
    maxReferenceLength: 100,
  };
  // The receipt's address is not for the page.
  const fixed = price && {
    amountPence: price.amountPence,
    reference: price.reference,
    description: price.description,
  };
  return { partner: partner.name, hostOrigin: origin, bearer, limits, isTest: mode === "test", fixed };
}

export default function PayPage({ loaderData }: Route.ComponentProps) {
  const { isTest, ...form } = loaderData;
  const { fixed } = form;
  return (
    <Frame title="Make a payment">
      {isTest && <p className="notice is-warn">Test mode: no money is taken. Real cards are refused.</p>}
      <h1 className="display page-title">{fixed ? `Pay ${loaderData.partner}` : "Make a payment"}</h1>
      {fixed ? (
        <FixedPriceSummary price={fixed} />
      ) : (
        <p className="soft">To {loaderData.partner}. You enter your card on the next step, with the card provider.</p>
      )}
      <noscript>
        <p className="notice is-warn">
          Payments need JavaScript. Turn it on in your browser, then open this page again.
        </p>
      </noscript>
      <PaymentForm {...form} />
    </Frame>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const hasNoSession = isRouteErrorResponse(error) && error.status === 401;
  const title = hasNoSession ? "This page can’t be opened by itself" : "Something broke on our side";
  return (
    <Frame title={title}>
      <h1 className="display page-title">{title}</h1>
      <p>
        {hasNoSession
          ? "It belongs inside the page of the shop you came from, for half an hour at most. Go back there and start again."
          : "Nothing was paid. Reload the page around this one and try again."}
      </p>
    </Frame>
  );
}

/** The brand's look without header and footer, whose links would lead away from the payment in the frame. */
function Frame({ title, children }: { title: string; children: React.ReactNode }) {
  const root = useRouteLoaderData("root") as RootData | undefined;
  return (
    <div className="pay-page">
      <PageHead title={title} isPrivate />
      {root && <p className="wordmark">{root.brand.name}</p>}
      {children}
    </div>
  );
}
