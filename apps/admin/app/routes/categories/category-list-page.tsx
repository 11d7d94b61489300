import { act } from "@farthing/core/audit/act.server.ts";
import { categorySchema } from "@farthing/core/catalogue/categories/category-schema.ts";
import {
  createCategory,
  listCategoryRecords,
  moveCategory,
} from "@farthing/core/catalogue/categories/operations.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { data, redirect } from "react-router";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Badge, Notice } from "../../kit/facts.tsx";
import { TextField } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import type { Route } from "./+types/category-list-page";

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  return {
    categories: await listCategoryRecords(db),
    mayChange: may(context.get(operatorContext).role, "catalogue.change"),
  };
}

interface Posted {
  typed: Typed;
  faults: Faults;
  says: string | null;
}

/** Adds a category, or moves one. */
export async function action({ context, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const typed = typedIn(await request.formData());
  const answer = (posted: Partial<Posted>, status: number) =>
    data<Posted>({ typed, faults: {}, says: null, ...posted }, { status });
  const slug = typed["up"] ?? typed["down"];
  if (slug !== undefined) {
    const what = {
      permission: "catalogue.change",
      action: "category.move",
      subject: { type: "category", id: slug },
    } as const;
    const by = typed["up"] === undefined ? 1 : -1;
    const isMoved = await act(db, actor, what, (joined) => moveCategory(joined, { slug, by, now: actor.now }));
    if (isMoved) return redirect("/admin/categories", 303);
    return answer({ says: "Nothing was moved: the category is at that end already." }, 409);
  }
  const form = checkForm({ name: typed["name"] ?? "", body: "" }, categorySchema);
  if (!form.ok) return answer({ faults: { name: `The name ${form.faults["name"]}.` } }, 422);
  const { name } = form.value;
  const what = {
    permission: "catalogue.change",
    action: "category.create",
    subject: { type: "category", idOf: (made: string | null) => made ?? "" },
  } as const;
  const made = await act(db, actor, what, (joined) => createCategory(joined, { name, now: actor.now }));
  if (made !== null) return redirect(`/admin/categories/${made}`, 303);
  return answer({ faults: { name: "A category has this name, or one that makes the same address." } }, 422);
}

export default function CategoryListPage({ loaderData: { categories, mayChange }, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Categories" intro="In the order in which the site lists them." />
      {actionData?.says && <Notice tone="bad">{actionData.says}</Notice>}
      {categories.length === 0 && <p className="empty">There are no categories yet. Add the first one below.</p>}
      {categories.length > 0 && (
        <form method="post" action="/admin/categories">
          <div className="table-scroll" tabIndex={0} role="region" aria-label="Table of categories">
            <table className="rows">
              <caption className="away">Categories</caption>
              <thead>
                <tr>
                  <th scope="col">Category</th>
                  <th scope="col">Address</th>
                  <th scope="col">State</th>
                  <th scope="col" className="number">
                    Offers
                  </th>
                  <th scope="col" className="number">
                    Retailers
                  </th>
                  {mayChange && <th scope="col">Order</th>}
                </tr>
              </thead>
              <tbody>
                {categories.map(({ slug, name, isHidden, offers, retailers }, index) => (
                  <tr key={slug}>
                    <td>
                      <a href={`/admin/categories/${slug}`}>{name}</a>
                    </td>
                    <td className="id">{slug}</td>
                    <td>{isHidden ? <Badge tone="warn">hidden</Badge> : <Badge tone="good">shown</Badge>}</td>
                    <td className="number">
                      <a href={`/admin/offers?category=${slug}`}>{offers}</a>
                    </td>
                    <td className="number">
                      <a href={`/admin/retailers?category=${slug}`}>{retailers}</a>
                    </td>
                    {mayChange && (
                      <td>
                        <div className="acts">
                          {index > 0 && (
                            <button className="button is-quiet" name="up" value={slug}>
                              Up <span className="away">{name}</span>
                            </button>
                          )}
                          {index < categories.length - 1 && (
                            <button className="button is-quiet" name="down" value={slug}>
                              Down <span className="away">{name}</span>
                            </button>
                          )}
                        </div>
                      </td>
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </form>
      )}
      {mayChange && (
        <form method="post" action="/admin/categories" className="panel">
          <TextField
            name="name"
            label="New category"
            help="It is added at the end."
            max={80}
            typed={actionData?.typed}
            faults={actionData?.faults}
          />
          <p>
            <button className="button is-main">Add the category</button>
          </p>
        </form>
      )}
    </>
  );
}
