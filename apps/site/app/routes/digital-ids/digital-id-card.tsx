import { longDate } from "../../ui/text/british-dates.ts";
import type { ShownCard } from "./kept-card.ts";

/** The member's card in the brand's look. It can be printed. */
export function DigitalIdCard({ card, brandName }: { card: ShownCard; brandName: string }) {
  const { name, memberNumber, memberType, validUntil, memberSince } = card;
  return (
    <section className="id-card" aria-label={`${brandName} digital ID of ${name}`}>
      <div className="id-card-head">
        <p className={brandName.length > 22 ? "wordmark is-long" : "wordmark"}>{brandName}</p>
        <p className="id-card-kind label">Digital ID</p>
      </div>
      <p className={name.length > 22 ? "id-card-name display is-long" : "id-card-name display"}>{name}</p>
      <dl className="id-card-facts">
        {memberType && (
          <div>
            <dt>Member</dt>
            <dd>{memberType}</dd>
          </div>
        )}
        <div>
          <dt>Member number</dt>
          <dd className="id-card-number" translate="no">
            {inGroups(memberNumber)}
          </dd>
        </div>
        <div>
          <dt>Valid until</dt>
          <dd>{validUntil ? longDate(new Date(validUntil)) : "No end"}</dd>
        </div>
        <div>
          <dt>Member since</dt>
          <dd>{new Date(memberSince).getUTCFullYear()}</dd>
        </div>
      </dl>
    </section>
  );
}

/** Groups of four characters, as card numbers are read out. */
function inGroups(number: string): string {
  return number.match(/.{1,4}/g)?.join(" ") ?? number;
}
