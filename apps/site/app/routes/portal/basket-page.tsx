import { findBasket, forgetBought } from "@farthing/core/gift-cards/basket.server.ts";
import { knowsAddress } from "@farthing/core/gift-cards/checkout.server.ts";
import { MAX_GIFT_DAYS } from "@farthing/core/gift-cards/gift.ts";
import { priceOf } from "@farthing/core/gift-cards/rules.ts";
import { formatPence, sumPence } from "@farthing/core/money/money.ts";
import { londonDate } from "@farthing/core/registration/rules.ts";
import { ErrorSummary } from "@farthing/ui/forms/error-summary.tsx";
import { TextField } from "@farthing/ui/forms/text-field.tsx";
import { data } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import type { Route } from "./+types/basket-page";
import { actOnBasket } from "./basket-actions.server.ts";
import { BasketLineItem } from "./basket-line.tsx";
import { PortalError, portalLinks, PortalShell } from "./portal-shell.tsx";
import { cardCount } from "./portal-words.ts";
import { portalFrame, portalVisit } from "./portal.server.ts";

export const links = portalLinks;

export async function loader({ context, request }: Route.LoaderArgs) {
  const visit = portalVisit(context);
  const { db, sessionId, member, now } = visit;
  await forgetBought(db, { sessionId });
  const [frame, basket, knowsEmail] = await Promise.all([
    portalFrame(visit),
    findBasket(db, { sessionId }),
    knowsAddress(db, { sessionId, member }),
  ]);
  const lines = basket.lines.map((line) => ({
    ...line,
    price: priceOf(line, line.facePence, { isMember: member !== null }),
  }));
  const sum = (of: (price: (typeof lines)[number]["price"]) => number) => sumPence(lines.map(({ price }) => of(price)));
  const totals = {
    face: sum(({ facePence }) => facePence),
    saving: sum(({ facePence, pricePence }) => facePence - pricePence),
    fee: sum(({ feePence }) => feePence),
    cashback: sum(({ cashbackPence }) => cashbackPence),
    total: sum(({ pricePence, feePence }) => pricePence + feePence),
  };
  const days = { first: londonDate(now), last: londonDate(new Date(now.getTime() + MAX_GIFT_DAYS * 86_400_000)) };
  const { note, present } = readParameters(request, "/portal/basket");
  return {
    ...{ frame, lines, totals, knowsEmail, days, note, present },
    version: basket.version,
    waiting: basket.orderPublicId,
    idempotencyKey: crypto.randomUUID(),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const refusal = await actOnBasket(portalVisit(context), await request.formData());
  if (refusal === null) throw data(null, 400);
  return data(refusal, 422);
}

const notes = {
  added: "It is in your basket.",
  changed: "The value is changed.",
  removed: "It is removed.",
  present: "It is a present now.",
  "no-present": "It is not a present any more: you get the code.",
  again: "The same cards are in your basket.",
  "again-presents": "The same cards are in your basket. Choose again which of them are presents.",
  "again-part":
    "Not every card of the order is in your basket: it is not sold any more, or one order holds no more cards.",
} as const;

export default function BasketPage({ loaderData, actionData }: Route.ComponentProps) {
  const { frame, lines, totals, knowsEmail, note, present, days, version, idempotencyKey } = loaderData;
  const refusal = actionData ?? null;
  const hasProblem = lines.some(({ problem }) => problem !== null);
  if (lines.length === 0)
    return (
      <PortalShell title="Your basket" frame={frame} hasSearch={false}>
        <h1 className="display page-title">Your basket is empty</h1>
        {refusal?.problem && <Problem text={refusal.problem} />}
        <p>The cards that you choose wait here until you pay for them.</p>
        <div className="portal-actions">
          <a className="button" href="/portal">
            Choose a gift card
          </a>
          <a className="button is-quiet" href="/portal/orders">
            Your orders
          </a>
        </div>
      </PortalShell>
    );
  return (
    <PortalShell title="Your basket" frame={frame} hasSearch={false}>
      <h1 className="display page-title">Your basket</h1>
      {refusal?.problem ? (
        <Problem text={refusal.problem} />
      ) : (
        note &&
        !refusal && (
          <p className="notice is-good" role="status">
            {notes[note]}
          </p>
        )
      )}
      <div className="portal-checkout">
        <ul className="portal-lines" role="list">
          {lines.map((line) => (
            <BasketLineItem
              key={line.publicId}
              line={line}
              days={days}
              refused={refusal?.line?.publicId === line.publicId ? refusal.line : null}
              refusedGift={refusal?.gift?.publicId === line.publicId ? refusal.gift : null}
              isPresentOpen={present === line.publicId}
            />
          ))}
        </ul>
        <section className="portal-total" aria-labelledby="total">
          <h2 id="total" className="visually-hidden">
            What you pay
          </h2>
          <dl className="figures">
            <Sum name={cardCount(lines.length)} amount={formatPence(totals.face)} />
            {totals.saving > 0 && <Sum name="You save" amount={formatPence(-totals.saving)} isGood />}
            {totals.fee > 0 && <Sum name="Fees" amount={formatPence(totals.fee)} />}
            <div className="portal-sum">
              <dt>You pay</dt>
              <dd>{formatPence(totals.total)}</dd>
            </div>
            {totals.cashback > 0 && <Sum name="Cashback for you" amount={formatPence(totals.cashback)} isGood />}
          </dl>
          <form method="post" action="/portal/basket" className="portal-form">
            <input type="hidden" name="key" value={idempotencyKey} />
            <input type="hidden" name="version" value={version} />
            {!knowsEmail && <EmailField refused={refusal?.email ?? null} />}
            {hasProblem && (
              <p className="notice is-warn">One card can’t be bought as it is. Change or remove it first.</p>
            )}
            <button type="submit" name="intent" value="order" className="button is-wide" disabled={hasProblem}>
              Continue to payment
            </button>
          </form>
          <p className="soft">You enter your card on the next step, with the card provider.</p>
          <p>
            <a href="/portal">Choose another card</a>
          </p>
        </section>
      </div>
    </PortalShell>
  );
}

export const ErrorBoundary = PortalError;

function Problem({ text }: { text: string }) {
  return (
    <p className="notice is-bad" role="alert">
      {text}
    </p>
  );
}

function Sum({ name, amount, isGood = false }: { name: string; amount: string; isGood?: boolean }) {
  return (
    <div className={isGood ? "is-good" : undefined}>
      <dt>{name}</dt>
      <dd>{amount}</dd>
    </div>
  );
}

/** Where a visitor's receipt goes. */
function EmailField({ refused }: { refused: { typed: string; problem: string } | null }) {
  const label = "Your e-mail address";
  const error = refused?.problem || undefined;
  return (
    <>
      {error && <ErrorSummary errors={[{ name: "email", label, message: error }]} />}
      <TextField
        name="email"
        label={label}
        type="email"
        autoComplete="email"
        help="For the receipt, and for nothing else"
        required
        defaultValue={refused?.typed}
        error={error}
      />
    </>
  );
}
