import { accountWords } from "@farthing/core/ledger/account-words.ts";
import { entryList, findAccount, type AccountEntry } from "@farthing/core/ledger/browse.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { Facts } from "../../kit/facts.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { accountText } from "./account-name.tsx";
import { entryListing } from "./entry-list.tsx";
import type { Route } from "./+types/account-page";

export async function loader(args: Route.LoaderArgs) {
  const { db } = args.context.get(servicesContext);
  const { id } = args.params;
  const account = await findAccount(db, { id });
  if (!account) throw refused(404, { title: "No such account", text: "The ledger has no account at this address." });
  const list = await loadList<AccountEntry, "posted">(args, entryListing(account.id), () =>
    entryList({ accountId: account.id }),
  );
  return { account, list };
}

export default function AccountPage({ loaderData: { account, list } }: Route.ComponentProps) {
  const { owner } = account;
  return (
    <>
      <PageHead title={accountText(account)} crumbs={[{ label: "Ledger", href: "/admin/ledger" }]} />
      <section className="panel" aria-label="The account">
        <Facts
          facts={[
            { label: "Balance", value: <Amount pence={account.balancePence} /> },
            { label: "Holds", value: accountWords[account.kind].holds },
            ...(owner
              ? [
                  {
                    label: "Whose",
                    value:
                      owner.kind === "member" ? (
                        <a href={`/admin/ledger/members/${owner.id}`}>member {owner.name}</a>
                      ) : (
                        `network ${owner.name}`
                      ),
                  },
                ]
              : []),
            { label: "Name", value: <span className="id">{account.kind}</span> },
          ]}
        />
      </section>
      <ListScreen list={entryListing(account.id)} loaded={list} empty={<p>Nothing was posted to it.</p>} />
    </>
  );
}
