import type { CardSecrets } from "@farthing/core/gift-cards/card-seal.ts";
import { formatPence, type Pence } from "@farthing/core/money/money.ts";
import { barPath } from "@farthing/ui/bar-code/bar-path.server.ts";
import { qrPath } from "@farthing/ui/qr-code/qr-path.ts";
import { longDate } from "../../ui/text/british-dates.ts";
import { noonOf } from "../claims/claim-words.ts";
import type { ShownCard } from "./shown-card.ts";

/** Returns a card's barcode drawn as the issuer says: as Code 128, as a QR code, or not at all. */
export function drawBarcode({ barcode }: Pick<CardSecrets, "barcode">): Pick<ShownCard, "bar" | "qr"> {
  const kind = barcode?.kind.toLowerCase().replaceAll(/[^a-z0-9]/g, "") ?? "";
  return {
    bar: barcode && kind === "code128" ? barPath(barcode.value) : null,
    qr: barcode && (kind === "qr" || kind === "qrcode") ? qrPath(barcode.value) : null,
  };
}

/** Returns a card with its code, as a page shows it. */
export function shownCard(
  { code, pin, url, barcode }: CardSecrets,
  card: { publicId: string; card: string; facePence: Pence; expiresOn: string | null },
): ShownCard {
  const { publicId, card: name, facePence, expiresOn } = card;
  return {
    ...{ publicId, name, code, pin, url, ...drawBarcode({ barcode }) },
    value: formatPence(facePence),
    expires: expiresOn === null ? null : longDate(noonOf(expiresOn)),
  };
}
