import { useEffect, useState } from "react";
import { island } from "../../islands/island.tsx";
import { EmptyState } from "../../ui/text/empty-state.tsx";
// Not loaded lazily: the service worker stores what this island imports, and nothing else is available offline.
import { CodeDialog } from "./code-dialog.tsx";
import { DigitalIdCard } from "./digital-id-card.tsx";
import { fetchCard } from "./fetch-card.ts";
import { findKeptCard, type KeptCard as Card } from "./kept-card.ts";

/** The card that this device keeps. */
function KeptCard({ brandName }: { brandName: string }) {
  const [kept, setKept] = useState<Card | null | "looking">("looking");
  const [isOpen, setOpen] = useState(false);
  const [isAnswered, setAnswered] = useState(false);
  const isOnline = useIsOnline();

  useEffect(() => {
    const unlessShown = (card: Card | null) => setKept((shown) => (shown === "looking" ? card : shown));
    // At once: on a bad connection the answer takes longer than a till waits.
    void findKeptCard().then(
      (card) => card && unlessShown(card),
      () => {},
    );
    fetchCard().then(
      ({ card, isAnswered }) => {
        setKept(card);
        setAnswered(isAnswered);
      },
      (error: unknown) => {
        console.error("No card on this device", error);
        unlessShown(null);
      },
    );
  }, [isOnline]);

  if (kept === "looking") return <p role="status">Looking for your card…</p>;
  if (kept === null)
    return (
      <EmptyState title="No card on this device">
        <p>Log in with a connection and open your digital ID once. From then on it is here without one, too.</p>
        <p className="button-row">
          <a className="button" href="/digital-id">
            Open my digital ID
          </a>
        </p>
      </EmptyState>
    );
  return (
    <>
      <DigitalIdCard card={kept.card} brandName={brandName} />
      <div className="digital-id-side">
        <button type="button" className="button is-large is-wide" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          Show QR code
        </button>
        <p className="soft">
          {isOnline && isAnswered ? (
            <>
              You have a connection again. <a href="/digital-id">Go to the whole page</a>
            </>
          ) : (
            `${isOnline ? "The connection is bad" : "No connection"}. Your card works all the same: the code is made on this device.`
          )}
        </p>
      </div>
      {isOpen && <CodeDialog kept={kept} brandName={brandName} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The browser's own view; false on the server, because this page is rendered for offline use. */
function useIsOnline(): boolean {
  const [isOnline, setOnline] = useState(false);
  useEffect(() => {
    const look = () => setOnline(navigator.onLine);
    look();
    window.addEventListener("online", look);
    window.addEventListener("offline", look);
    return () => {
      window.removeEventListener("online", look);
      window.removeEventListener("offline", look);
    };
  }, []);
  return isOnline;
}

export default island("kept-card", KeptCard);
