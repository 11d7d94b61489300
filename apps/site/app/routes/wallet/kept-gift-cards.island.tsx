import { copyButton } from "@farthing/ui/buttons/copy-button.behaviour.ts";
import { useEffect, useState } from "react";
import { island } from "../../islands/island.tsx";
import { EmptyState } from "../../ui/text/empty-state.tsx";
import { CardCode } from "./card-code.tsx";
// Not loaded lazily, nor is what copies a code: the service worker stores what this island imports, and nothing else is available offline.
import { findKeptGiftCards } from "./kept-gift-cards.ts";
import type { ShownCard } from "./shown-card.ts";

/** The gift cards that this device keeps. */
function KeptGiftCards() {
  const [cards, setCards] = useState<ShownCard[] | "looking">("looking");
  useEffect(() => {
    findKeptGiftCards().then(setCards, (error: unknown) => {
      console.error("No gift cards on this device", error);
      setCards([]);
    });
  }, []);
  // The page had no cards when its behaviours started.
  useEffect(() => {
    if (cards !== "looking") copyButton.start(document.documentElement);
  }, [cards]);
  if (cards === "looking") return <p role="status">Looking for your gift cards…</p>;
  if (cards.length === 0)
    return (
      <EmptyState title="No gift cards on this device">
        <p>With a connection, show a card’s code and press “Keep on this device”. From then on it is here.</p>
        <p className="button-row">
          <a className="button" href="/money/gift-cards">
            Go to my gift cards
          </a>
        </p>
      </EmptyState>
    );
  return (
    <>
      <p className="soft">
        These cards are kept on this device. What is left on them, and cards that you have not kept, are in{" "}
        <a href="/money/gift-cards">your wallet</a> when there is a connection.
      </p>
      {cards.map((card) => (
        <CardCode key={card.publicId} card={card} />
      ))}
    </>
  );
}

export default island("kept-gift-cards", KeptGiftCards);
