import { addOrderAgain, forgetBought } from "@farthing/core/gift-cards/basket.server.ts";
import { findBuyersOrder } from "@farthing/core/gift-cards/buyer-orders.server.ts";
import { showCard } from "@farthing/core/gift-cards/show-card.server.ts";
import { LIMITS } from "@farthing/core/gift-cards/rules.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { data, redirect, useRouteLoaderData } from "react-router";
import type { RootData } from "../../root-data.ts";
import { formKey } from "../../../server/form-key.ts";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { soonAt } from "../../ui/text/british-dates.ts";
import type { Route } from "./+types/order-page";
import { drawBarcode } from "../wallet/shown-card.server.ts";
import { OrderLine, type DrawnCard } from "./order-line.tsx";
import { PortalError, portalLinks, PortalShell } from "./portal-shell.tsx";
import { isMoving, isPaid, lineInWords, orderInWords, orderMark, waitsForDispute } from "./portal-words.ts";
import { portalFrame, portalVisit } from "./portal.server.ts";

/** How often an order that still changes asks for itself again without script. */
const REFRESH_SECONDS = 15;

export const links = portalLinks;

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const visit = portalVisit(context);
  const { db, viewer, sessionId, now, member } = visit;
  const order = await findBuyersOrder(db, { publicId: params.order.slice(0, 50), viewer });
  if (!order) throw data(null, 404);
  const { publicId, totalPence, progress, paymentState, payUntil } = order;
  const paid = isPaid(paymentState);
  if (paid) await forgetBought(db, { sessionId });
  const isLate = payUntil < now;
  const isMovingNow = isMoving(progress, paymentState);
  return {
    ...{ publicId, totalPence, isLate, now, payUntil, isMoving: isMovingNow },
    frame: await portalFrame(visit),
    words: orderInWords(progress, paymentState, {
      ...{ isLate, isDisputed: waitsForDispute(order.lines), cards: order.lines.length },
    }),
    mark: orderMark(order),
    canPay: progress === "awaiting-payment" && !paid && !isLate,
    hasEnded: progress === "cancelled" || (progress === "awaiting-payment" && !paid && isLate),
    canOrderAgain: progress === "issued" || progress === "partly-issued" || progress === "refunded",
    lines: order.lines.map((line) => ({ ...line, words: lineInWords(line, { isPaid: paid }) })),
    isVisitor: member === null,
    againKey: crypto.randomUUID(),
    // The answer to a post has codes in it, which a refresh would take away.
    refreshSeconds: isMovingNow && request.method === "GET" ? REFRESH_SECONDS : null,
  };
}

/** Shows codes, to the session that has ordered them, in this one answer; or puts the same cards into the basket again. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const visit = portalVisit(context);
  const form = await request.formData();
  if (form.get("intent") === "again")
    return orderAgain(visit, { orderPublicId: params.order.slice(0, 50), idempotencyKey: formKey(form) });
  const { db, giftCards, sessionId, now } = visit;
  if (!giftCards) throw data(null, 404);
  const asked = [...new Set(form.getAll("show"))].slice(0, LIMITS.orderLines);
  const shown: DrawnCard[] = [];
  for (const line of asked) {
    const linePublicId = typeof line === "string" ? line.slice(0, 50) : "";
    const card = await showCard(db, giftCards.keys, { linePublicId, sessionId, now });
    if (card) shown.push({ ...card, ...drawBarcode(card) });
  }
  if (shown.length === 0) throw data(null, 404);
  return { shown, isUnsold: false };
}

async function orderAgain(
  { db, sessionId, viewer }: ReturnType<typeof portalVisit>,
  asked: { orderPublicId: string; idempotencyKey: string | null },
) {
  const again = await addOrderAgain(db, { ...asked, sessionId, viewer });
  if (!again) throw data(null, 404);
  if (again.added === 0) return data({ shown: [], isUnsold: true }, 409);
  const note = again.left > 0 ? "again-part" : again.presents > 0 ? "again-presents" : "again";
  throw redirect(`/portal/basket?note=${note}`, 303);
}

export default function OrderPage({ loaderData, actionData }: Route.ComponentProps) {
  const { publicId, totalPence, frame, words, mark, canPay, hasEnded, lines, now, payUntil, isVisitor } = loaderData;
  const root = useRouteLoaderData("root") as RootData | undefined;
  const shown = actionData?.shown ?? [];
  const path = `/portal/orders/${publicId}`;
  const isReady = lines.some(({ state, gift }) => state === "issued" && !gift);
  return (
    <PortalShell title={words.title} frame={frame} hasSearch={false}>
      <article
        className="portal-order"
        // For the script: tell the page around the frame that going back would lose this page, and look for news.
        data-no-back={path}
        data-order={path}
        data-mark={mark}
        data-watches={loaderData.isMoving || undefined}
        data-shows-codes={shown.length > 0 || undefined}
      >
        <h1 className="display page-title">{words.title}</h1>
        <p className="portal-lead">{words.lead}</p>
        <div role="status" className="portal-news" />
        {canPay && (
          <form method="post" data-pays={`${path}/payment`} data-order-id={publicId} className="portal-pay">
            <p className="portal-pay-sum figures">{formatPence(totalPence)}</p>
            <noscript>
              <p className="notice is-warn">
                Payments need JavaScript. Turn it on in your browser, then load this page again: your order is kept.
              </p>
            </noscript>
            <button type="submit" className="button is-large is-wide needs-script" disabled>
              Pay {formatPence(totalPence)}
            </button>
            {/* Appears once the page around the frame has said where a bank brings its visitors back to. */}
            <div className="portal-bank" hidden>
              <button type="submit" className="button is-quiet is-wide">
                Pay by bank instead
              </button>
              <p className="soft">You go to your bank’s own page, and come back to this order.</p>
            </div>
            <div role="status" className="portal-pay-status" />
            <p className="soft">
              The price holds until {soonAt(payUntil, now)}. You enter your card with the card provider.
            </p>
            <p>
              <a href="/portal/basket">Change the basket</a>
            </p>
          </form>
        )}
        {hasEnded && (
          <p>
            <a className="button" href="/portal/basket">
              Go to the basket
            </a>
          </p>
        )}
        {loaderData.isMoving && (
          <p className="portal-refresh">
            <a className="button is-quiet" href={path}>
              Look again
            </a>
          </p>
        )}
        {isReady && isVisitor && (
          <p className="notice is-warn">
            Copy your codes or save them now. This page can be opened for half an hour, and only here.
          </p>
        )}
        <ul className="portal-lines" role="list">
          {lines.map((line) => (
            <OrderLine
              key={line.publicId}
              line={line}
              path={path}
              walletUrl={`${root?.origin ?? ""}/money/gift-cards/${line.publicId}`}
              shown={shown.find(({ linePublicId }) => linePublicId === line.publicId) ?? null}
              alsoShown={shown.map(({ linePublicId }) => linePublicId)}
            />
          ))}
        </ul>
        <p className="soft figures">
          Order {publicId}, {formatPence(totalPence)}
        </p>
        {actionData?.isUnsold && (
          <p className="notice is-warn" role="alert">
            None of these cards is in your basket: they are not sold with these values any more, or the basket is full.
          </p>
        )}
        {loaderData.canOrderAgain && (
          <form method="post" action={path} className="portal-actions">
            <input type="hidden" name="intent" value="again" />
            <input type="hidden" name="key" value={loaderData.againKey} />
            <LoadingButton className="is-quiet">Order again</LoadingButton>
          </form>
        )}
        {!canPay && !hasEnded && (
          <p>
            <a href="/portal">Buy another gift card</a>
          </p>
        )}
      </article>
    </PortalShell>
  );
}

export const ErrorBoundary = PortalError;
