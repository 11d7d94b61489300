import { act } from "@farthing/core/audit/act.server.ts";
import { listBrands } from "@farthing/core/brands/queries.server.ts";
import {
  findNoticeRecord,
  removeNotice,
  saveNotice,
  type NoticeRecord,
  type SavedNotice,
} from "@farthing/core/notices/notice-records.server.ts";
import { toLondon } from "@farthing/core/catalogue/london-time.ts";
import { noticeStatement } from "@farthing/core/notices/schema.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { data, redirect } from "react-router";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Notice } from "../../kit/facts.tsx";
import { FaultSummary, VersionField } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { readRemoval } from "../../kit/removal.ts";
import { staleAnswer } from "../../kit/stale-answer.server.ts";
import { StaleSave, type StaleAnswer } from "../../kit/stale-save.tsx";
import { versionField } from "../../kit/version-field.ts";
import { audienceChoices, kindChoices, NoticeFields } from "./notice-fields.tsx";
import type { Route } from "./+types/notice-page";

const unknown = () => refused(404, { title: "No such notice", text: "Go back to the list of notices." });

export async function loader({ context, params: { id }, request }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const [notice, brands] = await Promise.all([findNoticeRecord(db, { id }), listBrands(db)]);
  if (!notice) throw unknown();
  const { role } = context.get(operatorContext);
  return {
    ...{ notice, brands: brands.map(({ slug, name }) => ({ slug, name })) },
    isSaved: new URL(request.url).searchParams.has("saved"),
    mayChange: may(role, "brands.change"),
    maySeeLog: may(role, "audit.see"),
  };
}

const typedOf = ({ brand, kind, title, text, since, until }: NoticeRecord): Typed => ({
  ...{ brand: brand ?? "", kind, title, text },
  ...{ since: toLondon(since).slice(0, 16), until: until ? toLondon(until).slice(0, 16) : "" },
});

const labels = {
  brand: "Who sees it",
  kind: "What it is",
  title: "Title",
  text: "Text",
  since: "Since",
  until: "Until",
};

interface Posted {
  typed: Typed;
  faults?: Faults;
  isAsked?: boolean;
  stale?: StaleAnswer;
}

export async function action({ context, params: { id }, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const typed = typedIn(await request.formData());
  const answer = (posted: Omit<Posted, "typed">, status = 422) => data<Posted>({ typed, ...posted }, { status });
  if (!(await findNoticeRecord(db, { id }))) throw unknown();
  if (typed["act"] === "remove") {
    const removal = readRemoval(typed);
    if (!("why" in removal)) return answer(removal, removal.faults ? 422 : 200);
    await act(
      db,
      actor,
      { permission: "brands.change", action: "notice.remove", subject: { type: "notice", id }, why: removal.why },
      (joined) => removeNotice(joined, { id }),
    );
    return redirect("/admin/notices?done", 303);
  }
  const form = checkForm(typed, noticeStatement);
  if (!form.ok) return answer({ faults: form.faults });
  const changed = { id, version: versionField.parse(typed["version"]) };
  const saved = await act(
    db,
    actor,
    {
      permission: "brands.change",
      action: "notice.change",
      subject: { type: "notice", id },
      changed: ({ outcome }: SavedNotice) => outcome === "saved",
    },
    (joined) => saveNotice(joined, { notice: form.value, changed }),
  );
  switch (saved.outcome) {
    case "saved":
    case "unchanged":
      return redirect(`/admin/notices/${id}?saved`, 303);
    case "unknown":
      throw unknown();
    case "no-such-brand":
      return answer({ faults: { brand: "Choose a brand of the list." } });
    case "stale": {
      const { stored } = saved;
      const choices = { brand: audienceChoices(await listBrands(db)), kind: kindChoices };
      const shown = { stored: typedOf(stored), version: stored.version, typed, labels, choices };
      return answer({ stale: await staleAnswer(db, { subject: { type: "notice", id }, ...shown }) }, 409);
    }
  }
}

export default function NoticePage({ loaderData, actionData: posted }: Route.ComponentProps) {
  const { notice, brands, isSaved, mayChange, maySeeLog } = loaderData;
  const path = `/admin/notices/${notice.id}`;
  const typed = posted && !posted.isAsked ? posted.typed : typedOf(notice);
  return (
    <section className="narrow">
      <PageHead title={notice.title} crumbs={[{ label: "Notices", href: "/admin/notices" }]}>
        {maySeeLog && <a href={`/admin/audit/notice/${notice.id}`}>History in the log</a>}
      </PageHead>
      {!posted && isSaved && <Notice tone="good">Saved. The sites show it.</Notice>}
      {posted?.isAsked && (
        <Confirm
          title="Remove this notice?"
          what={<p>The sites no longer show it. The log keeps its words.</p>}
          button="Remove"
          keep={[["act", "remove"]]}
          back={path}
          typed={posted.typed}
          faults={posted.faults}
        />
      )}
      {posted?.stale && <StaleSave {...posted.stale} typed={posted.typed} back={path} />}
      {!posted?.isAsked && <FaultSummary faults={posted?.faults} />}
      <form method="post" className="card" action={path}>
        <VersionField current={notice.version} typed={typed} stale={posted?.stale} />
        <fieldset className="plain" disabled={!mayChange}>
          <NoticeFields {...{ typed, brands }} faults={posted?.isAsked ? undefined : posted?.faults} />
        </fieldset>
        {mayChange && (
          <p className="acts">
            <button className="button is-main">Save</button>
          </p>
        )}
      </form>
      {mayChange && (
        <form method="post" action={path}>
          <button className="button is-danger-quiet" name="act" value="remove">
            Remove …
          </button>
        </form>
      )}
    </section>
  );
}
