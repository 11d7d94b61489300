import { issueTicket } from "@farthing/core/account-access/acting.server.ts";
import { findAccessRequests, type AccessView } from "@farthing/core/account-access/queries.server.ts";
import { askForAccess, endAccessRequest, type Asked } from "@farthing/core/account-access/request-access.server.ts";
import { isOpen, type Standing } from "@farthing/core/account-access/rules.ts";
import { accessIdSchema, accessReasonSchema } from "@farthing/core/account-access/schema.ts";
import { act } from "@farthing/core/audit/act.server.ts";
import { findMainHost } from "@farthing/core/brands/main-host.server.ts";
import { findMemberRecord } from "@farthing/core/members/member-record.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { data, redirect } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Badge, Facts, Notice, type Tone } from "../../kit/facts.tsx";
import { FaultSummary, LongField } from "../../kit/fields.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import type { Route } from "./+types/member-access-page";

const unknown = () => refused(404, { title: "No such member", text: "Look for the member by name, e-mail or number." });

/** Asking a member whether one may see the site as they do, and starting it once they have said yes (A3). */
export async function loader({ context, params: { id }, request }: Route.LoaderArgs) {
  const { db, now: clock } = context.get(servicesContext);
  const operator = context.get(operatorContext);
  const now = clock();
  const member = await findMemberRecord(db, { id, now });
  if (!member) throw unknown();
  const requests = await findAccessRequests(db, { memberId: id, now });
  const open = requests.find(({ standing }) => isOpen(standing)) ?? null;
  return {
    member: { id, name: member.name, brand: member.brand },
    open,
    isOwn: open?.operatorId === operator.id,
    past: requests.filter((one) => one !== open),
    mayAsk: may(operator.role, "members.act-as") && member.suspendedAt === null && member.closedAt === null,
    mayAudit: may(operator.role, "audit.see"),
    done: new URL(request.url).searchParams.get("done"),
  };
}

interface Answer {
  /** Shown in one answer, and never again. */
  link: string | null;
  typed: Typed;
  faults: Faults;
}
const answer = (changed: Partial<Answer>, status = 422) =>
  data({ link: null, typed: {}, faults: {}, ...changed } satisfies Answer, { status });

export async function action({ context, params: { id }, request }: Route.ActionArgs) {
  const { db, now } = context.get(servicesContext);
  const member = await findMemberRecord(db, { id, now: now() });
  if (!member) throw unknown();
  const operator = context.get(operatorContext);
  const actor = actorOf(context);
  const typed = typedIn(await request.formData());
  const path = `/admin/members/${id}/access`;
  const what = { permission: "members.act-as" } as const;

  if (typed["act"] === "ask") {
    const form = checkForm(typed, z.object({ reason: accessReasonSchema }));
    if (!form.ok) return answer({ typed, faults: form.faults });
    const { reason } = form.value;
    const asking = { memberId: id, operator: { id: operator.id, name: operator.name }, reason, now: actor.now };
    const asked = await act<Asked>(
      db,
      actor,
      {
        ...what,
        action: "account-access.ask",
        subject: { type: "account-access", idOf: (result) => (result.outcome === "asked" ? result.publicId : "") },
        changed: ({ outcome }) => outcome === "asked",
      },
      (joined) => askForAccess(joined, asking),
    );
    if (asked.outcome === "asked") return redirect(`${path}?done=asked`, 303);
    const says = {
      open: `${"by" in asked ? asked.by : "Somebody"} has asked already, and it is still open.`,
      "too-often": "This member was asked three times in 24 hours. Wait until tomorrow.",
      "not-possible": "The member is suspended or has left.",
    };
    return answer({ typed, faults: { form: says[asked.outcome] } }, 409);
  }

  const wanted = accessIdSchema.safeParse(typed["request"] ?? "");
  const known = await findAccessRequests(db, { memberId: id, now: actor.now });
  const own = known.find((one) => one.publicId === wanted.data && one.operatorId === operator.id);
  if (!own) return answer({ faults: { form: "That is not a request of yours about this member." } }, 404);
  const subject = { type: "account-access", id: own.publicId } as const;

  if (typed["act"] === "end") {
    const ending = {
      publicId: own.publicId,
      whose: { operatorId: operator.id },
      by: "operator",
      now: actor.now,
    } as const;
    const isEnded = await act(db, actor, { ...what, action: "account-access.stop", subject }, (joined) =>
      endAccessRequest(joined, ending),
    );
    if (isEnded) return redirect(`${path}?done=ended`, 303);
    return answer({ faults: { form: "It had ended already." } }, 409);
  }
  if (typed["act"] !== "link") return answer({ faults: { form: "Choose what to do." } }, 400);
  const host = await findMainHost(db, member.brandId);
  if (host === null) return answer({ faults: { form: "The member’s brand has no host." } }, 409);
  const issuing = {
    publicId: own.publicId,
    operator: { id: operator.id, sessionId: operator.sessionId },
    now: actor.now,
  };
  const ticket = await act(db, actor, { ...what, action: "account-access.link", subject }, (joined) =>
    issueTicket(joined, issuing),
  );
  if (ticket === null)
    return answer({ faults: { form: "The member has not said yes, or it is over, or it runs already." } }, 409);
  const { originOf } = context.get(servicesContext);
  return answer({ link: `${originOf(host)}/acting?${new URLSearchParams({ ticket })}` }, 200);
}

const standings: Record<Standing, { text: string; tone: Tone }> = {
  asked: { text: "waits for the member", tone: "warn" },
  allowed: { text: "the member said yes", tone: "good" },
  running: { text: "running", tone: "warn" },
  refused: { text: "the member said no", tone: "bad" },
  lapsed: { text: "lapsed", tone: "plain" },
  withdrawn: { text: "taken back", tone: "plain" },
  over: { text: "over", tone: "plain" },
};

const done: Record<string, string> = {
  asked: "The member got an e-mail and a notice on their profile. You get an e-mail with the answer.",
  ended: "It is over.",
};

export default function MemberAccessPage({ loaderData, actionData }: Route.ComponentProps) {
  const { member, open, isOwn, past, mayAsk, mayAudit } = loaderData;
  const { link, typed, faults } = actionData ?? { link: null, typed: undefined, faults: undefined };
  const path = `/admin/members/${member.id}/access`;
  const said = actionData ? undefined : done[loaderData.done ?? ""];
  return (
    <>
      <PageHead
        title={`Act as ${member.name}`}
        crumbs={[
          { label: "Members", href: "/admin/members" },
          { label: member.name, href: `/admin/members/${member.id}` },
        ]}
        intro="See the site as the member does, once, for 30 minutes, if they say yes. Each page is in the audit log, and the member sees that you looked. Money, codes, sign-in, data and consent stay closed."
      />
      {said && <Notice tone="good">{said}</Notice>}
      <FaultSummary faults={faults} says="Nothing was done:" />
      {link && (
        <Notice tone="good">
          <p>
            <a className="button is-main" href={link} target="_blank" rel="noopener noreferrer">
              Open {member.brand} as {member.name}
            </a>
          </p>
          <p>
            The link works once, for five minutes, in this or another browser where you aren’t logged in as a member.
          </p>
        </Notice>
      )}
      {open && (
        <section className="panel" aria-labelledby="open">
          <h2 id="open">
            {open.operator} asked <Badge tone={standings[open.standing].tone}>{standings[open.standing].text}</Badge>
          </h2>
          <Facts facts={factsOf(open)} />
          {isOwn && (
            <form method="post" action={path} className="acts">
              <input type="hidden" name="request" value={open.publicId} />
              {open.standing === "allowed" && (
                <button className="button is-main" name="act" value="link">
                  {link ? "Get another link" : "Get the link to start"}
                </button>
              )}
              <button className="button" name="act" value="end">
                {open.standing === "running" ? "Stop now" : "Take it back"}
              </button>
            </form>
          )}
        </section>
      )}
      {!open && mayAsk && (
        <section className="panel" aria-labelledby="ask">
          <h2 id="ask">Ask the member</h2>
          <form method="post" action={path}>
            <LongField
              name="reason"
              label="Why"
              help="The member reads it, in the e-mail and on their profile: say what you need to see."
              max={500}
              typed={typed}
              faults={faults}
            />
            <button className="button is-main" name="act" value="ask">
              Ask
            </button>
          </form>
        </section>
      )}
      <h2>Before</h2>
      {past.length === 0 ? (
        <p className="empty">Nobody has asked this member before.</p>
      ) : (
        <PastRequests past={past} mayAudit={mayAudit} />
      )}
    </>
  );
}

function factsOf({ reason, askedAt, lapsesAt, startedAt, endsAt, pagesSeen, changesMade }: AccessView) {
  const facts = [
    { label: "Why", value: reason },
    { label: "Asked", value: <Moment at={askedAt} /> },
  ];
  if (startedAt === null) return [...facts, { label: "Ends by itself", value: <Moment at={lapsesAt} /> }];
  return [
    ...facts,
    { label: "Started", value: <Moment at={startedAt} /> },
    { label: "Ends at the latest", value: <Moment at={endsAt} /> },
    { label: "So far", value: `${pagesSeen} pages, ${changesMade} changes` },
  ];
}

function PastRequests({ past, mayAudit }: { past: readonly AccessView[]; mayAudit: boolean }) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Table of earlier requests">
      <table className="rows">
        <caption className="away">earlier requests</caption>
        <thead>
          <tr>
            <th scope="col">Asked</th>
            <th scope="col">By</th>
            <th scope="col">Why</th>
            <th scope="col">Outcome</th>
            <th scope="col">Started</th>
            <th scope="col" className="number">
              Pages
            </th>
            <th scope="col" className="number">
              Changes
            </th>
          </tr>
        </thead>
        <tbody>
          {past.map((one) => (
            <tr key={one.publicId}>
              <td>
                {mayAudit ? (
                  <a href={`/admin/audit/account-access/${one.publicId}`}>
                    <Moment at={one.askedAt} />
                  </a>
                ) : (
                  <Moment at={one.askedAt} />
                )}
              </td>
              <td>{one.operator}</td>
              <td>{one.reason}</td>
              <td>
                <Badge tone={standings[one.standing].tone}>{standings[one.standing].text}</Badge>
              </td>
              <td>
                <Moment at={one.startedAt} />
              </td>
              <td className="number">{one.pagesSeen}</td>
              <td className="number">{one.changesMade}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
