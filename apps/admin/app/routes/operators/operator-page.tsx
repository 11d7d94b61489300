import { act } from "@farthing/core/audit/act.server.ts";
import { findLastChange } from "@farthing/core/audit/queries.server.ts";
import {
  changeOperator,
  disableOperator,
  enableOperator,
  type OperatorChange,
  resetOperator,
} from "@farthing/core/operators/operations.server.ts";
import { roleWords } from "@farthing/core/operators/permissions.ts";
import { findOperator, findOperatorSessions } from "@farthing/core/operators/queries.server.ts";
import { operatorChangeSchema, whySchema } from "@farthing/core/operators/schema.ts";
import { endOperatorSessions } from "@farthing/core/operators/sessions.server.ts";
import { data, redirect } from "react-router";
import { z } from "zod";
import { servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Facts, Notice } from "../../kit/facts.tsx";
import { FaultSummary, SelectField, TextField, VersionField } from "../../kit/fields.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { StaleSave } from "../../kit/stale-save.tsx";
import { OperatorState, roleChoices } from "./operator-list.tsx";
import type { Route } from "./+types/operator-page";

const unknown = () => refused(404, { title: "No such operator", text: "Go back to the list of operators." });

export async function loader({ context, params: { id }, request }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const operator = await findOperator(db, { id });
  if (!operator) throw unknown();
  const query = new URL(request.url).searchParams;
  return {
    operator,
    sessions: await findOperatorSessions(db, { operatorId: id, now: now() }),
    isInvited: query.has("invited"),
    done: acts.find(({ name }) => name === query.get("done"))?.done ?? (query.has("saved") ? "Saved." : null),
  };
}

/** What is done to an operator after a question. */
const acts = [
  {
    name: "disable",
    label: "Disable",
    title: "Disable this operator?",
    what: "They are signed out at once and can't sign in until an owner enables them again.",
    done: "The operator is disabled and signed out.",
  },
  {
    name: "enable",
    label: "Enable",
    title: "Enable this operator?",
    what: "They can sign in again with the password and the second factor that they had.",
    done: "The operator can sign in again.",
  },
  {
    name: "reset",
    label: "Reset password and second factor",
    title: "Reset this operator's access?",
    what: "Password, second factor, recovery codes and sessions end. They get a link by e-mail to begin again.",
    done: "The access is reset, and a link to begin again is on its way.",
  },
  {
    name: "end-sessions",
    label: "End all sessions",
    title: "End this operator's sessions?",
    what: "They are signed out everywhere and may sign in again.",
    done: "All sessions are ended.",
  },
] as const;
type ActName = (typeof acts)[number]["name"];

interface Answer {
  ask: ActName | null;
  stale: { by: string | null; at: Date | null; name: string; role: string; version: number } | null;
  typed: Typed;
  faults: Faults;
}
const answer = (changed: Partial<Answer>, status = 422) =>
  data({ ask: null, stale: null, typed: {}, faults: {}, ...changed } satisfies Answer, { status });

export async function action({ context, params: { id }, request }: Route.ActionArgs) {
  const typed = typedIn(await request.formData());
  const ask = acts.find(({ name }) => name === typed["act"]);
  if (!ask) return await save(context, id, typed);
  if (typed["confirmed"] !== "yes") return answer({ ask: ask.name, typed }, 200);
  const form = checkForm(typed, z.object({ why: whySchema }));
  if (!form.ok) return answer({ ask: ask.name, typed, faults: form.faults });
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const { now } = actor;
  const what = {
    permission: "operators.change",
    action: `operator.${ask.name}`,
    subject: { type: "operator", id },
    why: form.value.why,
    changed: (outcome: string) => outcome === "done",
  } as const;
  const outcome = await act(db, actor, what, async (joined): Promise<string> => {
    switch (ask.name) {
      case "disable": {
        const result = await disableOperator(joined, { id, now });
        return result === "disabled" ? "done" : result;
      }
      case "enable":
        return (await enableOperator(joined, { id, now })) ? "done" : "unknown";
      case "reset":
        return (await resetOperator(joined, { id, now })) ? "done" : "unknown";
      case "end-sessions":
        return (await endOperatorSessions(joined, { operatorId: id })) > 0 ? "done" : "none";
    }
  });
  if (outcome === "done") return redirect(`/admin/operators/${id}?done=${ask.name}`, 303);
  const fault =
    outcome === "last-owner"
      ? "This is the last owner: no other has chosen a password. Make somebody else an owner first."
      : "Nothing was changed: the operator is in that state already.";
  return answer({ typed, faults: { form: fault } });
}

async function save(context: Route.ActionArgs["context"], id: string, typed: Typed) {
  const form = checkForm(typed, operatorChangeSchema);
  if (!form.ok) return answer({ typed, faults: form.faults });
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const result = await act(
    db,
    actor,
    {
      permission: "operators.change",
      action: "operator.change",
      subject: { type: "operator", id },
      changed: ({ outcome }: OperatorChange) => outcome === "changed",
    },
    (joined) => changeOperator(joined, { id, ...form.value, now: actor.now }),
  );
  switch (result.outcome) {
    case "changed":
      return redirect(`/admin/operators/${id}?saved`, 303);
    case "unknown":
      throw unknown();
    case "last-owner":
      return answer({
        typed,
        faults: { role: "This is the last owner: no other has chosen a password. Make somebody else an owner first." },
      });
    case "stale": {
      const last = await findLastChange(db, { type: "operator", id });
      return answer({ typed, stale: { ...result, by: last?.actor ?? null, at: last?.at ?? null } }, 409);
    }
  }
}

export default function OperatorPage({ loaderData, actionData }: Route.ComponentProps) {
  const { operator, sessions, isInvited, done } = loaderData;
  const { ask, stale, typed, faults } = actionData ?? { ask: null, stale: null, typed: undefined, faults: undefined };
  const path = `/admin/operators/${operator.id}`;
  const asked = acts.find(({ name }) => name === ask);
  const isDisabled = operator.state === "disabled";
  return (
    <>
      <PageHead title={operator.name} crumbs={[{ label: "Operators", href: "/admin/operators" }]}>
        <a href={`/admin/audit?actor=${encodeURIComponent(operator.email)}`}>What they did</a>
        <a href={`/admin/audit/operator/${operator.id}`}>History of this operator</a>
      </PageHead>
      {!actionData && isInvited && <Notice tone="good">The invitation is on its way to {operator.email}.</Notice>}
      {!actionData && done && <Notice tone="good">{done}</Notice>}
      {!asked && <FaultSummary faults={faults} />}
      {asked && (
        <Confirm
          title={asked.title}
          what={<p>{asked.what}</p>}
          button={asked.label}
          keep={[["act", asked.name]]}
          back={path}
          typed={typed}
          faults={faults}
        />
      )}
      {stale && typed && (
        <StaleSave
          by={stale.by}
          at={stale.at}
          version={stale.version}
          typed={typed}
          back={path}
          fields={[
            { name: "name", label: "Name", theirs: stale.name, yours: typed["name"] ?? "" },
            { name: "role", label: "Role", theirs: stale.role, yours: typed["role"] ?? "" },
          ]}
        />
      )}
      <div className="panels">
        <section className="panel" aria-labelledby="who">
          <h2 id="who">Name and role</h2>
          <form method="post" action={path}>
            <VersionField current={operator.version} typed={asked ? undefined : typed} stale={stale} />
            <TextField
              name="name"
              label="Name"
              value={operator.name}
              max={120}
              typed={asked ? undefined : typed}
              faults={faults}
            />
            <SelectField
              name="role"
              label="Role"
              value={operator.role}
              choices={roleChoices}
              typed={asked ? undefined : typed}
              faults={faults}
            />
            <button className="button is-main">Save</button>
          </form>
        </section>
        <section className="panel" aria-labelledby="access">
          <h2 id="access">Access</h2>
          <Facts
            facts={[
              { label: "E-mail", value: operator.email },
              { label: "Role", value: roleWords[operator.role].does },
              { label: "State", value: <OperatorState {...operator} /> },
              { label: "Second factor", value: operator.hasSecondFactor ? "set up" : "not yet" },
              { label: "Added", value: <Moment at={operator.createdAt} /> },
            ]}
          />
          <form method="post" action={path} className="acts">
            {acts
              .filter(({ name }) => (name === "enable" ? isDisabled : !isDisabled))
              .filter(({ name }) => name !== "end-sessions" || sessions.length > 0)
              .map(({ name, label }) => (
                <button key={name} className="button" name="act" value={name}>
                  {label}
                </button>
              ))}
          </form>
        </section>
        <section className="panel" aria-labelledby="sessions">
          <h2 id="sessions">Sessions</h2>
          {sessions.length === 0 && <p className="soft">Not signed in anywhere.</p>}
          <ul>
            {sessions.map((session) => (
              <li key={session.id}>
                Used <Moment at={session.usedAt} /> from {session.address ?? "an unknown address"}
                <br />
                <span className="soft">{session.userAgent ?? "An unknown browser"}</span>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  );
}
