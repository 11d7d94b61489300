import { act } from "@farthing/core/audit/act.server.ts";
import { isIssuerUnavailable } from "@farthing/core/gift-cards/issuer.ts";
import { productList, type OperatorProduct } from "@farthing/core/gift-cards/list-lines.server.ts";
import { syncCatalogue } from "@farthing/core/gift-cards/sync-catalogue.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { data } from "react-router";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Notice, type Tone } from "../../kit/facts.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { typedIn } from "../../kit/read-form.ts";
import { productListing } from "./product-list.tsx";
import type { Route } from "./+types/product-list-page";

export async function loader(args: Route.LoaderArgs) {
  const { context } = args;
  const issuers = [...context.get(servicesContext).issuers.keys()];
  const list = await loadList<OperatorProduct, "name">(args, productListing(issuers), productList);
  return { issuers, list, mayChange: may(context.get(operatorContext).role, "gift-cards.change") };
}

/** Reads an issuer's catalogue now. What the issuer answers is read first, so that the change is one transaction. */
export async function action({ context, request }: Route.ActionArgs) {
  const { db, issuers } = context.get(servicesContext);
  const actor = actorOf(context);
  const slug = typedIn(await request.formData())["issuer"] ?? "";
  const issuer = issuers.get(slug);
  const answer = (tone: Tone, says: string, status = 200) => data({ tone, says }, { status });
  if (!issuer) return answer("bad", "Choose one of the issuers.", 422);
  const products = await issuer.catalogue().catch((error: unknown) => {
    if (isIssuerUnavailable(error)) return null;
    throw error;
  });
  if (products === null) return answer("bad", `${slug} does not answer now. Try again later.`, 503);
  if (products.length === 0)
    return answer("bad", `${slug} returned an empty catalogue, which is not believed: nothing was changed.`, 502);
  const what = {
    permission: "gift-cards.change",
    action: "card-issuer.read",
    subject: { type: "card-issuer", id: slug },
  } as const;
  const { added, withdrawn } = await act(db, actor, what, (joined) =>
    syncCatalogue(joined, { ...issuer, catalogue: async () => products }, { now: actor.now }),
  );
  return answer("good", `${slug}: ${products.length} products read, ${added} new, ${withdrawn} withdrawn.`);
}

export default function ProductListPage({ loaderData, actionData }: Route.ComponentProps) {
  const { issuers, list, mayChange } = loaderData;
  return (
    <>
      <PageHead
        title="Gift-card products"
        crumbs={[{ label: "Gift cards", href: "/admin/gift-cards" }]}
        intro="What issuers sell, and what buyers get of it. Catalogues are read every night; read one now after an issuer wrote of a change."
      >
        {mayChange && issuers.length > 0 && (
          <form method="post" action="/admin/gift-cards/products" className="acts">
            {issuers.map((slug) => (
              <button key={slug} className="button" name="issuer" value={slug}>
                Read {slug} now
              </button>
            ))}
          </form>
        )}
      </PageHead>
      {actionData && <Notice tone={actionData.tone}>{actionData.says}</Notice>}
      <ListScreen list={productListing(issuers)} loaded={list} empty={<p>No catalogue has been read yet.</p>} />
    </>
  );
}
