import { longDate } from "@farthing/core/mails/long-date.ts";
import { act } from "@farthing/core/audit/act.server.ts";
import {
  decideRequest,
  type Decision,
  type DecisionResult,
} from "@farthing/core/verification-requests/decide-request.server.ts";
import { acceptAfterAll, type AfterAllResult } from "@farthing/core/verification-requests/accept-after-all.server.ts";
import { findBeside } from "@farthing/core/verification-requests/beside.server.ts";
import { findRequestForOperator } from "@farthing/core/verification-requests/queries.server.ts";
import { decisionSchema } from "@farthing/core/verification-requests/decision-schema.ts";
import { rejectionReasons } from "@farthing/core/verification-requests/reasons.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { verificationDays } from "@farthing/core/verification-requests/rules.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { data, redirect, type RouterContextProvider } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Badge, Facts, Notice } from "../../kit/facts.tsx";
import { FaultSummary, LongField } from "../../kit/fields.tsx";
import { counted, Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { requestTones } from "./verification-list.tsx";
import type { Route } from "./+types/verification-page";

export async function loader({ context, params: { id }, request: asked }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const request = await findRequestForOperator(db, { publicId: id });
  if (!request) throw refused(404, { title: "No such proof", text: "Go back to the list of verifications." });
  const after = new URL(asked.url).searchParams.get("after");
  const [beside, before] = await Promise.all([
    findBeside(db, { publicId: id }),
    after && /^\w+$/.test(after) ? findRequestForOperator(db, { publicId: after }) : null,
  ]);
  const decided = before && {
    id: before.publicId,
    name: before.member.name,
    brand: before.brandName,
    state: before.state,
  };
  return { request, ...beside, decided, mayDecide: may(context.get(operatorContext).role, "verifications.decide") };
}

export async function action({ context, params: { id }, request }: Route.ActionArgs) {
  const typed = typedIn(await request.formData());
  if (typed["decision"] === AFTER_ALL) return afterAll(context, { id, typed });
  const form = checkForm(typed, decisionSchema);
  if (!form.ok) return answer({ typed, faults: form.faults }, 422);
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const decision: Decision = form.value;
  const decided = await act(
    db,
    actor,
    {
      permission: "verifications.decide",
      action: decision.accept ? "verification.accept" : "verification.reject",
      subject: { type: "verification", id },
      why: decision.accept ? null : decision.reason,
      changed: ({ outcome }: DecisionResult) => outcome === "decided",
    },
    (joined) => decideRequest(joined, { publicId: id, decision, by: actor.operator.email, now: actor.now }),
  );
  if (decided.outcome !== "decided")
    return answer({ typed, late: decidedFirst(decided.outcome === "not-open" ? decided.state : "gone") }, 409);
  const { nextId } = await findBeside(db, { publicId: id });
  // After the last one its own page says what was decided.
  return redirect(`/admin/verifications/${nextId ?? id}?after=${id}`, 303);
}

const VERIFIES = "The member is verified for a year from today, or from the end of a membership that still runs.";
const KEPT = counted(verificationDays.keepFile, "day");
const AFTER_ALL = "accept-after-all";

interface Posted {
  typed: Typed;
  faults?: Faults | undefined;
  /** Why nothing was done. */
  late?: string;
  /** Whether the page has to ask before it accepts after all. */
  isAsked?: boolean;
}

const answer = (posted: Posted, status = 200) => data(posted, { status });
const decidedFirst = (state: string) => `Somebody else decided first: it is ${state}. Nothing of yours was recorded.`;

/** Accepts proof that was rejected by mistake, after a question and with a reason. */
async function afterAll(context: Readonly<RouterContextProvider>, { id, typed }: { id: string; typed: Typed }) {
  if (typed["confirmed"] !== "yes") return answer({ typed, isAsked: true });
  const why = checkForm(typed, z.object({ why: whySchema }));
  if (!why.ok) return answer({ typed, isAsked: true, faults: why.faults }, 422);
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const what = {
    permission: "verifications.decide",
    action: "verification.accept-after-all",
    subject: { type: "verification", id },
    why: why.value.why,
    changed: ({ outcome }: AfterAllResult) => outcome === "accepted",
  } as const;
  const done = await act(db, actor, what, (joined) =>
    acceptAfterAll(joined, { publicId: id, by: actor.operator.email, now: actor.now }),
  );
  if (done.outcome === "accepted") return redirect(`/admin/verifications/${id}?after=${id}`, 303);
  if (done.outcome === "newer")
    return answer(
      { typed, late: "Nothing was done: the member has sent a newer proof. Decide that one instead." },
      409,
    );
  if (done.outcome === "no-file")
    return answer({ typed, late: "Nothing was done: the file was deleted. The member can send proof again." }, 409);
  return answer({ typed, late: decidedFirst(done.outcome === "not-rejected" ? done.state : "gone") }, 409);
}

export default function VerificationPage({ loaderData, actionData }: Route.ComponentProps) {
  const { request, decided, mayDecide, memberId, waiting, nextId, newerId } = loaderData;
  const { member, file } = request;
  const path = `/admin/verifications/${request.publicId}`;
  const isOpen = request.state === "submitted";
  const mayAcceptAfterAll = request.state === "rejected" && mayDecide && file !== null && newerId === null;
  return (
    <>
      <PageHead title={`Proof of ${member.name}`} crumbs={[{ label: "Verifications", href: "/admin/verifications" }]}>
        <Badge tone={requestTones[request.state] ?? "plain"}>{request.state}</Badge>
        <span className="soft">{waiting} waiting</span>
        {nextId && <a href={`/admin/verifications/${nextId}`}>Skip to the next</a>}
      </PageHead>
      {decided && decided.state !== "submitted" && !actionData && (
        <Notice tone={requestTones[decided.state] ?? "plain"}>
          <a href={`/admin/verifications/${decided.id}`}>
            {decided.name}, {decided.brand}
          </a>{" "}
          was {decided.state}, and gets an e-mail.
          {decided.id !== request.publicId ? " This is the next." : waiting === 0 ? " No other proof waits." : ""}
        </Notice>
      )}
      {actionData?.late && <Notice tone="bad">{actionData.late}</Notice>}
      {actionData?.isAsked && mayAcceptAfterAll ? (
        <Confirm
          title={`Accept the proof of ${member.name} after all?`}
          what={<p>It was rejected. {VERIFIES} The member gets an e-mail that says so. This can’t be undone here.</p>}
          button="Accept after all"
          keep={[["decision", AFTER_ALL]]}
          back={path}
          typed={actionData.typed}
          faults={actionData.faults}
        />
      ) : (
        <FaultSummary faults={actionData?.faults} />
      )}
      <div className="split">
        <section className="file-view" aria-label="The file">
          <ProofFile file={file} way={request.way} path={path} />
        </section>
        <div className="block">
          <section className="panel" aria-labelledby="says">
            <h2 id="says">What the member says</h2>
            <Facts
              facts={[
                { label: "Name", value: <a href={`/admin/members/${memberId}`}>{member.name}</a> },
                { label: "Type", value: member.type ?? "not given" },
                { label: "Status", value: member.status ?? "not given" },
                { label: "Born", value: member.dateOfBirth ? longDate(member.dateOfBirth) : "not given" },
                { label: "E-mail", value: member.email },
                { label: "Number", value: <span className="id">{member.number}</span> },
                { label: "Brand", value: request.brandName },
                {
                  label: "Proof",
                  value: request.way === "work_email" ? "Work e-mail" : (request.proof ?? "A document"),
                },
                { label: "Sent", value: <Moment at={request.submittedAt} /> },
                { label: "Renewal", value: request.isRenewal ? "yes" : "no" },
              ]}
            />
          </section>
          {!isOpen && (
            <section className="panel" aria-labelledby="decided">
              <h2 id="decided">Decided</h2>
              <Facts
                facts={[
                  { label: "By", value: request.decidedBy ?? "nobody: newer proof replaced it" },
                  { label: "When", value: <Moment at={request.decidedAt} /> },
                  ...(request.reason ? [{ label: "Reason", value: request.reason.replaceAll("_", " ") }] : []),
                  ...(request.note ? [{ label: "Note", value: request.note }] : []),
                ]}
              />
              {request.state === "accepted" && mayDecide && (
                <p className="soft">
                  Accepted by mistake? End the membership on{" "}
                  <a href={`/admin/members/${memberId}`}>the member’s page</a>.
                </p>
              )}
              {request.state === "rejected" && mayDecide && (
                <RejectedByMistake
                  path={path}
                  newerId={newerId}
                  hasFile={file !== null}
                  isAsked={actionData?.isAsked}
                />
              )}
            </section>
          )}
          {isOpen && mayDecide && (
            <>
              <form method="post" action={path} className="panel">
                <h2>It is proof</h2>
                <p className="soft">{VERIFIES} The member gets an e-mail.</p>
                <button className="button is-main" name="decision" value="accept">
                  Accept
                </button>
              </form>
              <form method="post" action={path} className="panel">
                <h2>It is not</h2>
                <Reasons chosen={actionData?.typed["reason"]} fault={actionData?.faults?.["reason"]} />
                <LongField
                  name="note"
                  label="Note to the member"
                  help={`Goes into the e-mail, after the reason and its example. Needed with “${rejectionReasons.other.says}”`}
                  max={500}
                  isRequired={false}
                  typed={actionData?.typed}
                  faults={actionData?.faults}
                />
                <button className="button is-danger-quiet" name="decision" value="reject">
                  Reject
                </button>
              </form>
            </>
          )}
        </div>
      </div>
    </>
  );
}

/** The way back from a rejection, or what to do where there is none. */
function RejectedByMistake({
  path,
  newerId,
  hasFile,
  isAsked = false,
}: {
  path: string;
  newerId: string | null;
  hasFile: boolean;
  isAsked?: boolean | undefined;
}) {
  if (newerId)
    return (
      <p className="soft">
        Rejected by mistake? The member has sent proof since:{" "}
        <a href={`/admin/verifications/${newerId}`}>decide the new proof instead</a>.
      </p>
    );
  if (!hasFile)
    return (
      <p className="soft">
        Rejected by mistake? The file was deleted, so it can’t be accepted any more. The member can send proof again.
      </p>
    );
  if (isAsked) return null;
  return (
    <form method="post" action={path} className="block">
      <p className="soft">
        Rejected by mistake? It can be accepted until its file is deleted, {KEPT} after the decision.
      </p>
      <p>
        <button className="button" name="decision" value={AFTER_ALL}>
          Accept after all …
        </button>
      </p>
    </form>
  );
}

function ProofFile({
  file,
  way,
  path,
}: {
  file: { originalName: string; mediaType: string; size: number } | null;
  way: string;
  path: string;
}) {
  if (!file)
    return (
      <p className="empty">
        {way === "work_email" ? "The proof was a work e-mail address; there is no file." : "The file was deleted."}
      </p>
    );
  return (
    <figure className="block">
      {file.mediaType === "application/pdf" ? (
        <iframe src={`${path}/file`} title="The document that the member sent" />
      ) : (
        <a href={`${path}/file`}>
          <img src={`${path}/file`} alt="What the member sent. Open it on its own to enlarge it." />
        </a>
      )}
      <figcaption className="soft">
        {file.originalName}, {Math.ceil(file.size / 1024)} kB
      </figcaption>
    </figure>
  );
}

/** Each reason with what the member is told and the example of proof that would pass. */
function Reasons({ chosen, fault }: { chosen: string | undefined; fault: string | undefined }) {
  return (
    <fieldset className="reasons" aria-describedby={fault ? "reason-fault" : undefined}>
      <legend>Reason, as the member reads it</legend>
      {fault && (
        <p className="field-fault" id="reason-fault">
          {fault}
        </p>
      )}
      {Object.entries(rejectionReasons).map(([code, { says, example }], at) => (
        <label key={code} htmlFor={at === 0 ? "reason" : `reason-${code}`}>
          <input
            id={at === 0 ? "reason" : `reason-${code}`}
            type="radio"
            name="reason"
            value={code}
            defaultChecked={code === chosen}
          />
          <span>
            {says}
            <small>{example}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
