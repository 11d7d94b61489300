import type { ShownCard } from "./shown-card.ts";

/** Stores a shown card on this device, so that it opens without a connection (keep-gift-card.behaviour.ts). */
export function KeepCard({ card }: { card: ShownCard }) {
  return (
    <>
      <button
        type="button"
        className="button is-quiet needs-script"
        data-keeps-gift-card={JSON.stringify(card)}
        disabled
      >
        Keep on this device
      </button>
      <span role="status" className="visually-hidden" />
    </>
  );
}
