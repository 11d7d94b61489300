import type { BuyersLine } from "@farthing/core/gift-cards/buyer-orders.server.ts";
import type { ShownCard } from "@farthing/core/gift-cards/show-card.server.ts";
import { formatPence, formatPounds } from "@farthing/core/money/money.ts";
import { CopyButton } from "@farthing/ui/buttons/copy-button.tsx";
import { BarDrawing } from "@farthing/ui/bar-code/bar-drawing.tsx";
import { QrDrawing } from "@farthing/ui/qr-code/qr-drawing.tsx";
import { longDate } from "../../ui/text/british-dates.ts";
import type { ShownCard as DrawnCode } from "../wallet/shown-card.ts";
import { CardPicture } from "./card-list.tsx";
import type { LineWords } from "./portal-words.ts";

/** A card with its barcode drawn as the issuer says: tills that read one kind can't read the other. */
export type DrawnCard = ShownCard & Pick<DrawnCode, "bar" | "qr">;

const dayInWords = (day: string) => longDate(new Date(`${day}T12:00:00Z`));

/** One card of an order. Its code is on the page only in the answer to a press of "Show the code". */
export function OrderLine({
  line,
  path,
  walletUrl,
  shown,
  alsoShown,
}: {
  line: BuyersLine & { words: LineWords };
  path: string;
  /** Where the member sees the card in another session, after a proof. */
  walletUrl: string;
  shown: DrawnCard | null;
  /** Lines whose codes the page shows already: the next press keeps them. */
  alsoShown: readonly string[];
}) {
  const { publicId, card, cardSlug, facePence, paidPence, cashbackPence, gift, expiresOn, state, words } = line;
  return (
    <li id={`line-${publicId}`} className="portal-line">
      <CardPicture slug={cardSlug} isEager />
      <div className="portal-line-head">
        <h2>{card}</h2>
        <p className="soft">
          {formatPounds(facePence)} card
          {expiresOn && `, to be spent by ${dayInWords(expiresOn)}`}
        </p>
      </div>
      <p className="portal-line-price figures">{formatPence(paidPence)}</p>
      <div className="portal-line-state">
        <span className={`tag is-${words.tone}`}>{words.tag}</span>
        {words.text && <p>{words.text}</p>}
        {cashbackPence > 0 && state === "issued" && <p>{formatPence(cashbackPence)} cashback is on its way to you.</p>}
        {gift && state !== "refunded" && state !== "cancelled" && (
          <p>
            For {gift.recipientName}: we send it{" "}
            {gift.sendOn === null ? "as soon as it is made" : `on ${dayInWords(gift.sendOn)}`}. Only they see the code.
          </p>
        )}
      </div>
      {state === "issued" && !gift && !line.isOwnSession && (
        <p className="portal-show">
          <a className="button" href={walletUrl} target="_blank" rel="noopener" data-opens-outside>
            Open your wallet<span className="visually-hidden"> for {card}</span>
          </a>
        </p>
      )}
      {state === "issued" && !gift && line.isOwnSession && !shown && (
        <form method="post" action={`${path}#line-${publicId}`} className="portal-show">
          {alsoShown.map((other) => (
            <input key={other} type="hidden" name="show" value={other} />
          ))}
          <button type="submit" name="show" value={publicId} className="button">
            Show the code<span className="visually-hidden"> of {card}</span>
          </button>
        </form>
      )}
      {shown && <Code shown={shown} card={card} />}
    </li>
  );
}

function Code({ shown, card }: { shown: DrawnCard; card: string }) {
  const { linePublicId, code, pin, url, bar, qr } = shown;
  return (
    <div className="portal-code">
      {bar && <BarDrawing bar={bar} label={`Barcode of the ${card} card, for the till`} />}
      {qr && <QrDrawing qr={qr} label={`QR code of the ${card} card, for the till`} />}
      <dl>
        <div>
          <dt>Code</dt>
          <dd>
            <code id={`code-${linePublicId}`}>{code}</code>
          </dd>
        </div>
        {pin !== null && (
          <div>
            <dt>PIN</dt>
            <dd>
              <code>{pin}</code>
            </dd>
          </div>
        )}
      </dl>
      <div className="portal-actions">
        <CopyButton target={`code-${linePublicId}`} />
        {url !== null && (
          <a className="button is-quiet" href={url} target="_blank" rel="noopener noreferrer" data-opens-outside>
            Open the card
          </a>
        )}
      </div>
    </div>
  );
}
