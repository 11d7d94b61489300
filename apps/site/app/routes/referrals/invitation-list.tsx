import { formatPence } from "@farthing/core/money/money.ts";
import type { BonusView } from "@farthing/core/referrals/queries.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { dayAndMonth, monthAndYear } from "../../ui/text/british-dates.ts";
import { inviterWords, type BonusWords } from "./bonus-words.ts";

/** What became of each invitation. Friends have no names here: when they joined is all that is told. */
export function InvitationList({
  invitations,
  joined,
  earnedPence,
  confirmedPence,
  now,
}: {
  invitations: readonly BonusView[];
  joined: number;
  earnedPence: number;
  confirmedPence: number;
  now: Date;
}) {
  return (
    <section aria-labelledby="invitations">
      <h2 id="invitations" className="display section-title">
        Who has joined
      </h2>
      <p>
        {joined === 1 ? "One friend has joined" : `${joined} friends have joined`}, and you have earned{" "}
        <b>{formatPence(earnedPence)}</b>
        {confirmedPence > 0 && <>; {formatPence(confirmedPence)} more is confirmed</>}.
      </p>
      <ul className="bonus-list" role="list">
        {invitations.map((bonus) => (
          <BonusItem
            key={bonus.id}
            title={`Friend who joined in ${monthAndYear(bonus.joinedAt)}`}
            when={`Joined ${dayAndMonth(bonus.joinedAt, now)}`}
            amountPence={bonus.amountPence}
            words={inviterWords(bonus, now)}
          />
        ))}
      </ul>
      {joined > invitations.length && <p className="soft">The newest {invitations.length} are shown.</p>}
    </section>
  );
}

export function BonusItem({
  title,
  when,
  amountPence,
  words: { label, text, tone },
}: {
  title: string;
  when: string | null;
  amountPence: number;
  words: BonusWords;
}) {
  return (
    <li className={`bonus-item is-${tone}`}>
      <p className="bonus-item-title">
        <b>{title}</b>
        {when && <small className="soft">{when}</small>}
      </p>
      <p className="bonus-item-amount">
        {tone === "over" ? (
          <s>
            <Amount pence={amountPence} />
          </s>
        ) : (
          <Amount pence={amountPence} isPending={tone === "waits"} />
        )}
      </p>
      <p className="bonus-item-state">
        <b>{label}.</b> {text}
      </p>
    </li>
  );
}
