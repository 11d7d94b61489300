import { act } from "@farthing/core/audit/act.server.ts";
import { checkList, keepCheck, type ListedCheck } from "@farthing/core/books/check-books.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { redirect } from "react-router";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Facts, Notice } from "../../kit/facts.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkListing, Found, seconds } from "./check-list.tsx";
import type { Route } from "./+types/check-list-page";

export async function loader(args: Route.LoaderArgs) {
  const list = await loadList<ListedCheck, "checked">(args, checkListing, checkList);
  const isNewestPage = list.previous === null && list.state.isDescending;
  return {
    list,
    newest: isNewestPage ? (list.rows[0] ?? null) : null,
    mayCheck: may(args.context.get(operatorContext).role, "money.change"),
  };
}

/** Checks the books now and keeps what it found. It reads without locks, so members notice nothing. */
export async function action({ context, request }: Route.ActionArgs) {
  if ((await request.formData()).get("act") !== "check") return redirect("/admin/ledger/checks", 303);
  const { db, cards } = context.get(servicesContext);
  const actor = actorOf(context);
  const began = performance.now();
  const checked = await cards.checkBooks(db);
  const tookMs = performance.now() - began;
  const what = {
    permission: "money.change",
    action: "book-check.run",
    subject: { type: "book-check", idOf: ({ publicId }: { publicId: string }) => publicId },
  } as const;
  await act(db, actor, what, (joined) =>
    keepCheck(joined, { checked, by: actor.operator.email, tookMs, now: actor.now }),
  );
  return redirect("/admin/ledger/checks", 303);
}

export default function CheckListPage({ loaderData: { list, newest, mayCheck } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Check of the books"
        crumbs={[{ label: "Ledger", href: "/admin/ledger" }]}
        intro="Every transfer balances, every balance follows from its entries, and cashback, payouts, payments, goodwill, bonuses and gift cards agree with their postings."
      />
      {mayCheck && (
        <form method="post" action="/admin/ledger/checks" className="panel">
          <p>
            It reads the whole ledger, which takes minutes when there are many millions of entries. It changes nothing.
          </p>
          <p>
            <button className="button is-main" name="act" value="check">
              Check now
            </button>
          </p>
        </form>
      )}
      {newest && (
        <section className="panel" aria-labelledby="newest">
          <h2 id="newest">
            The newest check <Found faults={newest.faults} />
          </h2>
          {newest.faults.length === 0 ? (
            <Notice tone="good">The books balance.</Notice>
          ) : (
            <>
              <Notice tone="bad">
                Do not correct them by hand: write to whoever runs the server, with these sentences.
              </Notice>
              <ul>
                {newest.faults.map((fault) => (
                  <li key={fault}>{fault}</li>
                ))}
              </ul>
            </>
          )}
          {newest.notes.length > 0 && (
            <ul className="soft">
              {newest.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
          <Facts
            facts={[
              {
                label: "Checked",
                value: (
                  <>
                    <Moment at={newest.checkedAt} /> by {newest.checkedBy}, in {seconds(newest.tookMs)}
                  </>
                ),
              },
              {
                label: "Read",
                value: `${newest.transfers} transfers, ${newest.entries} entries, ${newest.accounts} accounts`,
              },
            ]}
          />
        </section>
      )}
      <ListScreen list={checkListing} loaded={list} empty={<p>The books were not checked from here yet.</p>} />
    </>
  );
}
