import { act } from "@farthing/core/audit/act.server.ts";
import {
  findMerge,
  findMergeChoices,
  type MergeChoice,
  type MergePreview,
} from "@farthing/core/catalogue/retailers/find-merge.server.ts";
import { findRetailerRecord } from "@farthing/core/catalogue/retailers/find-retailer-record.server.ts";
import { mergeRetailers, type RetailerMerge } from "@farthing/core/catalogue/retailers/merge-retailers.server.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { data, redirect } from "react-router";
import { z } from "zod";
import { servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Notice } from "../../kit/facts.tsx";
import { TextField } from "../../kit/fields.tsx";
import { KeptWords } from "../../kit/kept-words.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { MergeQuestion } from "./merge-question.tsx";
import { RetailerState } from "./retailer-list.tsx";
import type { Route } from "./+types/merge-page";

const MAX_WORDS = 100;
const unknown = () => refused(404, { title: "No such retailer", text: "Go back to the list of retailers." });

export async function loader({ context, params: { retailer: slug }, request }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const retailer = await findRetailerRecord(db, { slug });
  if (!retailer) throw unknown();
  const query = new URL(request.url).searchParams;
  const words = (query.get("q") ?? "").trim().slice(0, MAX_WORDS);
  const into = query.get("into");
  return {
    slug,
    name: retailer.name,
    mergedInto: retailer.mergedInto,
    words,
    isMissing: into !== null && (await findMerge(db, { slug, into })) === null,
    merge: into === null ? null : await findMerge(db, { slug, into }),
    choices: await findMergeChoices(db, { slug, words }),
  };
}

interface Answer {
  merge: MergePreview | null;
  typed: Typed;
  faults: Faults;
}

/** Merges the retailer into the one that was chosen, with an entry in the log for each of the two. */
export async function action({ context, params: { retailer: slug }, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const typed = typedIn(await request.formData());
  const into = typed["into"] ?? "";
  const answer = async (faults: Faults, status: number) =>
    data<Answer>({ merge: await findMerge(db, { slug, into }), typed, faults }, { status });
  if (!(await findRetailerRecord(db, { slug }))) throw unknown();
  const why = checkForm(typed, z.object({ why: whySchema }));
  if (typed["confirmed"] !== "yes" || !why.ok) return await answer(why.ok ? {} : why.faults, 422);
  const actor = actorOf(context);
  const what = {
    permission: "catalogue.change",
    why: why.value.why,
    changed: ({ outcome }: RetailerMerge) => outcome === "merged",
  } as const;
  const asked = { slug, into, seen: typed["seen"] ?? "", now: actor.now };
  const merged = await act(
    db,
    actor,
    { ...what, action: "retailer.merge", subject: { type: "retailer", id: slug } },
    (outer) =>
      act(outer, actor, { ...what, action: "retailer.absorb", subject: { type: "retailer", id: into } }, (joined) =>
        mergeRetailers(joined, asked),
      ),
  );
  if (merged.outcome === "merged") return redirect(`/admin/retailers/${into}?merged`, 303);
  return await answer({ form: faultOf(merged) }, merged.outcome === "unknown" || merged.outcome === "self" ? 422 : 409);
}

function faultOf(merge: Exclude<RetailerMerge, { outcome: "merged" }>): string {
  switch (merge.outcome) {
    case "unknown":
      return "There is no such retailer. Choose one from the list.";
    case "self":
      return "A retailer can't be merged into itself. Choose the other record of the shop.";
    case "stale":
      return "One of the two was changed meanwhile. Look at what is here now, and confirm again.";
    case "busy":
      return "An import is running, and would write to these records. Wait until it has ended, and confirm again.";
    case "already":
      return `“${merge.slug}” was merged into “${merge.place}” meanwhile. Go on from there.`;
  }
}

export default function MergePage({ loaderData, actionData }: Route.ComponentProps) {
  const { slug, name, mergedInto, words, choices, isMissing } = loaderData;
  const merge = actionData ? actionData.merge : loaderData.merge;
  const path = `/admin/retailers/${slug}/merge`;
  const fault = actionData?.faults["form"];
  return (
    <>
      <PageHead
        title={`Merge ${name} into another record`}
        crumbs={[
          { label: "Retailers", href: "/admin/retailers" },
          { label: name, href: `/admin/retailers/${slug}` },
        ]}
        intro="For one shop that is here twice, from two networks or in two spellings. Choose the record that stays; you see what happens before anything does."
      />
      {mergedInto && (
        <Notice>
          This record was merged into <a href={`/admin/retailers/${mergedInto.slug}`}>{mergedInto.name}</a> already.
        </Notice>
      )}
      {isMissing && !mergedInto && !actionData && (
        <Notice tone="bad">That retailer can’t take its place: it is unknown, the same one, or merged itself.</Notice>
      )}
      {fault && !merge && <Notice tone="bad">{fault}</Notice>}
      {actionData && !merge && <KeptWords typed={actionData.typed} labels={{ why: "Why" }} />}
      {merge && <MergeQuestion merge={merge} typed={actionData?.typed} faults={actionData?.faults} path={path} />}
      {!mergedInto && (
        <section className="panel" aria-labelledby="choose">
          <h2 id="choose">{merge ? "Choose another one" : "Which record stays?"}</h2>
          <form method="get" action={path} role="search">
            <TextField
              name="q"
              label="Find a retailer"
              help="A part of its name, or its address."
              type="search"
              value={words}
              max={MAX_WORDS}
              isRequired={false}
            />
            <button className="button">Find</button>
          </form>
          <Choices {...{ choices, path, words }} />
        </section>
      )}
    </>
  );
}

function Choices({ choices, path, words }: { choices: MergeChoice[]; path: string; words: string }) {
  if (choices.length === 0)
    return (
      <p className="empty">
        {words
          ? `No other retailer has “${words}” in its name.`
          : "No other retailer has a name like it. Find it above."}
      </p>
    );
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Retailers to choose from">
      <table className="rows">
        <caption className={words ? "away" : "soft"}>{words ? "Found" : "Names that look like it"}</caption>
        <thead>
          <tr>
            <th scope="col">Retailer</th>
            <th scope="col">Address</th>
            <th scope="col">State</th>
            <th scope="col">Networks</th>
            <th scope="col" className="number">
              Live offers
            </th>
          </tr>
        </thead>
        <tbody>
          {choices.map(({ slug, name, status, networks, liveOffers }) => (
            <tr key={slug}>
              <td>
                <a href={`${path}?${new URLSearchParams({ ...(words ? { q: words } : {}), into: slug })}`}>{name}</a>
              </td>
              <td className="id">{slug}</td>
              <td>
                <RetailerState status={status} />
              </td>
              <td>{networks.join(", ") || "–"}</td>
              <td className="number">{liveOffers}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
