import { PageHead } from "../../ui/page-head/page-head.tsx";
import type { Route } from "./+types/kept-gift-cards-page";
import KeptGiftCards from "./kept-gift-cards.island.tsx";
import stylesheet from "./wallet.css?url";

/**
 * Gift cards without a connection (G6). Service workers store this page, so it contains nothing of a request: the cards come from
 * the device.
 */
export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export default function KeptGiftCardsPage() {
  return (
    <div className="wrap page kept-gift-cards">
      <PageHead title="Gift cards" isPrivate />
      <h1 className="display page-title">Gift cards</h1>
      <KeptGiftCards />
    </div>
  );
}
