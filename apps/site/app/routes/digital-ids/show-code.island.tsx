import { useLazyModule } from "@farthing/ui/loading/use-lazy-module.ts";
import { type FormEvent, useEffect, useState } from "react";
import { island } from "../../islands/island.tsx";
import { lazyChunks } from "../../lazy-chunks.ts";
import { fetchCard } from "./fetch-card.ts";
import type { KeptCard } from "./kept-card.ts";

const loadDialog = () => import("./code-dialog.tsx");

/**
 * The button that shows the code. It is a form that requests the page with a code, which script turns into a dialog.
 * Opening the page also stores the card on the device, for use offline.
 */
function ShowCode({ brandName, opensAtOnce }: { brandName: string; opensAtOnce: boolean }) {
  const [kept, setKept] = useState<KeptCard | null>(null);
  const [isOpen, setOpen] = useState(false);
  // Load it with the page: at the till it may be too late.
  const { module } = useLazyModule(lazyChunks.digitalIdDialog, loadDialog);

  useEffect(() => {
    // Pages can sign only on a secure connection.
    if (typeof crypto.subtle === "undefined") return;
    fetchCard().then(
      ({ card }) => {
        setKept(card);
        if (card !== null && opensAtOnce) setOpen(true);
      },
      (error: unknown) => console.error("No live code on this device", error),
    );
  }, [opensAtOnce]);

  function show(event: FormEvent) {
    if (!kept || !module) return; // the form works without script
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

export default island("show-code", ShowCode);
