import { act } from "@farthing/core/audit/act.server.ts";
import { findLastChange } from "@farthing/core/audit/queries.server.ts";
import { findBrandRecord } from "@farthing/core/brands/brand-records.server.ts";
import {
  dropLegalPage,
  editLegalPage,
  findLegalPageText,
  type EditedLegalPage,
} from "@farthing/core/legal-pages/edit-legal-page.server.ts";
import { legalPageSchema } from "@farthing/core/legal-pages/schema.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { data, redirect } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Badge, Notice } from "../../kit/facts.tsx";
import { FaultSummary, LongField, TextField, VersionField } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { StaleSave, type StaleAnswer } from "../../kit/stale-save.tsx";
import { unknownBrand } from "./change-brand.server.ts";
import type { Route } from "./+types/legal-page";

const NEW = "new";

export async function loader({ context, params: { brand: slug, page }, request }: Route.LoaderArgs) {
  const { db, originOf } = context.get(servicesContext);
  const record = await findBrandRecord(db, { slug });
  if (!record) throw unknownBrand();
  const { id: brandId, name, mainHost } = record.brand;
  const text = page === NEW ? null : await findLegalPageText(db, { brandId, slug: page });
  if (page !== NEW && !text) throw refused(404, { title: "No such page", text: "Go back to the brand's record." });
  const { role } = context.get(operatorContext);
  return {
    ...{ slug, name, page, text },
    site: mainHost && text && `${originOf(mainHost)}/legal/${page}`,
    isSaved: new URL(request.url).searchParams.has("saved"),
    mayChange: may(role, "brands.change"),
    maySeeLog: may(role, "audit.see"),
  };
}

interface Posted {
  typed: Typed;
  faults?: Faults;
  isAsked?: boolean;
  says?: string;
  stale?: StaleAnswer<string>;
}

export async function action({ context, params: { brand: slug, page }, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const record = await findBrandRecord(db, { slug });
  if (!record) throw unknownBrand();
  const { id: brandId } = record.brand;
  const typed = typedIn(await request.formData());
  const answer = (posted: Omit<Posted, "typed">, status = 422) => data<Posted>({ typed, ...posted }, { status });
  const path = `/admin/brands/${slug}`;
  const stored = page === NEW ? null : await findLegalPageText(db, { brandId, slug: page });

  if (typed["act"] === "drop") {
    if (!stored?.ownId) return answer({ says: "Nothing was done: it has the shared text already." }, 409);
    if (typed["confirmed"] !== "yes") return answer({ isAsked: true }, 200);
    const why = checkForm(typed, z.object({ why: whySchema }));
    if (!why.ok) return answer({ isAsked: true, faults: why.faults });
    await act(
      db,
      actor,
      {
        permission: "brands.change",
        action: "legal-page.drop",
        subject: { type: "legal-page", id: stored.ownId },
        why: why.value.why,
      },
      (joined) => dropLegalPage(joined, { brandId, slug: page }),
    );
    return redirect(`${path}?saved`, 303);
  }

  const form = checkForm({ ...typed, slug: page === NEW ? (typed["slug"] ?? "") : page }, legalPageSchema);
  if (!form.ok) return answer({ faults: form.faults });
  const { seen: seenText = "" } = typed;
  const edited = await act(
    db,
    actor,
    {
      permission: "brands.change",
      action: "legal-page.change",
      subject: stored?.ownId
        ? { type: "legal-page", id: stored.ownId }
        : {
            type: "legal-page",
            idOf: (result: EditedLegalPage) => (result.outcome === "saved" ? result.id : ""),
          },
      changed: ({ outcome }: EditedLegalPage) => outcome === "saved",
    },
    (joined) =>
      editLegalPage(joined, {
        ...{ brandId, ...form.value, today: actor.now.toISOString().slice(0, 10) },
        seen: page === NEW ? null : seenText,
      }),
  );
  switch (edited.outcome) {
    case "saved":
    case "unchanged":
      return redirect(`${path}/legal/${form.value.slug}?saved`, 303);
    case "refused":
      return answer({ faults: { body: edited.problems.join(" ") } });
    case "stale": {
      if (page === NEW) return answer({ faults: { slug: "There is a page of this name. Open it from the record." } });
      const id = edited.text?.ownId;
      const last = id ? await findLastChange(db, { type: "legal-page", id }) : null;
      const fields = (["title", "summary", "body"] as const).map((name) => ({
        ...{ name, label: labels[name] },
        theirs: edited.text?.[name] ?? "",
        yours: typed[name] ?? "",
      }));
      const version = edited.text?.seen ?? "";
      return answer({ stale: { by: last?.actor ?? null, at: last?.at ?? null, version, fields } }, 409);
    }
  }
}

const labels = { title: "Title", summary: "Summary", body: "Text" };

export default function LegalPage({ loaderData, actionData: posted }: Route.ComponentProps) {
  const { slug, name, page, text, site, isSaved, mayChange, maySeeLog } = loaderData;
  const path = `/admin/brands/${slug}/legal/${page}`;
  const isNew = page === NEW;
  const shared = { typed: posted?.isAsked ? undefined : posted?.typed, faults: posted?.faults };
  return (
    <>
      <PageHead
        title={text ? text.title : "Another legal page"}
        crumbs={[
          { label: "Brands", href: "/admin/brands" },
          { label: name, href: `/admin/brands/${slug}` },
        ]}
        intro={
          isNew ? null : text?.ownId ? (
            <>
              <Badge tone="good">its own</Badge> This text is the brand’s alone.
            </>
          ) : (
            <>
              <Badge>shared sample</Badge> It is not legal advice. Saving makes it the brand’s own.
            </>
          )
        }
      >
        {site && <a href={site}>Open on the site</a>}
        {maySeeLog && text?.ownId && <a href={`/admin/audit/legal-page/${text.ownId}`}>History in the log</a>}
      </PageHead>
      {!posted && isSaved && <Notice tone="good">Saved. Readers see today as the day of the change.</Notice>}
      {posted?.says && <Notice tone="bad">{posted.says}</Notice>}
      {posted?.isAsked && (
        <Confirm
          title="Give up the brand’s own text?"
          what={<p>Members read the shared text again, or nothing where there is none. The log keeps this text.</p>}
          button="Give it up"
          keep={[["act", "drop"]]}
          back={path}
          typed={posted.typed}
          faults={posted.faults}
        />
      )}
      {posted?.stale && <StaleSave {...posted.stale} versionName="seen" typed={posted.typed} back={path} />}
      <form method="post" action={path} className="panel">
        {!posted?.isAsked && <FaultSummary faults={posted?.faults} />}
        {text && <VersionField name="seen" current={text.seen} typed={shared.typed} stale={posted?.stale} />}
        <fieldset className="plain" disabled={!mayChange}>
          {isNew && (
            <TextField
              name="slug"
              label="Name in the address"
              help="/legal/… : lower-case letters, digits and dashes"
              max={40}
              {...shared}
            />
          )}
          <TextField name="title" label="Title" value={text?.title} max={80} {...shared} />
          <TextField name="summary" label="Summary in one sentence" value={text?.summary} max={200} {...shared} />
          <LongField
            name="body"
            label="Text"
            rows={24}
            value={text?.body}
            max={60_000}
            help="An empty line begins a paragraph, ## a heading, a dash a list, bars a table, [words](/path) a link. {brand}, {support}, {audience}, {minimumAge} and {residence} are filled in."
            {...shared}
          />
        </fieldset>
        {mayChange && <button className="button is-main">Save</button>}
      </form>
      {mayChange && text?.ownId && (
        <form method="post" action={path}>
          <button className="button is-danger-quiet" name="act" value="drop">
            Give up the brand’s own text …
          </button>
        </form>
      )}
    </>
  );
}
