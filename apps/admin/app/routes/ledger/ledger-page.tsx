import { findClubAccounts } from "@farthing/core/ledger/browse.server.ts";
import { findInLedger, type LedgerFind } from "@farthing/core/ledger/trace.server.ts";
import { redirect } from "react-router";
import { servicesContext } from "../../admin-context.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { AccountsTable } from "./accounts-table.tsx";
import { kindText } from "./account-name.tsx";
import type { Route } from "./+types/ledger-page";

const paths: Record<LedgerFind["kind"], (id: string) => string> = {
  member: (id) => `/admin/ledger/members/${id}`,
  account: (id) => `/admin/ledger/accounts/${id}`,
  transfer: (id) => `/admin/ledger/transfers/${id}`,
  click: (id) => `/admin/ledger/clicks/${id}`,
  payout: (id) => `/admin/payouts/${id}`,
  "unmatched sale": (id) => `/admin/networks/held?q=${encodeURIComponent(id)}`,
  payment: (id) => `/admin/payments/${id}`,
};

export async function loader({ context, request }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const q = (new URL(request.url).searchParams.get("q") ?? "").trim().slice(0, 200);
  const found = [
    ...new Map((await findInLedger(db, { q })).map((find) => [`${find.kind} ${find.id}`, find])).values(),
  ].map(({ kind, id, text }) => ({ path: paths[kind](id), label: `${kind} ${kindText(text)}` }));
  if (found.length === 1 && found[0]) throw redirect(found[0].path, 303);
  return { q, found, accounts: await findClubAccounts(db) };
}

export default function LedgerPage({ loaderData: { q, found, accounts } }: Route.ComponentProps) {
  const club = accounts.filter(({ owner }) => owner === null);
  const networks = accounts.filter(({ owner }) => owner !== null);
  return (
    <>
      <PageHead
        title="Ledger"
        intro="Every penny that is tracked, confirmed, payable or paid. What goes into an account is positive; the entries of a transfer sum to zero."
      >
        <a className="button" href="/admin/ledger/checks">
          Check the books
        </a>
      </PageHead>
      <form action="/admin/ledger" className="filters" role="search" aria-label="Find in the ledger">
        <div className="filter">
          <label htmlFor="q">Find and trace</label>
          <input id="q" name="q" type="search" defaultValue={q} maxLength={200} aria-describedby="q-help" />
        </div>
        <p className="acts">
          <button className="button">Find</button>
        </p>
        <p className="field-help" id="q-help">
          A member’s number, a click number, an order, a network’s sale, a bank reference, a payout, a card payment, a
          transfer.
        </p>
      </form>
      {q !== "" &&
        (found.length === 0 ? (
          <p className="empty" role="status">
            Nothing has this number: {q}
          </p>
        ) : (
          <ul role="status">
            {found.map(({ path, label }) => (
              <li key={path}>
                <a href={path}>{label}</a>
              </li>
            ))}
          </ul>
        ))}
      <section className="narrow-gap" aria-labelledby="club">
        <h2 id="club">The club and the card provider</h2>
        {club.length === 0 ? (
          <p className="empty">No money has moved yet.</p>
        ) : (
          <AccountsTable accounts={club} label="accounts of the club" />
        )}
      </section>
      {networks.length > 0 && (
        <section className="narrow-gap" aria-labelledby="networks">
          <h2 id="networks">Networks</h2>
          <AccountsTable accounts={networks} label="accounts of networks" />
        </section>
      )}
    </>
  );
}
