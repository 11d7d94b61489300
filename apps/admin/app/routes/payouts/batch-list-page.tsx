import { act } from "@farthing/core/audit/act.server.ts";
import { makeBatch, type MadeBatch } from "@farthing/core/payouts/batch.server.ts";
import { batchList, type BatchSort, type ListedBatch } from "@farthing/core/payouts/list-batches.server.ts";
import { findPayoutSums } from "@farthing/core/payouts/list-payouts.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { data, redirect } from "react-router";
import { servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Notice } from "../../kit/facts.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { payoutMethodOf } from "../../kit/payout-method.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { batchListing } from "./batch-list.tsx";
import type { Route } from "./+types/batch-list-page";

export async function loader(args: Route.LoaderArgs) {
  const { db, payouts } = args.context.get(servicesContext);
  const [list, sums] = await Promise.all([
    loadList<ListedBatch, BatchSort>(args, batchListing, batchList),
    findPayoutSums(db),
  ]);
  return { list, sums, hasMethod: payouts.originator !== null };
}

/** Makes a batch of what may leave. It pays nobody: somebody else approves it first. */
export async function action({ context, request }: Route.ActionArgs) {
  if ((await request.formData()).get("act") !== "make") return redirect("/admin/payouts/batches", 303);
  const services = context.get(servicesContext);
  const { db, payeeKeys, payouts } = services;
  const { bankKeys } = payouts;
  const method = payoutMethodOf(services);
  if (!method) return data({ skipped: [], says: NO_ACCOUNT }, { status: 409 });
  const actor = actorOf(context);
  const made = await act(
    db,
    actor,
    {
      permission: "money.change",
      action: "payout-batch.make",
      subject: { type: "payout-batch", idOf: ({ batchNumber }: MadeBatch) => String(batchNumber ?? "none") },
      // Who was left out is noted at each payout, also where nobody could be paid.
      changed: ({ batchNumber, skipped }: MadeBatch) => batchNumber !== null || skipped.length > 0,
    },
    (joined) => makeBatch(joined, { method, bankKeys, payeeKeys, by: actor.operator.email, now: actor.now }),
  );
  if (made.batchNumber !== null) return redirect(`/admin/payouts/batches/${made.batchNumber}`, 303);
  return data({ skipped: made.skipped, says: "Nobody can be paid now; no batch was made." }, { status: 409 });
}

const NO_ACCOUNT = "There is no account to pay from: set BACS_ORIGINATOR on the server.";

export default function BatchListPage({ loaderData: { list, sums, hasMethod }, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Payout batches"
        crumbs={[{ label: "Payouts", href: "/admin/payouts" }]}
        intro="A batch is made, approved by somebody else, sent to the bank, and confirmed when its day is over."
      />
      {actionData && (
        <Notice tone="bad">
          <p>{actionData.says}</p>
          {actionData.skipped.length > 0 && (
            <ul>
              {actionData.skipped.map(({ publicId, memberNumber, because }) => (
                <li key={publicId}>
                  Member {memberNumber}: {because}
                </li>
              ))}
            </ul>
          )}
        </Notice>
      )}
      {hasMethod ? (
        <form method="post" action="/admin/payouts/batches" className="panel">
          <p>
            {sums.waiting === 1 ? "1 waits" : `${sums.waiting} wait`}, <Amount pence={sums.waitingPence} />
            {sums.held > 0 && (
              <>; {sums.held === 1 ? "1 of them is on hold and stays" : `${sums.held} of them are on hold and stay`}</>
            )}
            . A batch takes all that may leave, and the last payouts of members who leave. It pays nobody before
            somebody else has approved it.
          </p>
          <p>
            <button className="button is-main" name="act" value="make">
              Make a batch
            </button>
          </p>
        </form>
      ) : (
        <Notice tone="warn">{NO_ACCOUNT}</Notice>
      )}
      <ListScreen list={batchListing} loaded={list} empty={<p>No batch was made yet.</p>} />
    </>
  );
}
