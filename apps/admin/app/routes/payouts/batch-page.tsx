import { act, actOutside } from "@farthing/core/audit/act.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { approveBatch, cancelBatch, rejectBatch } from "@farthing/core/payouts/approve.server.ts";
import { CUT_OFF, isOver, londonTime } from "@farthing/core/payouts/bacs-calendar.ts";
import { confirmBatch } from "@farthing/core/payouts/confirm.server.ts";
import { findBatch } from "@farthing/core/payouts/list-batches.server.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { Fragment } from "react";
import { data } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Facts, Notice } from "../../kit/facts.tsx";
import { counted, Moment, momentText } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { readForm } from "../../kit/read-form.ts";
import { BatchBadge, PayoutBadge } from "./payout-words.tsx";
import type { Route } from "./+types/batch-page";
import type { PayoutState } from "@farthing/core/payouts/rules.ts";

type Context = Route.LoaderArgs["context"];

async function load(context: Context, number: string) {
  const { db, now, payouts } = context.get(servicesContext);
  const { email, role } = context.get(operatorContext);
  const { bankKeys } = payouts;
  const batch = /^\d{1,9}$/.test(number) ? await findBatch(db, { batchNumber: Number(number), bankKeys }) : null;
  if (!batch) throw refused(404, { title: "No such batch", text: `There is no batch ${number.slice(0, 20)}.` });
  const isOwn = batch.madeBy === email;
  return {
    batch,
    isOwn,
    mayApprove: may(role, isOwn ? "payouts.approve-own" : "payouts.approve"),
    mayChange: may(role, "money.change"),
    maySeeMembers: may(role, "members.see"),
    mayCancel: batch.state === "approved" && londonTime(now()).day < batch.processingDay,
    isOverNow: isOver(batch.processingDay, now()),
    hasMethod: payouts.originator !== null,
  };
}

export function loader({ context, params }: Route.LoaderArgs) {
  return load(context, params.number);
}

const formSchema = z.object({
  act: z.enum(["approve", "reject", "cancel", "confirm"]),
  not_sent: z.string().optional(),
  why: z.string().optional(),
  confirmed: z.string().optional(),
});

interface Said {
  tone: "good" | "warn" | "bad";
  text: string;
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const { db, payouts } = context.get(servicesContext);
  const { batch, isOwn, mayApprove } = await load(context, params.number);
  const actor = actorOf(context);
  const { batchNumber } = batch;
  const by = actor.operator.email;
  const { now } = actor;
  const form = await readForm(request, formSchema);
  if (!form.ok) return answer("bad", "Choose what to do.", 422);
  const { act: wanted, confirmed } = form.value;
  const subject = { type: "payout-batch", id: String(batchNumber) } as const;
  if (wanted === "confirm") {
    const what = { permission: "money.change", action: "payout-batch.confirm", subject, changed: isConfirmed } as const;
    // Each payment is recorded in a transaction of its own: one that fails holds up nobody.
    const done = await actOutside(db, actor, what, (own) =>
      confirmBatch(own, { batchNumber, bankKeys: payouts.bankKeys, by, now }),
    );
    if (done.outcome === "confirmed")
      return answer(
        "good",
        `${counted(done.paid, "payment")} recorded as paid, ${formatPence(done.paidPence)}. Members know.`,
      );
    if (done.outcome === "incomplete")
      return answer(
        "warn",
        `${counted(done.paid, "payment")} recorded as paid; ${done.failed.length} could not be: ${done.failed
          .slice(0, 10)
          .map(({ publicId }) => publicId)
          .join(", ")}. Confirm again; nobody is paid twice.`,
      );
    if (done.outcome === "too-early")
      return answer(
        "bad",
        `Nothing was done: the bank processes it on ${momentText(new Date(done.processingDay), true)}. Confirm it when that day is over.`,
        409,
      );
    return answer(
      "bad",
      `Nothing was done: ${done.outcome === "cancelled" ? "it was cancelled" : "nobody has approved it"}.`,
      409,
    );
  }
  if (wanted === "approve" && !mayApprove)
    throw refused(403, { title: "You made this batch", text: "Somebody else approves it, or an owner who is alone." });
  const needsWhy = wanted !== "approve" || isOwn;
  const why = whySchema.safeParse(form.value.why ?? "");
  if (needsWhy && confirmed !== "yes") return data({ said: null, ask: wanted, faults: undefined, typed: form.typed });
  const faults: Record<string, string> = {};
  if (wanted === "cancel" && form.value.not_sent !== "yes")
    faults["not_sent"] = "Confirm that the bank has no file of this batch. If it has one, withdraw it there first.";
  if (needsWhy && (!why.success || why.data.length < 3)) faults["why"] = "Say why, in 3 to 500 characters.";
  if (Object.keys(faults).length > 0)
    return data({ said: null, ask: wanted, faults, typed: form.typed }, { status: 422 });
  const because = why.success ? why.data : "";
  if (wanted !== "approve") {
    const isCancelled = wanted === "cancel";
    const what = {
      permission: "payouts.approve",
      action: isCancelled ? "payout-batch.cancel" : "payout-batch.reject",
      subject,
      why: because,
      changed: isRejected,
    } as const;
    const done = await act(db, actor, what, (joined) =>
      (isCancelled ? cancelBatch : rejectBatch)(joined, { batchNumber, by, because, now }),
    );
    if (done.outcome === "rejected") {
      const waits = done.payouts === 1 ? "1 payout waits" : `${done.payouts} payouts wait`;
      return answer("good", `${isCancelled ? "Cancelled" : "Rejected"}: ${waits} for the next batch.`);
    }
    const obstacle =
      done.outcome === "too-late"
        ? "its processing day has begun, so the bank may have paid it. Confirm it, or apply the bank’s report."
        : done.outcome === "not-approved"
          ? "it is not approved. Reject it instead."
          : "somebody else has decided it meanwhile.";
    return answer("bad", `Nothing was done: ${obstacle}`, 409);
  }
  const what = {
    permission: isOwn ? "payouts.approve-own" : "payouts.approve",
    action: "payout-batch.approve",
    subject,
    why: isOwn ? because : null,
    changed: isApproved,
  } as const;
  const done = await act(db, actor, what, (joined) =>
    approveBatch(joined, { batchNumber, by, aloneBecause: isOwn ? because : null, now }),
  );
  return done.outcome === "approved"
    ? answer(
        "good",
        `Approved. Download the file and send it to the bank by ${CUT_OFF} on ${momentText(new Date(done.submissionDay), true)}.`,
      )
    : answer("bad", "Nothing was done: somebody else has decided it meanwhile.", 409);
}

const isConfirmed = ({ outcome }: { outcome: string }) => outcome === "confirmed" || outcome === "incomplete";
const isRejected = ({ outcome }: { outcome: string }) => outcome === "rejected";
const isApproved = ({ outcome }: { outcome: string }) => outcome === "approved";

function answer(tone: Said["tone"], text: string, status = 200) {
  return data({ said: { tone, text } as Said, ask: null, faults: undefined, typed: {} }, { status });
}

export default function BatchPage({ loaderData, actionData }: Route.ComponentProps) {
  const { batch, isOwn } = loaderData;
  const path = `/admin/payouts/batches/${batch.batchNumber}`;
  return (
    <>
      <PageHead
        title={`Batch ${batch.batchNumber}`}
        crumbs={[
          { label: "Payouts", href: "/admin/payouts" },
          { label: "Batches", href: "/admin/payouts/batches" },
        ]}
      >
        <a href={`/admin/audit/payout-batch/${batch.batchNumber}`}>History</a>
      </PageHead>
      {actionData?.said && <Notice tone={actionData.said.tone}>{actionData.said.text}</Notice>}
      {actionData?.ask && (batch.state === "waiting" || loaderData.mayCancel) && (
        <Question ask={actionData.ask} batch={batch} path={path} faults={actionData.faults} typed={actionData.typed} />
      )}
      <div className="split">
        <section className="panel" aria-labelledby="what">
          <h2 id="what">
            {counted(batch.payouts, "payment")}, <Amount pence={batch.totalPence} /> <BatchBadge state={batch.state} />
          </h2>
          <Facts facts={factsOf(batch)} />
          {batch.parts.length > 0 && (
            <ul className="plain">
              {batch.parts.map(({ state, payouts, pence }) => (
                <li key={state}>
                  <PayoutBadge state={state as PayoutState} /> {payouts}, <Amount pence={pence} />
                </li>
              ))}
            </ul>
          )}
          <p>
            <a href={`/admin/payouts?batch=${batch.batchNumber}`}>All its payments</a>
            {batch.isLast && (
              <>
                {" · "}
                <a href="/admin/payouts?state=left-out">Who was left out</a>
              </>
            )}
          </p>
        </section>
        <Acts {...loaderData} path={path} isOwn={isOwn} />
      </div>
      {batch.largest.length > 0 && <Largest batch={batch} maySeeMembers={loaderData.maySeeMembers} />}
    </>
  );
}

type Loaded = Awaited<ReturnType<typeof load>>;

function factsOf(batch: Loaded["batch"]) {
  return [
    { label: "Made", value: <By at={batch.madeAt} by={batch.madeBy} /> },
    ...(batch.approvedAt ? [{ label: "Approved", value: <By at={batch.approvedAt} by={batch.approvedBy} /> }] : []),
    ...(batch.approvedAloneBecause ? [{ label: "By one person, because", value: batch.approvedAloneBecause }] : []),
    ...(batch.rejectedAt ? [{ label: "Rejected", value: <By at={batch.rejectedAt} by={batch.rejectedBy} /> }] : []),
    ...(batch.rejectedBecause ? [{ label: "Because", value: batch.rejectedBecause }] : []),
    ...(batch.cancelledAt ? [{ label: "Cancelled", value: <By at={batch.cancelledAt} by={batch.cancelledBy} /> }] : []),
    ...(batch.cancelledBecause ? [{ label: "Because", value: batch.cancelledBecause }] : []),
    ...(batch.state === "approved"
      ? [
          {
            label: "Send it to the bank by",
            value: (
              <>
                {CUT_OFF} on <Moment at={batch.sendDay} isDay />
              </>
            ),
          },
        ]
      : []),
    ...(batch.rejectedAt || batch.cancelledAt
      ? []
      : [
          { label: "Bacs processes it", value: <Moment at={batch.processingDay} isDay /> },
          { label: "In accounts", value: <Moment at={batch.entryDay} isDay /> },
        ]),
    ...(batch.confirmedAt ? [{ label: "Confirmed", value: <By at={batch.confirmedAt} by={batch.confirmedBy} /> }] : []),
  ];
}

function By({ at, by }: { at: Date; by: string | null }) {
  return (
    <>
      <Moment at={at} /> by {by ?? "somebody"}
    </>
  );
}

/** What comes next with this batch, and who may do it. */
function Acts({
  batch,
  isOwn,
  mayApprove,
  mayChange,
  mayCancel,
  isOverNow,
  hasMethod,
  path,
}: Loaded & { path: string }) {
  const { state } = batch;
  if (state === "rejected" || state === "cancelled")
    return (
      <section className="panel">
        <p>It pays nobody. Its payouts wait for the next batch, with the reason beside them.</p>
      </section>
    );
  if (state === "waiting")
    return (
      <section className="panel" aria-labelledby="next">
        <h2 id="next">Approve it?</h2>
        <p>
          {isOwn
            ? "You made it, so somebody else approves it. An owner who is alone may approve it with a reason, which the batch keeps."
            : "Look at the sum, the largest payments and the accounts. After you approve, its file can be sent to the bank."}
        </p>
        <form method="post" action={path} className="acts">
          {mayApprove && (
            <button className={isOwn ? "button is-danger-quiet" : "button is-main"} name="act" value="approve">
              {isOwn ? "Approve it alone …" : "Approve"}
            </button>
          )}
          {mayChange && (
            <button className="button" name="act" value="reject">
              Reject …
            </button>
          )}
        </form>
      </section>
    );
  return (
    <section className="panel" aria-labelledby="next">
      <h2 id="next">{state === "confirmed" ? "It is paid" : "Send it, then confirm it"}</h2>
      <Files batch={batch} mayDownload={mayChange && hasMethod} path={path} />
      {state === "approved" && mayChange && (
        <form method="post" action={path} className="narrow-gap">
          <p>
            {isOverNow
              ? "Its processing day is over. Apply the bank’s report first if you have it: what it names is left out."
              : "It can be confirmed when its processing day is over."}
          </p>
          <p className="acts">
            {isOverNow && (
              <button className="button is-main" name="act" value="confirm">
                Confirm that the bank has paid it
              </button>
            )}
            <a href="/admin/payouts/reports">Bank reports</a>
            {mayCancel && (
              <button className="button is-danger-quiet" name="act" value="cancel">
                Cancel the batch …
              </button>
            )}
          </p>
        </form>
      )}
    </section>
  );
}

/** The files of an approved batch, who has downloaded them, and why there are none any more. */
function Files({ batch, mayDownload, path }: { batch: Loaded["batch"]; mayDownload: boolean; path: string }) {
  const { detailsDeleted, downloads } = batch;
  return (
    <>
      {downloads.length > 0 && (
        <ul className="plain">
          {downloads.map(({ at, by, file }, index) => (
            <li key={index}>
              Downloaded on <By at={at} by={by} />: {file}
            </li>
          ))}
        </ul>
      )}
      {detailsDeleted > 0 ? (
        <p>
          Its files can’t be made again: the bank details of {counted(detailsDeleted, "payment")} are deleted, as they
          are when a payment fails or comes back, and 30 days after it is paid.
        </p>
      ) : (
        mayDownload && (
          <>
            {downloads.length > 0 && batch.state === "approved" && (
              <Notice tone="warn">
                A file of this batch was downloaded before. Ask whether it was sent: a file that is sent twice pays
                everybody twice.
              </Notice>
            )}
            <form method="post" action={`${path}/file`} className="acts">
              <button className="button" name="kind" value="txt">
                Download the Bacs file
              </button>
              <button className="button" name="kind" value="csv">
                Download as CSV
              </button>
            </form>
            <p className="field-help">Both hold bank details; each download is in the audit log.</p>
          </>
        )
      )}
    </>
  );
}

function Question({
  ask,
  batch,
  path,
  faults,
  typed,
}: {
  ask: string;
  batch: Loaded["batch"];
  path: string;
  faults: Record<string, string> | undefined;
  typed: Readonly<Record<string, string>>;
}) {
  const sum = `${counted(batch.payouts, "payment")}, ${formatPence(batch.totalPence)}`;
  if (ask === "cancel")
    return (
      <Confirm
        title={`Cancel batch ${batch.batchNumber}?`}
        what={
          <p>
            Has its file been sent to the bank? {downloadText(batch.downloads.length)} If the bank has it, withdraw it
            there first: otherwise the bank pays these members, and the next batch pays them again. Its payouts ({sum})
            wait for the next batch, and members are told nothing.
          </p>
        }
        button="Cancel the batch"
        keep={[["act", "cancel"]]}
        back={path}
        typed={typed}
        faults={faults}
      >
        <div className="field boxes" data-has-fault={faults?.["not_sent"] ? "" : undefined}>
          <label>
            <input
              id="not_sent"
              type="checkbox"
              name="not_sent"
              value="yes"
              defaultChecked={typed["not_sent"] === "yes"}
              aria-invalid={faults?.["not_sent"] ? true : undefined}
              aria-describedby={faults?.["not_sent"] ? "not_sent-fault" : undefined}
            />{" "}
            The file was not sent, or the bank has withdrawn it
          </label>
          {faults?.["not_sent"] && (
            <p className="field-fault" id="not_sent-fault">
              {faults["not_sent"]}
            </p>
          )}
        </div>
      </Confirm>
    );
  return ask === "reject" ? (
    <Confirm
      title={`Reject batch ${batch.batchNumber}?`}
      what={<p>It pays nobody. Its payouts ({sum}) wait for the next batch, and members are told nothing.</p>}
      button="Reject it"
      keep={[["act", "reject"]]}
      back={path}
      typed={typed}
      faults={faults}
    />
  ) : (
    <Confirm
      title={`Approve batch ${batch.batchNumber} alone?`}
      what={
        <p>
          You made it. Nobody else will look at it before {sum} can leave. The batch and the audit log keep your reason.
        </p>
      }
      button="Approve it alone"
      keep={[["act", "approve"]]}
      back={path}
      typed={typed}
      faults={faults}
    />
  );
}

const downloadText = (downloads: number) =>
  downloads === 0 ? "Nobody has downloaded it." : `It was downloaded ${counted(downloads, "time")}.`;

function Largest({ batch, maySeeMembers }: { batch: Loaded["batch"]; maySeeMembers: boolean }) {
  return (
    <section className="narrow-gap" aria-labelledby="largest">
      <h2 id="largest">The largest payments</h2>
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Table of the largest payments">
        <table>
          <thead>
            <tr>
              <th scope="col">Payout</th>
              <th scope="col">Member</th>
              <th scope="col">Brand</th>
              <th scope="col" className="number">
                Amount
              </th>
              <th scope="col">Look at</th>
            </tr>
          </thead>
          <tbody>
            {batch.largest.map(({ publicId, reference, memberId, memberNumber, brand, pence, isFirst, sharedWith }) => (
              <tr key={publicId}>
                <td>
                  <a href={`/admin/payouts/${publicId}`} className="id">
                    {reference}
                  </a>
                </td>
                <td>
                  <MemberNumber memberId={memberId} memberNumber={memberNumber} isLink={maySeeMembers} />
                </td>
                <td>{brand}</td>
                <td className="number">
                  <Amount pence={pence} />
                </td>
                <td>
                  {!isFirst && sharedWith.length === 0 && "–"}
                  {isFirst && "the member’s first payout"}
                  {isFirst && sharedWith.length > 0 && "; "}
                  {sharedWith.length > 0 && "same account as "}
                  {sharedWith.map((other, index) => (
                    <Fragment key={other.memberId}>
                      {index > 0 && ", "}
                      <MemberNumber {...other} isLink={maySeeMembers} />
                    </Fragment>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function MemberNumber({ memberId, memberNumber, isLink }: { memberId: string; memberNumber: string; isLink: boolean }) {
  return isLink ? (
    <a href={`/admin/members/${memberId}`} className="id">
      {memberNumber}
    </a>
  ) : (
    <span className="id">{memberNumber}</span>
  );
}
