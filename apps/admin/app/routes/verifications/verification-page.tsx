import { longDate } from "@farthing/core/mails/long-date.ts";
import { act } from "@farthing/core/audit/act.server.ts";
import {
  decideRequest,
  type Decision,
  type DecisionResult,
} from "@farthing/core/verification-requests/decide-request.server.ts";
import { findBeside } from "@farthing/core/verification-requests/beside.server.ts";
import { findRequestForOperator } from "@farthing/core/verification-requests/queries.server.ts";
import { decisionSchema } from "@farthing/core/verification-requests/decision-schema.ts";
import { rejectionReasons } from "@farthing/core/verification-requests/reasons.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { data, redirect } from "react-router";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Badge, Facts, Notice } from "../../kit/facts.tsx";
import { FaultSummary, LongField } from "../../kit/fields.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { readForm } from "../../kit/read-form.ts";
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
  const form = await readForm(request, decisionSchema);
  if (!form.ok) return data({ typed: form.typed, faults: form.faults, late: null }, { status: 422 });
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
    return data(
      {
        typed: form.typed,
        faults: {} as Record<string, string>,
        late: decided.outcome === "not-open" ? decided.state : "gone",
      },
      { status: 409 },
    );
  const { nextId } = await findBeside(db, { publicId: id });
  // After the last one its own page says what was decided.
  return redirect(`/admin/verifications/${nextId ?? id}?after=${id}`, 303);
}

export default function VerificationPage({ loaderData, actionData }: Route.ComponentProps) {
  const { request, decided, mayDecide, memberId, waiting, nextId } = loaderData;
  const { member, file } = request;
  const path = `/admin/verifications/${request.publicId}`;
  const isOpen = request.state === "submitted";
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
          {decided.id === request.publicId ? " No other proof waits." : " This is the next."}
        </Notice>
      )}
      {actionData?.late && (
        <Notice tone="bad">Somebody else decided first: it is {actionData.late}. Nothing of yours was recorded.</Notice>
      )}
      <FaultSummary faults={actionData?.faults} />
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
            </section>
          )}
          {isOpen && mayDecide && (
            <>
              <form method="post" action={path} className="panel">
                <h2>It is proof</h2>
                <p className="soft">The member is verified for a year and gets an e-mail.</p>
                <button className="button is-main" name="decision" value="accept">
                  Accept
                </button>
              </form>
              <form method="post" action={path} className="panel">
                <h2>It is not</h2>
                <Reasons chosen={actionData?.typed["reason"]} fault={actionData?.faults["reason"]} />
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
