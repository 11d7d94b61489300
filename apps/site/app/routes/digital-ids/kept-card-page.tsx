import { useEffect, useState } from "react";
import { useRouteLoaderData } from "react-router";
import type { RootData } from "../../root-data.ts";
import { EmptyState } from "../../ui/text/empty-state.tsx";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import type { Route } from "./+types/kept-card-page";
// Not loaded lazily: the service worker stores what this page imports, and nothing else is available offline.
import { CodeDialog } from "./code-dialog.tsx";
import stylesheet from "./digital-id.css?url";
import { DigitalIdCard } from "./digital-id-card.tsx";
import { fetchCard } from "./fetch-card.ts";
import type { KeptCard } from "./kept-card.ts";

/**
 * The card without a connection. Service workers store this page, so it contains nothing of a request: the card comes
 * from the device.
 */
export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export default function KeptCardPage() {
  const brand = (useRouteLoaderData("root") as RootData).brand;
  const [kept, setKept] = useState<KeptCard | null | "looking">("looking");
  const [isOpen, setOpen] = useState(false);
  const isOnline = useIsOnline();

  useEffect(() => {
    fetchCard().then(setKept, (error: unknown) => {
      console.error("No card on this device", error);
      setKept(null);
    });
  }, [isOnline]);

  return (
    <div className="wrap page kept-card">
      <PageHead title="Digital ID" isPrivate />
      <h1 className="visually-hidden">Digital ID</h1>
      {kept === "looking" ? (
        <p role="status">Looking for your card…</p>
      ) : kept === null ? (
        <EmptyState title="No card on this device">
          <p>Log in with a connection and open your digital ID once. From then on it is here without one, too.</p>
          <p className="button-row">
            <a className="button" href="/digital-id">
              Open my digital ID
            </a>
          </p>
        </EmptyState>
      ) : (
        <>
          <DigitalIdCard card={kept.card} brandName={brand.name} />
          <div className="digital-id-side">
            <button
              type="button"
              className="button is-large is-wide"
              aria-haspopup="dialog"
              onClick={() => setOpen(true)}
            >
              Show QR code
            </button>
            <p className="soft">
              {isOnline ? (
                <>
                  You have a connection again. <a href="/digital-id">Go to the whole page</a>
                </>
              ) : (
                "No connection. Your card works all the same: the code is made on this device."
              )}
            </p>
          </div>
          {isOpen && <CodeDialog kept={kept} brandName={brand.name} onClose={() => setOpen(false)} />}
        </>
      )}
    </div>
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
