import { act, actOutside } from "@farthing/core/audit/act.server.ts";
import { formatPence, sumPence } from "@farthing/core/money/money.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import type { AppliedFailure } from "@farthing/core/payouts/failures.server.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { applyReport, discardReport, findReport, type PayoutReport } from "@farthing/core/payouts/reports.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { data, type RouterContextProvider } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Badge, Facts, Notice, type Tone } from "../../kit/facts.tsx";
import { counted, Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { outcomeWords } from "./payout-words.tsx";
import type { Route } from "./+types/report-page";

const MAX_SHOWN = 500;

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const report = await findReport(db, { publicId: params.id, now: now() });
  if (!report) throw refused(404, { title: "No such report", text: "There is no report of the bank at this address." });
  const ending = report.lines.filter(({ outcome }) => outcome === "failed" || outcome === "returned");
  const isOdd = ({ outcome }: { outcome: AppliedFailure["outcome"] }) => outcomeWords[outcome].tone === "bad";
  const { lines, ...facts } = report;
  return {
    report: facts,
    // Those to look at first: a page of hundreds of thousands of rows opens in no browser.
    lines: [...lines.filter(isOdd), ...lines.filter((line) => !isOdd(line))].slice(0, MAX_SHOWN),
    count: lines.length,
    ending: ending.length,
    endingPence: sumPence(ending.map(({ amountPence }) => amountPence)),
    odd: lines.filter(isOdd).length,
    mayApply: may(context.get(operatorContext).role, "money.change"),
    wasReadBefore: new URL(request.url).searchParams.get("again") === "1",
  };
}

interface Posted {
  said?: { tone: Tone; text: string };
  /** What the page has to ask before it is done. */
  asks?: "apply" | "discard";
  typed?: Typed;
  faults?: Faults;
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const { db, now } = context.get(servicesContext);
  const typed = typedIn(await request.formData());
  const wanted = typed["act"] === "apply" || typed["act"] === "discard" ? typed["act"] : null;
  if (wanted === null || !(await findReport(db, { publicId: params.id, now: now() })))
    throw refused(404, { title: "No such report", text: "There is no report of the bank at this address." });
  if (typed["confirmed"] !== "yes") return answer({ asks: wanted, typed });
  const why = checkForm(typed, z.object({ why: whySchema }));
  if (!why.ok) return answer({ asks: wanted, typed, faults: why.faults }, 422);
  return (wanted === "apply" ? apply : discard)(context, { id: params.id, why: why.value.why });
}

const answer = (posted: Posted, status = 200) => data(posted, { status });

type Context = Readonly<RouterContextProvider>;
interface Change {
  id: string;
  why: string;
}

async function apply(context: Context, { id, why }: Change) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const what = {
    permission: "money.change",
    action: "payout-report.apply",
    subject: { type: "payout-report", id },
    why,
    changed: ({ outcome }: { outcome: string }) => outcome === "applied",
  } as const;
  // Each line in a transaction of its own.
  const done = await actOutside(db, actor, what, (own) =>
    applyReport(own, { publicId: id, by: actor.operator.email, now: actor.now }),
  );
  if (done.outcome === "applied") {
    const hasEnded = done.applied.some(({ outcome }) => outcome === "failed" || outcome === "returned");
    const text = hasEnded
      ? "Applied. Members whose payment did not arrive know."
      : "Applied. No payment ended; what its lines say stays here.";
    return answer({ said: { tone: "good", text } });
  }
  return tooLate(done.outcome === "already" ? "applied" : done.outcome);
}

async function discard(context: Context, { id, why }: Change) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const what = {
    permission: "money.change",
    action: "payout-report.discard",
    subject: { type: "payout-report", id },
    why,
    changed: ({ outcome }: { outcome: string }) => outcome === "discarded",
  } as const;
  const { outcome } = await act(db, actor, what, (joined) =>
    discardReport(joined, { publicId: id, by: actor.operator.email, because: why, now: actor.now }),
  );
  if (outcome === "discarded")
    return answer({ said: { tone: "good", text: "Discarded. The same file can be read again." } });
  return tooLate(outcome === "already" ? "discarded" : outcome);
}

/** Answers that another operator was first. */
function tooLate(outcome: "applied" | "discarded" | "running" | "unknown") {
  const text = {
    applied: "it was applied before.",
    discarded: "it was discarded before.",
    running: "another operator is applying it. Look at it again in a moment.",
    unknown: "the report is gone.",
  }[outcome];
  return answer({ said: { tone: "bad", text: `Nothing was done: ${text}` } }, 409);
}

export default function ReportPage({ loaderData, actionData }: Route.ComponentProps) {
  const { report, lines, count, ending, endingPence, odd, mayApply, wasReadBefore } = loaderData;
  const isApplied = report.appliedAt !== null;
  const { discarded } = report;
  const isOpen = !isApplied && discarded === null;
  const path = `/admin/payouts/reports/${report.publicId}`;
  return (
    <>
      <PageHead
        title={report.fileName}
        crumbs={[
          { label: "Payouts", href: "/admin/payouts" },
          { label: "Bank reports", href: "/admin/payouts/reports" },
        ]}
      >
        <a href={`/admin/audit/payout-report/${report.publicId}`}>History</a>
      </PageHead>
      {actionData?.said && <Notice tone={actionData.said.tone}>{actionData.said.text}</Notice>}
      {actionData?.asks === "discard" && isOpen && (
        <Confirm
          title={`Discard ${report.fileName}?`}
          what={
            <p>
              It ends no payment, and nobody is told. It stays in the list and can’t be applied any more. The same file
              can be read again.
            </p>
          }
          button="Discard it"
          keep={[["act", "discard"]]}
          back={path}
          typed={actionData.typed}
          faults={actionData.faults}
        />
      )}
      {actionData?.asks === "apply" && isOpen && (
        <Confirm
          title={`Apply ${report.fileName}?`}
          what={
            ending === 0 ? (
              <p>
                No payment ends, and nobody is told. The lines are kept, and home stops asking about this report. Before
                you apply it, ask the bank what the code means, or which payment the amount belongs to.
              </p>
            ) : (
              <p>
                {counted(ending, "payment")}, {formatPence(endingPence)}, {ending === 1 ? "ends" : "end"}: the money is
                payable again, each member gets a mail, and accounts that can’t be paid are removed. This can’t be
                undone; members ask again.
              </p>
            )
          }
          button={ending === 0 ? "Apply it" : `End ${counted(ending, "payment")}`}
          keep={[["act", "apply"]]}
          back={path}
          typed={actionData.typed}
          faults={actionData.faults}
        />
      )}
      {wasReadBefore && !actionData && (
        <Notice tone="warn">
          This file was read before: here it is. A file counts once, however often it is given.
        </Notice>
      )}
      <section className="panel" aria-labelledby="sums">
        <h2 id="sums">{isApplied ? "Applied" : discarded ? "Discarded" : "What it would do"}</h2>
        <Facts
          facts={[...whatHappened(report), ...figuresOf({ isApplied, discarded, count, ending, endingPence, odd })]}
        />
        {isOpen && mayApply && !actionData?.asks && (
          <form method="post" action={path} className="acts">
            {ending > 0 && (
              <button className="button is-danger" name="act" value="apply">
                Apply it: end {counted(ending, "payment")} …
              </button>
            )}
            {report.state === "look" && (
              <button className="button" name="act" value="apply">
                Apply it: nothing more to look at …
              </button>
            )}
            <button className="button is-danger-quiet" name="act" value="discard">
              Discard …
            </button>
          </form>
        )}
      </section>
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Table of its lines">
        <table className="rows">
          <caption className="away">The lines of the report</caption>
          <thead>
            <tr>
              <th scope="col">Reference</th>
              <th scope="col" className="number">
                Amount
              </th>
              <th scope="col">Member</th>
              <th scope="col">The bank says</th>
              {!discarded && (
                <>
                  <th scope="col">The member reads</th>
                  <th scope="col">{isApplied ? "Did" : "Would do"}</th>
                </>
              )}
            </tr>
          </thead>
          <tbody>
            {lines.map(({ reference, amountPence, payout, said, text, outcome }, index) => (
              <tr key={`${reference} ${index}`}>
                <td className="id">
                  {payout ? <a href={`/admin/payouts/${payout.publicId}`}>{reference}</a> : reference}
                </td>
                <td className="number">
                  <Amount pence={amountPence} />
                </td>
                <td className="id">
                  {payout ? <a href={`/admin/members/${payout.memberId}`}>{payout.memberNumber}</a> : "–"}
                </td>
                <td>{said}</td>
                {!discarded && (
                  <>
                    <td>{outcomeWords[outcome].tone === "good" ? text : "–"}</td>
                    <td>
                      <Badge tone={outcomeWords[outcome].tone}>
                        {isApplied ? outcomeWords[outcome].did : outcomeWords[outcome].would}
                      </Badge>
                      {outcome === "other-amount" && payout && <> We paid {formatPence(payout.amountPence)}.</>}
                      {outcome === "unknown-code" && (
                        <> Ask the bank what it means, then read a file that has the code of the reason.</>
                      )}
                    </td>
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {lines.length < count && (
        <p className="soft">
          The first {lines.length} of {count} lines{discarded ? "." : "; those that change nothing come first."}
        </p>
      )}
    </>
  );
}

/** Who read it, and what was done with it. */
function whatHappened({ readAt, readBy, appliedAt, appliedBy, discarded }: Omit<PayoutReport, "lines">) {
  const moment = (label: string, at: Date, by: string | null) => ({
    label,
    value: (
      <>
        <Moment at={at} /> by {by}
      </>
    ),
  });
  return [
    moment("Read", readAt, readBy),
    ...(appliedAt ? [moment("Applied", appliedAt, appliedBy)] : []),
    ...(discarded
      ? [moment("Discarded", discarded.at, discarded.by), { label: "Reason", value: discarded.because }]
      : []),
  ];
}

/** What the report does or did. A discarded one shows only how many lines it has: the same file may have been read again and applied. */
function figuresOf({
  isApplied,
  discarded,
  count,
  ending,
  endingPence,
  odd,
}: {
  isApplied: boolean;
  discarded: PayoutReport["discarded"];
  count: number;
  ending: number;
  endingPence: number;
  odd: number;
}) {
  if (discarded) return [{ label: "Lines", value: count }];
  return [
    {
      label: isApplied ? "Ended" : "Ends",
      value: (
        <>
          {counted(ending, "payment")}, <Amount pence={endingPence} />
        </>
      ),
    },
    { label: isApplied ? "Changed nothing" : "Change nothing", value: counted(count - ending, "line") },
    { label: "To look at", value: odd === 0 ? "nothing" : `${counted(odd, "line")} of these: see below` },
  ];
}
