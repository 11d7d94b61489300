import { listBuyersOrders } from "@farthing/core/gift-cards/buyer-orders.server.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { dayAndMonth } from "../../ui/text/british-dates.ts";
import type { Route } from "./+types/orders-page";
import { PortalError, portalLinks, PortalShell } from "./portal-shell.tsx";
import { orderInWords, waitsForDispute } from "./portal-words.ts";
import { portalFrame, portalVisit } from "./portal.server.ts";

export const links = portalLinks;

export async function loader({ context }: Route.LoaderArgs) {
  const visit = portalVisit(context);
  const { db, viewer, now } = visit;
  const [frame, orders] = await Promise.all([portalFrame(visit), listBuyersOrders(db, { viewer })]);
  const rows = orders.map(({ publicId, placedAt, totalPence, progress, paymentState, payUntil, lines }) => ({
    ...{ publicId, placedAt, totalPence, cards: lines.map(({ card }) => card).join(", ") },
    title: orderInWords(progress, paymentState, {
      ...{ isLate: payUntil < now, isDisputed: waitsForDispute(lines), cards: lines.length },
    }).title,
  }));
  return { frame, orders: rows, now, isMember: visit.member !== null };
}

export default function OrdersPage({ loaderData: { frame, orders, now, isMember } }: Route.ComponentProps) {
  return (
    <PortalShell title="Your orders" frame={frame} hasSearch={false}>
      <p className="portal-back">
        <a href="/portal">All gift cards</a>
      </p>
      <h1 className="display page-title">Your orders</h1>
      {orders.length === 0 ? (
        <p>You have not ordered anything {isMember ? "yet" : "in this visit"}.</p>
      ) : (
        <ul className="portal-orders" role="list">
          {orders.map(({ publicId, placedAt, totalPence, title, cards }) => (
            <li key={publicId}>
              <a href={`/portal/orders/${publicId}`}>{title}</a>
              <p>{cards}</p>
              <p className="soft figures">
                {formatPence(totalPence)}, {dayAndMonth(placedAt, now)}
              </p>
            </li>
          ))}
        </ul>
      )}
    </PortalShell>
  );
}

export const ErrorBoundary = PortalError;
