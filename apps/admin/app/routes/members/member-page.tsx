import { act } from "@farthing/core/audit/act.server.ts";
import { findShownBalances } from "@farthing/core/ledger/balances.server.ts";
import { findMemberRecord } from "@farthing/core/members/member-record.server.ts";
import { findNotes, noteSchema, writeNote } from "@farthing/core/members/notes.server.ts";
import { findTimeline, timelineKinds, type TimelineKind } from "@farthing/core/members/timeline.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { data, redirect } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Badge, Notice } from "../../kit/facts.tsx";
import { FaultSummary } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { doMemberAct, memberActs, type MemberActName } from "./member-acts.server.ts";
import { AccountState, verificationTones } from "./member-list.tsx";
import { MemberFacts } from "./member-facts.tsx";
import { MemberNotes } from "./member-notes.tsx";
import { MemberTimeline } from "./member-timeline.tsx";
import type { Route } from "./+types/member-page";

const PAGE_OF_TIMELINE = 60;

const unknown = () => refused(404, { title: "No such member", text: "Look for the member by name, e-mail or number." });

export async function loader({ context, params: { id }, request }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const { role } = context.get(operatorContext);
  const member = await findMemberRecord(db, { id, now: now() });
  if (!member) throw unknown();
  const query = new URL(request.url).searchParams;
  const kind = query.get("kind") ?? "";
  const shown = Object.hasOwn(timelineKinds, kind) ? (kind as TimelineKind) : undefined;
  const [balances, notes, { events, older }] = await Promise.all([
    findShownBalances(db, { memberId: id }),
    findNotes(db, { memberId: id }),
    findTimeline(db, {
      memberId: id,
      kind: shown,
      before: query.get("before"),
      max: PAGE_OF_TIMELINE,
    }),
  ]);
  const done = memberActs.find(({ name }) => name === query.get("done"))?.done;
  return {
    member,
    balances,
    notes,
    events,
    kind: shown ?? "",
    older,
    acts: may(role, "members.change")
      ? memberActs
          .filter(({ isFor, permission }) => isFor(member) && may(role, permission))
          .map(({ name, label }) => ({ name, label }))
      : [],
    mayExport: may(role, "members.export") && member.closedAt === null,
    mayActAs: may(role, "members.act-as") && member.suspendedAt === null && member.closedAt === null,
    mayDecide: may(role, "verifications.decide"),
    mayWrite: may(role, "members.change"),
    maySeeMoney: may(role, "money.see"),
    done: done ?? (query.has("noted") ? "The note is kept." : null),
  };
}

interface Answer {
  ask: { name: MemberActName; title: string; what: string; label: string } | null;
  typed: Typed;
  faults: Faults;
}
const answer = (changed: Partial<Answer>, status = 422) =>
  data({ ask: null, typed: {}, faults: {}, ...changed } satisfies Answer, { status });

export async function action({ context, params: { id }, request }: Route.ActionArgs) {
  const { db, now } = context.get(servicesContext);
  const member = await findMemberRecord(db, { id, now: now() });
  if (!member) throw unknown();
  const actor = actorOf(context);
  const typed = typedIn(await request.formData());
  const wanted = memberActs.find(({ name }) => name === typed["act"]);
  if (!wanted) {
    const form = checkForm(typed, z.object({ note: noteSchema }));
    if (!form.ok) return answer({ typed, faults: form.faults });
    const what = { permission: "members.change", action: "member.note", subject: { type: "member", id } } as const;
    const note = {
      brandId: member.brandId,
      memberId: id,
      by: actor.operator.email,
      text: form.value.note,
      now: actor.now,
    };
    await act(db, actor, what, (joined) => writeNote(joined, note));
    return redirect(`/admin/members/${id}?noted`, 303);
  }
  const { name, title, what, label } = wanted;
  const ask = { name, title, what, label };
  if (typed["confirmed"] !== "yes") return answer({ ask, typed }, 200);
  const form = checkForm(typed, z.object({ why: whySchema }));
  if (!form.ok) return answer({ ask, typed, faults: form.faults });
  const isDone = await doMemberAct(context.get(servicesContext), actor, { member, name, why: form.value.why });
  if (isDone) return redirect(`/admin/members/${id}?done=${name}`, 303);
  return answer(
    { typed, faults: { form: "Nothing was changed: somebody else did this first, or it is not possible now." } },
    409,
  );
}

export default function MemberPage({ loaderData, actionData }: Route.ComponentProps) {
  const { member, acts, done, mayExport, mayActAs, mayDecide } = loaderData;
  const path = `/admin/members/${member.id}`;
  const { ask, typed, faults } = actionData ?? { ask: null, typed: undefined, faults: undefined };
  return (
    <>
      <PageHead title={member.name} crumbs={[{ label: "Members", href: "/admin/members" }]}>
        <AccountState {...member} />
        <Badge tone={verificationTones[member.verification] ?? "plain"}>{member.verification}</Badge>
        {member.closure && <Badge tone="warn">leaving: {member.closure.state.replaceAll("_", " ")}</Badge>}
      </PageHead>
      {!actionData && done && <Notice tone="good">{done}</Notice>}
      {!ask && <FaultSummary faults={faults} />}
      {ask && (
        <Confirm
          title={ask.title}
          what={<p>{ask.what}</p>}
          button={ask.label}
          keep={[["act", ask.name]]}
          back={path}
          typed={typed}
          faults={faults}
        />
      )}
      {member.openProof && mayDecide && (
        <Notice tone="warn">
          Proof of membership waits. <a href={`/admin/verifications/${member.openProof}`}>Decide it</a>
        </Notice>
      )}
      <div className="acts">
        {acts.length > 0 && (
          <form method="post" action={path} className="acts">
            {acts.map(({ name, label }) => (
              <button key={name} className="button" name="act" value={name}>
                {label}
              </button>
            ))}
          </form>
        )}
        {mayActAs && (
          <a className="button" href={`${path}/access`}>
            Act as this member …
          </a>
        )}
        {mayExport && (
          <form method="post" action={`${path}/export`}>
            <button className="button">Export their data</button>
          </form>
        )}
      </div>
      <div className="split is-narrow-first">
        <div className="block">
          <MemberFacts {...loaderData} />
          <MemberNotes {...loaderData} path={path} typed={ask ? undefined : typed} faults={faults} />
        </div>
        <MemberTimeline {...loaderData} path={path} />
      </div>
    </>
  );
}
