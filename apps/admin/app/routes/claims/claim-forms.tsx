import type { ClaimRecord } from "@farthing/core/claims/find-record.server.ts";
import {
  GOODWILL_REASONS,
  goodwillReasons,
  isGoodwillReason,
  type GoodwillReason,
} from "@farthing/core/goodwill/rules.ts";
import { formatPence, parsePounds } from "@farthing/core/money/money.ts";
import { DECLINE_REASONS } from "@farthing/core/networks/decline-reason.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { FaultSummary, LongField, SelectField, TextField } from "../../kit/fields.tsx";
import { KeptWords } from "../../kit/kept-words.tsx";
import type { PostedClaim } from "./change-claim.server.ts";

const reasons = Object.entries(DECLINE_REASONS).map(([value, label]) => ({ value, label }));

interface Props {
  path: string;
  claim: ClaimRecord;
  posted: PostedClaim | undefined;
}

/** What can be decided about a claim now. A form that was posted wrongly is open, with what was typed. */
export function ClaimForms({ path, claim, posted, maySettle }: Props & { maySettle: boolean }) {
  const { may, appealUntil } = claim;
  const of = (act: string) =>
    posted?.act === act ? { typed: posted.typed, faults: posted.faults } : { typed: undefined, faults: undefined };
  const isOpen = (act: string) => posted?.act === act && (posted.faults !== undefined || posted.tone === "bad");
  if (!may.accept && !may.decline && !may.ask && !may.retry && !appealUntil && !maySettle) return null;
  return (
    <section className="panel" aria-labelledby="decide">
      <h2 id="decide">Decide</h2>
      {may.retry && (
        <form method="post" action={path}>
          <p className="soft">Lets the worker try it again, with the network’s API.</p>
          <button className="button" name="act" value="retry">
            Try again
          </button>
        </form>
      )}
      {may.accept && (
        <details name="decide" open={isOpen("accept")}>
          <summary>Accept: the retailer agrees</summary>
          <form method="post" action={path} className="stack">
            <FaultSummary faults={of("accept").faults} />
            <LongField
              name="answer"
              label="What the retailer wrote"
              help="The member reads it. The money comes with the network’s report."
              max={500}
              isRequired={false}
              {...of("accept")}
            />
            <button className="button is-main" name="act" value="accept">
              Accept
            </button>
          </form>
        </details>
      )}
      {may.ask && (
        <details name="decide" open={isOpen("ask")}>
          <summary>Ask the member for more</summary>
          <form method="post" action={path} className="stack">
            <FaultSummary faults={of("ask").faults} />
            <LongField
              name="asked"
              label="What the member should add"
              help="It goes into an e-mail to the member, who has 30 days."
              max={500}
              {...of("ask")}
            />
            <button className="button" name="act" value="ask">
              Ask
            </button>
          </form>
        </details>
      )}
      {may.decline && (
        <details name="decide" open={isOpen("decline")}>
          <summary>Decline: the retailer does not agree</summary>
          <form method="post" action={path} className="stack">
            <FaultSummary faults={of("decline").faults} />
            <SelectField
              name="reason"
              label="Reason"
              help="The member reads this sentence."
              choices={reasons}
              empty="Choose a reason"
              {...of("decline")}
            />
            <LongField
              name="note"
              label="What the retailer wrote"
              help="The member reads it below the reason."
              max={500}
              isRequired={false}
              {...of("decline")}
            />
            <button className="button is-danger-quiet" name="act" value="decline">
              Decline …
            </button>
          </form>
        </details>
      )}
      {appealUntil && (
        <details name="decide" open={isOpen("appeal")}>
          <summary>Appeal for the member</summary>
          <form method="post" action={path} className="stack">
            <FaultSummary faults={of("appeal").faults} />
            <LongField
              name="words"
              label="What the member says against it"
              help="For a member who wrote or called. It is filed with the network once more; there is no third time."
              max={1000}
              {...of("appeal")}
            />
            <button className="button" name="act" value="appeal">
              Appeal …
            </button>
          </form>
        </details>
      )}
      {maySettle && (
        <details name="decide" open={isOpen("settle")}>
          <summary>Settle with goodwill: the club pays</summary>
          <form method="post" action={path} className="stack">
            <FaultSummary faults={of("settle").faults} />
            <TextField
              name="amount"
              label="Amount in pounds"
              help={
                claim.expected
                  ? `By the rates of the visit the cashback would have been ${formatPence(claim.expected.cashbackPence)}.`
                  : undefined
              }
              inputMode="decimal"
              max={12}
              {...of("settle")}
            />
            <SelectField
              name="reason"
              label="Reason"
              help="The member reads it, in the mail and on the money page."
              choices={goodwillReasons.map((value) => ({ value, label: GOODWILL_REASONS[value] }))}
              value={"missing_cashback" satisfies GoodwillReason}
              {...of("settle")}
            />
            <TextField
              name="reference"
              label="Your reference"
              help="Such as a ticket. The same reference credits once."
              max={100}
              {...of("settle")}
            />
            <LongField
              name="note"
              label="Why"
              help="For operators, in the audit log and in the member’s copy of their data: leave out names."
              max={500}
              {...of("settle")}
            />
            <button className="button" name="act" value="settle">
              Settle …
            </button>
          </form>
        </details>
      )}
    </section>
  );
}

const labels = {
  ...{ answer: "What the retailer wrote", asked: "What the member should add", note: "What the retailer wrote" },
  ...{ words: "What the member says against it", why: "Why" },
};
const settleLabels = { amount: "Amount in pounds", reference: "Your reference", note: "Why" };

/** What was typed for a decision that can't be made any more. */
export function LateDecision({ claim, posted, maySettle }: Omit<Props, "path"> & { maySettle: boolean }) {
  if (posted?.tone !== "bad") return null;
  const { may, appealUntil } = claim;
  const { act, typed } = posted;
  const canStill = { accept: may.accept, ask: may.ask, decline: may.decline, appeal: appealUntil !== null };
  if (act === "settle") return maySettle ? null : <KeptWords typed={typed} labels={settleLabels} />;
  const isThere = Object.entries(canStill).some(([name, can]) => name === act && can);
  return isThere ? null : <KeptWords typed={typed} labels={labels} />;
}

/** Asks before a claim is declined, appealed for its member, or settled with the club’s money. */
export function AskFirst(props: Props & { posted: PostedClaim }) {
  switch (props.posted.act) {
    case "appeal":
      return <AskAppeal {...props} />;
    case "settle":
      return <AskSettle {...props} />;
    default:
      return <AskDecline {...props} />;
  }
}

function AskSettle({ path, claim, posted: { typed } }: Props & { posted: PostedClaim }) {
  const { reason = "" } = typed;
  const amount = formatPence(parsePounds(typed["amount"]?.trim() ?? "") ?? 0);
  return (
    <Confirm
      title={`Settle the claim about order ${claim.orderReference} with ${amount}?`}
      what={
        <>
          <p>
            {amount} of the club’s money is payable to {claim.memberName} at once, and a mail gives the reason “
            {isGoodwillReason(reason) ? GOODWILL_REASONS[reason] : reason}”. The claim ends as settled by us, and can’t
            be appealed any more.
          </p>
          <p>
            If the network reports the purchase after all, the cashback counts too. You can take the credit back on the
            member’s page of goodwill, but not what they have withdrawn by then.
          </p>
        </>
      }
      button="Settle it"
      keep={["act", "amount", "reason", "reference", "note"].map((name) => [name, typed[name] ?? ""])}
      back={path}
      asksWhy={false}
    />
  );
}

function AskAppeal({ path, claim, posted }: Props & { posted: PostedClaim }) {
  const { words = "" } = posted.typed;
  return (
    <Confirm
      title={`Appeal about order ${claim.orderReference} for the member?`}
      what={
        <>
          <p>It is filed with {claim.networkName} once more, with these words. There is no third time:</p>
          <blockquote>{words}</blockquote>
        </>
      }
      button="Appeal"
      keep={[
        ["act", "appeal"],
        ["words", words],
      ]}
      back={path}
      typed={posted.typed}
      faults={posted.faults}
    />
  );
}

function AskDecline({ path, claim, posted }: Props & { posted: PostedClaim }) {
  const { reason = "", note = "" } = posted.typed;
  const sentence = reasons.find(({ value }) => value === reason)?.label ?? reason;
  return (
    <Confirm
      title={`Decline the claim about order ${claim.orderReference}?`}
      what={
        <>
          <p>The member gets an e-mail that says, and can appeal where the reason allows it:</p>
          <blockquote>
            {sentence} {note && <>“{note}”</>}
          </blockquote>
        </>
      }
      button="Decline"
      keep={[
        ["act", "decline"],
        ["reason", reason],
        ["note", note],
      ]}
      back={path}
      typed={posted.typed}
      faults={posted.faults}
    />
  );
}
