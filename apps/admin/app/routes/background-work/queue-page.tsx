import { act } from "@farthing/core/audit/act.server.ts";
import type { ListedWork } from "@farthing/core/due-work/due-work.server.ts";
import { may as roleMay } from "@farthing/core/operators/permissions.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { data } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { ConfirmBulk } from "../../kit/confirm.tsx";
import { Notice } from "../../kit/facts.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults } from "../../kit/read-form.ts";
import { queueOf } from "./queue-of.server.ts";
import { stateOf, workListing } from "./work-list.tsx";
import type { Route } from "./+types/queue-page";

export async function loader(args: Route.LoaderArgs) {
  const { context, params, request } = args;
  const queue = queueOf(params.queue);
  const now = context.get(servicesContext).now();
  const state = stateOf(Object.fromEntries(new URL(request.url).searchParams));
  const mayChange = roleMay(context.get(operatorContext).role, "work.change");
  const shown = { queue: params.queue, state, may: mayChange ? queue.may : { retry: false, drop: false } };
  const list = await loadList<ListedWork, "time">(args, workListing(shown), (filters) =>
    queue.due.list({ state: stateOf(filters), about: queue.about, now }),
  );
  return { shown, list, name: queue.name, does: queue.does };
}

const idsSchema = z.array(z.uuid()).min(1).max(100);

interface Posted {
  act: "retry" | "drop";
  tone: "good" | "bad";
  says: string | null;
  ask: readonly string[] | null;
  faults?: Faults;
}

/** Tries chosen work again, or drops it with a reason: asks first, then does each with an entry in the log. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const { may, subject, due } = queueOf(params.queue);
  const actor = actorOf(context);
  const form = await request.formData();
  const typed = typedIn(form);
  const doing = typed["act"] === "drop" ? "drop" : "retry";
  const answer = (posted: Partial<Posted>, status = 200) =>
    data<Posted>({ act: doing, tone: "bad", says: null, ask: null, ...posted }, { status });
  const ids = idsSchema.safeParse(form.getAll("ids"));
  if (!ids.success) return answer({ says: "Choose rows first, at most 100." }, 422);
  if (!may[doing] || subject === null)
    return answer({ says: "Work of this queue can’t be changed here: open its record." }, 422);
  if (typed["confirmed"] !== "yes") return answer({ ask: ids.data });
  let why: string | null = null;
  if (doing === "drop") {
    const checked = checkForm(typed, z.object({ why: whySchema }));
    if (!checked.ok) return answer({ ask: ids.data, faults: checked.faults }, 422);
    why = checked.value.why;
  }
  let done = 0;
  for (const id of ids.data) {
    const what = { permission: "work.change", action: `work.${doing}`, subject: { type: subject, id }, why } as const;
    const isDone = await act(db, actor, what, (joined) =>
      doing === "drop"
        ? due.drop(joined, { id, by: actor.operator.email, now: actor.now })
        : due.revive(joined, { id, now: actor.now }),
    );
    if (isDone) done += 1;
  }
  const skipped = ids.data.length - done;
  const says =
    (doing === "drop" ? `${done} dropped.` : `${done} due again: the worker takes them within seconds.`) +
    (skipped > 0 ? ` ${skipped} were not given up any more.` : "");
  return answer({ tone: done > 0 ? "good" : "bad", says });
}

const questions = {
  retry: {
    title: "Try",
    after: " again",
    what: "The worker takes it within seconds, and tries it as often as new work.",
    button: (count: number) => `Try ${count} again`,
  },
  drop: {
    title: "Drop",
    after: "",
    what: "Nothing more is done about it, and it is not listed here any more. This can’t be undone.",
    button: (count: number) => `Drop ${count}`,
  },
};

const empty = {
  "given-up": "Nothing has been given up.",
  failing: "No work has failed.",
  due: "No work is due.",
};

export default function QueuePage({ loaderData: { shown, list, name, does }, actionData }: Route.ComponentProps) {
  const listing = workListing(shown);
  const question = questions[actionData?.act ?? "drop"];
  return (
    <>
      <PageHead title={name} crumbs={[{ label: "Background work", href: "/admin/background-work" }]} intro={does} />
      {actionData?.says && <Notice tone={actionData.tone}>{actionData.says}</Notice>}
      {actionData?.ask && (
        <ConfirmBulk
          title={`${question.title} ${actionData.ask.length === 1 ? "this piece" : `these ${actionData.ask.length} pieces`} of work${question.after}?`}
          what={<p>{question.what}</p>}
          button={question.button(actionData.ask.length)}
          act={actionData.act}
          ids={actionData.ask}
          asksWhy={actionData.act === "drop"}
          faults={actionData.faults}
        />
      )}
      <ListScreen list={listing} loaded={list} empty={<p>{empty[shown.state]}</p>} />
    </>
  );
}
