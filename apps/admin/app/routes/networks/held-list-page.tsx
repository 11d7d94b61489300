import { HELD_HELP, HELD_REASONS, type HeldReason } from "@farthing/core/networks/held-reasons.ts";
import { heldSaleList, type HeldSale } from "@farthing/core/networks/list-held.server.ts";
import { findNetworkNames } from "@farthing/core/networks/queries.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { Facts } from "../../kit/facts.tsx";
import type { Filters } from "../../kit/list.ts";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { heldListing } from "./held-list.tsx";
import type { Route } from "./+types/held-list-page";

export async function loader(args: Route.LoaderArgs) {
  const { db, now } = args.context.get(servicesContext);
  const at = now();
  const networks = await findNetworkNames(db);
  const maySeeMoney = may(args.context.get(operatorContext).role, "money.see");
  const query = (filters: Filters) => heldSaleList(filters, { now: at, seesCommission: maySeeMoney });
  return {
    networks,
    maySeeMoney,
    list: await loadList<HeldSale, "held">(args, heldListing(networks, { seesMoney: maySeeMoney }), query),
  };
}

export default function HeldListPage({ loaderData: { networks, maySeeMoney, list } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Unmatched sales"
        crumbs={maySeeMoney ? [{ label: "Networks", href: "/admin/networks" }] : []}
        intro="Sales that networks report and that no member is credited for. What helps depends on the reason."
      />
      <ListScreen
        list={heldListing(networks, { seesMoney: maySeeMoney })}
        loaded={list}
        empty={<p>Every reported sale has its member.</p>}
      />
      <section className="panel" aria-labelledby="helps">
        <h2 id="helps">What helps</h2>
        <Facts
          facts={Object.entries(HELD_REASONS).map(([reason, because]) => ({
            label: because,
            value:
              reason === "no_exchange_rate" && maySeeMoney ? (
                <>
                  {HELD_HELP[reason]} <a href="/admin/networks/exchange-rates">Exchange rates</a>
                </>
              ) : (
                HELD_HELP[reason as HeldReason]
              ),
          }))}
        />
      </section>
    </>
  );
}
