import type { BasketLine } from "@farthing/core/gift-cards/basket.server.ts";
import type { LinePrice } from "@farthing/core/gift-cards/rules.ts";
import { formatPence, formatPounds } from "@farthing/core/money/money.ts";
import { longDate } from "../../ui/text/british-dates.ts";
import { AmountField } from "./amount-field.tsx";
import type { BasketRefusal } from "./basket-actions.server.ts";
import { CardPicture } from "./card-list.tsx";
import { GiftForm } from "./gift-form.tsx";
import { amountsInWords } from "./portal-words.ts";

/** One card of the basket: its value, its price, and what can be done with it. */
export function BasketLineItem({
  line,
  refused,
  refusedGift,
  isPresentOpen,
  days,
}: {
  line: BasketLine & { price: LinePrice };
  refused: BasketRefusal["line"];
  refusedGift: BasketRefusal["gift"];
  isPresentOpen: boolean;
  days: { first: string; last: string };
}) {
  const { publicId, slug, name, amounts, facePence, gift, problem, price } = line;
  const paid = price.pricePence + price.feePence;
  return (
    <li id={`line-${publicId}`} className="portal-line">
      <CardPicture slug={slug} />
      <div className="portal-line-head">
        <h2>
          <a href={`/portal/cards/${slug}`}>{name}</a>
        </h2>
        <p className="soft">{formatPounds(facePence)} card</p>
      </div>
      <p className="portal-line-price figures">{formatPence(paid)}</p>
      {gift && (
        <p className="portal-line-gift">
          A present for {gift.recipientName}, sent to {gift.recipientEmail}{" "}
          {gift.sendOn === null ? "as soon as it is made" : `on ${longDate(new Date(`${gift.sendOn}T12:00:00Z`))}`}
        </p>
      )}
      {problem && (
        <p className="notice is-warn">
          {problem === "not-sold"
            ? "This card is not sold any more. Remove it to continue."
            : `This value is not sold any more. Change it to ${amountsInWords(amounts)}.`}
        </p>
      )}
      <div className="portal-line-forms">
        <details open={refused !== null || problem === "amount-not-offered"}>
          <summary>
            Change value<span className="visually-hidden"> of {name}</span>
          </summary>
          <form method="post" action="/portal/basket" className="portal-form">
            <input type="hidden" name="line" value={publicId} />
            <AmountField
              amounts={amounts}
              id={`value-${publicId}`}
              chosen={facePence}
              typed={refused?.typed}
              error={refused?.problem}
            />
            <button type="submit" name="intent" value="amount" className="button">
              Change
            </button>
          </form>
        </details>
        <details open={isPresentOpen || refusedGift !== null}>
          <summary>
            {gift ? "Change present" : "Make it a present"}
            <span className="visually-hidden">: {name}</span>
          </summary>
          <GiftForm
            line={publicId}
            gift={gift}
            typed={refusedGift?.typed ?? null}
            errors={refusedGift?.errors}
            days={days}
          />
        </details>
        <form method="post" action="/portal/basket">
          <input type="hidden" name="line" value={publicId} />
          <button type="submit" name="intent" value="remove" className="portal-link-button">
            Remove<span className="visually-hidden"> {name}</span>
          </button>
        </form>
      </div>
    </li>
  );
}
