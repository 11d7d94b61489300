import { checkAddress } from "@farthing/core/digital-ids/rules.ts";
import { ModalDialog } from "@farthing/ui/dialogs/modal-dialog.tsx";
import { QrCode } from "@farthing/ui/qr-code/qr-code.tsx";
import { Spinner } from "@farthing/ui/loading/spinner.tsx";
import { createPortal } from "react-dom";
import { CodePanel } from "./code-panel.tsx";
import type { KeptCard } from "./kept-card.ts";
import { useAwakeScreen } from "./use-awake-screen.ts";
import { useLiveCode } from "./use-live-code.ts";

export interface CodeDialogProps {
  kept: KeptCard;
  brandName: string;
  onClose: () => void;
}

/** The live code in a dialog over the page (M6, Z4). */
export function CodeDialog({ kept, brandName, onClose }: CodeDialogProps) {
  const live = useLiveCode(kept);
  useAwakeScreen();
  const { origin, host } = window.location;
  return createPortal(
    <ModalDialog id="code-dialog" title="Digital ID" isOpen onClose={onClose}>
      <div className="code-dialog">
        <p className="code-dialog-who">
          <b>{kept.card.name}</b>, {brandName}
        </p>
        {live ? (
          <CodePanel code={live.code} checkHost={host} secondsLeft={live.secondsLeft}>
            <QrCode text={checkAddress(origin, live.code)} label="QR code for the till, a new one every 30 seconds" />
          </CodePanel>
        ) : (
          <Spinner label="One moment" />
        )}
      </div>
    </ModalDialog>,
    document.body,
  );
}
