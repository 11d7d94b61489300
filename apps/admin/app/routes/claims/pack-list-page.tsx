import { act } from "@farthing/core/audit/act.server.ts";
import { findWaitingForPack, packList, type ListedPack } from "@farthing/core/claims/list-packs.server.ts";
import { makePack } from "@farthing/core/claims/operators.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { data } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Notice } from "../../kit/facts.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { readForm } from "../../kit/read-form.ts";
import { packListing } from "./pack-list.tsx";
import type { Route } from "./+types/pack-list-page";

export async function loader(args: Route.LoaderArgs) {
  const { context } = args;
  const [list, waiting] = await Promise.all([
    loadList<ListedPack, "number">(args, packListing, packList),
    findWaitingForPack(context.get(servicesContext).db),
  ]);
  return { list, waiting, mayDecide: may(context.get(operatorContext).role, "claims.decide") };
}

const packSchema = z.object({ network: z.string().min(1).max(100) });

/** Takes what waits at a network into a pack: each claim of it is filed from then on. */
export async function action({ context, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const form = await readForm(request, packSchema);
  if (!form.ok)
    return data({ tone: "bad", says: "Choose a network.", made: null, leftOut: [] } as const, { status: 422 });
  const by = actor.operator.email.slice(0, 100);
  const made = await act<Awaited<ReturnType<typeof makePack>>>(
    db,
    actor,
    {
      permission: "claims.decide",
      action: "claim.pack",
      subject: { type: "claim-pack", idOf: (pack) => String(pack?.packNumber) },
      changed: (pack) => pack !== null && pack.packNumber !== null,
    },
    (joined) => makePack(joined, { network: form.value.network, by, now: actor.now }),
  );
  if (!made)
    return data({ tone: "bad", says: "There is no such network.", made: null, leftOut: [] } as const, { status: 422 });
  const { packNumber, claims, leftOut } = made;
  if (packNumber === null)
    return data({
      tone: "warn",
      says: "Nothing was packed: no claim of this network can go.",
      made: null,
      leftOut,
    } as const);
  return data({ tone: "good", says: null, made: { packNumber, claims }, leftOut } as const);
}

export default function PackListPage({ loaderData: { list, waiting, mayDecide }, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Claim packs"
        crumbs={[{ label: "Claims", href: "/admin/claims" }]}
        intro="Networks without an API for claims get a file. Its claims count as filed; record the answers on each claim."
      />
      {actionData && (
        <Notice tone={actionData.tone}>
          {actionData.says && <p>{actionData.says}</p>}
          {actionData.made && (
            <p>
              Pack {actionData.made.packNumber} has{" "}
              {actionData.made.claims === 1 ? "1 claim" : `${actionData.made.claims} claims`}.{" "}
              <a href={`/admin/claims/packs/${actionData.made.packNumber}`} download>
                Download it
              </a>{" "}
              and send it to the network.
            </p>
          )}
          {actionData.leftOut.length > 0 && (
            <p>
              Left out, because another member claims the same order:{" "}
              {actionData.leftOut.map((id, index) => (
                <span key={id}>
                  {index > 0 && ", "}
                  <a href={`/admin/claims/${id}`}>{id}</a>
                </span>
              ))}
              . Decide about those first.
            </p>
          )}
        </Notice>
      )}
      <section className="panel" aria-labelledby="waiting">
        <h2 id="waiting">Waiting for a pack</h2>
        {waiting.length === 0 ? (
          <p className="soft">No claim waits for a pack.</p>
        ) : (
          <ul className="plain-list">
            {waiting.map(({ slug, name, claims, oldestAt }) => (
              <li key={slug}>
                <form method="post" action="/admin/claims/packs" className="acts">
                  <strong>{name}</strong>
                  <span>
                    {claims} {claims === 1 ? "claim" : "claims"}, the oldest from <Moment at={oldestAt} isDay />
                  </span>
                  {mayDecide && (
                    <button className="button" name="network" value={slug}>
                      Make a pack <span className="away">for {name}</span>
                    </button>
                  )}
                </form>
              </li>
            ))}
          </ul>
        )}
      </section>
      <ListScreen list={packListing} loaded={list} empty={<p>No pack has been made yet.</p>} />
    </>
  );
}
