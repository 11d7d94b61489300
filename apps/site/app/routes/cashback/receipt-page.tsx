import type { RateCard } from "@farthing/core/catalogue/rate-card.ts";
import { FOREIGN_CURRENCY_WORDS } from "@farthing/core/catalogue/rate-card.ts";
import { findReceipt } from "@farthing/core/cashback/find-receipt.server.ts";
import { cursorOf } from "@farthing/core/cashback/history-cursor.ts";
import { otherwisePays, preFlightWords, receiptDates, receiptRates } from "@farthing/core/cashback/receipt.ts";
import { clickNumberOf } from "@farthing/core/cashback/schema.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { data, href } from "react-router";
import { memberContext, servicesContext } from "../../site-context.ts";
import { clockTime, dayAndMonth, longDate } from "../../ui/text/british-dates.ts";
import { Paragraphs } from "../../ui/text/paragraphs.tsx";
import { ProfileShell } from "../members/profile-shell.tsx";
import { stateWords } from "./entry-words.ts";
import type { Route } from "./+types/receipt-page";

export async function loader({ context, params }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const { db, now } = context.get(servicesContext);
  const clickNumber = clickNumberOf(params.number);
  const receipt = clickNumber && (await findReceipt(db, { memberId: member.id, clickNumber }));
  if (!receipt) throw data(null, 404);
  const { snapshot } = receipt;
  return {
    receipt,
    rates: receiptRates(snapshot),
    dates: receiptDates(snapshot),
    otherwise: otherwisePays(snapshot),
    checked: preFlightWords(receipt.preFlight),
    now: now(),
  };
}

/** The receipt of a click: what was promised, as it was (C5). Made to be printed too. */
export default function ReceiptPage({
  loaderData: { receipt, rates, dates, otherwise, checked, now },
}: Route.ComponentProps) {
  const { clickNumber, retailer, purchases } = receipt;
  const file = (name: "text" | "json") => href("/money/receipts/:number/:file", { number: clickNumber, file: name });
  return (
    <ProfileShell
      current="money"
      title="Receipt for a click"
      parent={{ href: "/money/purchases", label: "All purchases" }}
    >
      <article className="receipt">
        <header>
          <p className="label soft">Click number</p>
          <p className="receipt-number figures">{clickNumber}</p>
          <dl className="receipt-facts">
            <Fact label="Retailer">
              <a href={href("/retailers/:slug", { slug: retailer.slug })}>{retailer.name}</a>
            </Fact>
            {receipt.snapshot.offerTitle && <Fact label="Offer">{receipt.snapshot.offerTitle}</Fact>}
            <Fact label="You followed our link">
              {longDate(receipt.clickedAt)} at {clockTime(receipt.clickedAt)}
            </Fact>
            <Fact label="Sent through">
              {receipt.networkName}, reference <span className="receipt-code">{receipt.reference}</span>
            </Fact>
            <Fact label="Check of your browser">{checked}</Fact>
          </dl>
        </header>
        <section aria-labelledby="rates">
          <h2 id="rates" className="display section-title">
            Rates at that moment
          </h2>
          {rates.length === 0 ? (
            <p>No cashback was promised for this click.</p>
          ) : (
            <ul className="receipt-rates" role="list">
              {rates.map((rate, index) => (
                <Rate key={index} rate={rate} now={now} />
              ))}
            </ul>
          )}
          {otherwise && <p className="soft">{otherwise}</p>}
          <p className="soft">{FOREIGN_CURRENCY_WORDS}</p>
        </section>
        <section aria-labelledby="dates">
          <h2 id="dates" className="display section-title">
            What was promised about time
          </h2>
          <ul className="receipt-dates">
            {dates.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </section>
        <section aria-labelledby="terms">
          <h2 id="terms" className="display section-title">
            Terms at that moment
          </h2>
          {receipt.terms === null ? (
            <p>The text was not kept for clicks as old as this one. Its fingerprint below still proves it.</p>
          ) : receipt.terms.trim() === "" ? (
            <p>The retailer had no terms of its own.</p>
          ) : (
            <div className="prose">
              <Paragraphs text={receipt.terms} />
            </div>
          )}
          <p className="soft receipt-print">
            Fingerprint of terms and rates (SHA-256): <span className="receipt-code">{receipt.termsHash}</span>
          </p>
        </section>
        {purchases.length > 0 && (
          <section aria-labelledby="led-to">
            <h2 id="led-to" className="display section-title">
              What came of it
            </h2>
            <ul className="related" role="list">
              {purchases.map((one) => (
                <li key={one.id}>
                  <a href={href("/money/purchases/:purchase", { purchase: cursorOf(one.id) })}>
                    {formatPence(one.purchasePence)} on {dayAndMonth(one.purchasedAt, now)}
                  </a>
                  : {formatPence(one.cashbackPence)} cashback, {stateWords[one.state].label.toLowerCase()}
                </li>
              ))}
            </ul>
          </section>
        )}
      </article>
      <p className="button-row no-print">
        <a className="button is-quiet" href={file("text")} download="">
          Download as text
        </a>
        <a className="button is-quiet" href={file("json")} download="">
          Download as JSON
        </a>
      </p>
      <p className="soft no-print">To print it, or to save it as a PDF, use your browser’s print command.</p>
    </ProfileShell>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Rate({ rate, now }: { rate: RateCard; now: Date }) {
  const details = [rate.base, rate.cap].filter(Boolean).join(", ");
  return (
    <li>
      <span>
        <b>{rate.label}</b>
        {details && <small className="soft">{details}</small>}
        {rate.boostedUntil && (
          <small className="soft">
            Boosted until {dayAndMonth(rate.boostedUntil, now)}, {rate.usual}
          </small>
        )}
        {rate.example && <small className="soft figures">For example: {rate.example}</small>}
      </span>
      <b className="figures receipt-pays">{rate.pays}</b>
    </li>
  );
}
