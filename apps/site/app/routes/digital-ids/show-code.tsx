import { useLazyModule } from "@farthing/ui/loading/use-lazy-module.ts";
import { type FormEvent, useEffect, useState } from "react";
import { lazyChunks } from "../../lazy-chunks.ts";
import { fetchCard } from "./fetch-card.ts";
import type { KeptCard } from "./kept-card.ts";

const loadDialog = () => import("./code-dialog.tsx");

/**
 * The way to the code: a form that asks for the page with a code in it, which script turns into a dialog. Opening the page also puts the card on the
 * device, for when there is no connection.
 */
export function ShowCode({ brandName, opensAtOnce }: { brandName: string; opensAtOnce: boolean }) {
  const [kept, setKept] = useState<KeptCard | null>(null);
  const [isOpen, setOpen] = useState(false);
  // Fetched with the page: at the till it may be too late.
  const { module } = useLazyModule(lazyChunks.digitalIdDialog, loadDialog);

  useEffect(() => {
    // Only where the browser trusts the connection may a page sign.
    if (typeof crypto.subtle === "undefined") return;
    fetchCard().then(
      (card) => {
        setKept(card);
        if (card !== null && opensAtOnce) setOpen(true);
      },
      (error: unknown) => console.error("No live code on this device", error),
    );
  }, [opensAtOnce]);

  function show(event: FormEvent) {
    if (!kept || !module) return; // the way without script
    event.preventDefault();
    setOpen(true);
  }

  return (
    <>
      <form action="/digital-id" method="get" className="needs-script show-code" onSubmit={show}>
        <button
          type="submit"
          name="show"
          value="code"
          className="button is-large is-wide"
          aria-haspopup={module && kept ? "dialog" : undefined}
        >
          Show QR code
        </button>
      </form>
      {module && kept && isOpen && (
        <module.CodeDialog kept={kept} brandName={brandName} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
