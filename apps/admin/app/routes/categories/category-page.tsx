import { act } from "@farthing/core/audit/act.server.ts";
import { findLastChange } from "@farthing/core/audit/queries.server.ts";
import { categorySchema } from "@farthing/core/catalogue/categories/category-schema.ts";
import {
  changeCategory,
  listCategoryRecords,
  seenCategory,
  type CategoryChange,
} from "@farthing/core/catalogue/categories/operations.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { data, redirect } from "react-router";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Notice } from "../../kit/facts.tsx";
import { FaultSummary, LongField, TextField, VersionField } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { StaleSave, type StaleAnswer } from "../../kit/stale-save.tsx";
import type { Route } from "./+types/category-page";

const unknown = () => refused(404, { title: "No such category", text: "Go back to the list of categories." });

export async function loader({ context, params: { category: slug }, request }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const category = (await listCategoryRecords(db)).find((each) => each.slug === slug);
  if (!category) throw unknown();
  return {
    category,
    seen: seenCategory(category),
    mayChange: may(context.get(operatorContext).role, "catalogue.change"),
    isSaved: new URL(request.url).searchParams.has("saved"),
  };
}

interface Answer {
  stale: StaleAnswer<string> | null;
  typed: Typed;
  faults: Faults;
}

const labels = { name: "Name", body: "Text" };

export async function action({ context, params: { category: slug }, request }: Route.ActionArgs) {
  const typed = typedIn(await request.formData());
  const answer = (changed: Partial<Answer>, status = 422) =>
    data<Answer>({ stale: null, typed, faults: {}, ...changed }, { status });
  const form = checkForm({ ...typed, body: (typed["body"] ?? "").replaceAll("\r\n", "\n") }, categorySchema);
  if (!form.ok)
    return answer({
      faults: Object.fromEntries(
        Object.entries(form.faults).map(([name, fault]) => [name, `${labels[name as "name"]} ${fault}.`]),
      ),
    });
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const what = {
    permission: "catalogue.change",
    action: "category.change",
    subject: { type: "category", id: slug },
    changed: ({ outcome }: CategoryChange) => outcome === "changed",
  } as const;
  const change = { slug, seen: typed["version"] ?? "", form: form.value, now: actor.now };
  const saved = await act(db, actor, what, (joined) => changeCategory(joined, change));
  switch (saved.outcome) {
    case "changed":
      return redirect(`/admin/categories/${slug}?saved`, 303);
    case "unchanged":
      return answer({ faults: { form: "Nothing was changed: the category has these values already." } }, 409);
    case "unknown":
      throw unknown();
    case "stale": {
      const last = await findLastChange(db, { type: "category", id: slug });
      const yours = form.value;
      const fields = [
        { name: "name", label: labels.name, theirs: saved.stored.name, yours: yours.name },
        { name: "body", label: labels.body, theirs: saved.stored.body, yours: yours.body },
        { name: "isHidden", label: "Hidden", theirs: yesNo(saved.stored.isHidden), yours: yesNo(yours.isHidden) },
      ];
      return answer({ stale: { by: last?.actor ?? null, at: last?.at ?? null, fields, version: saved.seen } }, 409);
    }
  }
}

const yesNo = (value: boolean) => (value ? "yes" : "no");

export default function CategoryPage({ loaderData, actionData }: Route.ComponentProps) {
  const { category, seen, mayChange, isSaved } = loaderData;
  const path = `/admin/categories/${category.slug}`;
  const { typed, faults, stale } = actionData ?? {};
  return (
    <section className="narrow">
      <PageHead
        title={category.name}
        crumbs={[{ label: "Categories", href: "/admin/categories" }]}
        intro={`/categories/${category.slug}`}
      />
      {isSaved && !actionData && <Notice tone="good">Saved. The site shows it at once.</Notice>}
      <FaultSummary faults={faults} />
      {stale && typed && <StaleSave {...stale} typed={typed} back={path} />}
      <form method="post" action={path} className="card">
        <fieldset className="plain-fieldset stack" disabled={!mayChange}>
          <VersionField current={seen} {...{ typed, stale }} />
          <TextField name="name" label={labels.name} value={category.name} max={80} {...{ typed, faults }} />
          <LongField
            name="body"
            label={labels.body}
            help="At the top of its page. An empty line begins a new paragraph."
            rows={8}
            value={category.body}
            max={10_000}
            isRequired={false}
            {...{ typed, faults }}
          />
          <div className="boxes">
            <label>
              <input
                type="checkbox"
                name="isHidden"
                value="yes"
                defaultChecked={typed ? typed["isHidden"] === "yes" : category.isHidden}
              />{" "}
              Hidden: lists, the search and the sitemap leave it out. Its page stays for links that lead to it.
            </label>
          </div>
          {mayChange && (
            <p>
              <button className="button is-main">Save</button>
            </p>
          )}
        </fieldset>
      </form>
    </section>
  );
}
