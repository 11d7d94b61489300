import { act } from "@farthing/core/audit/act.server.ts";
import { findBrandNames } from "@farthing/core/members/operators.server.ts";
import { stopPayout } from "@farthing/core/payouts/failures.server.ts";
import {
  findPayoutSums,
  payoutList,
  type ListedPayout,
  type PayoutSort,
} from "@farthing/core/payouts/list-payouts.server.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { data } from "react-router";
import { z } from "zod";
import { servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { ConfirmBulk } from "../../kit/confirm.tsx";
import { Notice } from "../../kit/facts.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn } from "../../kit/read-form.ts";
import { payoutListing } from "./payout-list.tsx";
import type { Route } from "./+types/payout-list-page";

export async function loader(args: Route.LoaderArgs) {
  const { db } = args.context.get(servicesContext);
  const brands = await findBrandNames(db);
  const [list, sums] = await Promise.all([
    loadList<ListedPayout, PayoutSort>(args, payoutListing(brands), payoutList),
    findPayoutSums(db),
  ]);
  return { brands, list, sums };
}

const idsSchema = z
  .array(z.string().regex(/^[\w-]{1,60}$/))
  .min(1)
  .max(100);

/** Stops the chosen payouts that wait: asks first, then does each with an entry of its own in the log. */
export async function action({ context, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const form = await request.formData();
  const ids = idsSchema.safeParse(form.getAll("ids"));
  if (!ids.success) return data({ done: null, ask: null, says: "Choose rows first, at most 100." }, { status: 422 });
  const typed = typedIn(form);
  if (typed["confirmed"] !== "yes") return data({ done: null, ask: ids.data, says: null, faults: undefined });
  const why = checkForm(typed, z.object({ why: whySchema }));
  if (!why.ok) return data({ done: null, ask: ids.data, says: null, faults: why.faults }, { status: 422 });
  let stopped = 0;
  for (const publicId of ids.data) {
    const what = {
      permission: "money.change",
      action: "payout.stop",
      subject: { type: "payout", id: publicId },
      why: why.value.why,
      changed: ({ outcome }: { outcome: string }) => outcome === "stopped",
    } as const;
    const by = actor.operator.email;
    const stop = { publicId, reason: "operator", by, now: actor.now } as const;
    if ((await act(db, actor, what, (joined) => stopPayout(joined, stop))).outcome === "stopped") stopped += 1;
  }
  return data({ done: { stopped, skipped: ids.data.length - stopped }, ask: null, says: null });
}

export default function PayoutListPage({ loaderData: { brands, list, sums }, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Payouts"
        intro={
          <>
            {sums.waiting === 1 ? "1 waits" : `${sums.waiting} wait`}, <Amount pence={sums.waitingPence} />
            {sums.held > 0 && <> ({sums.held} of them on hold)</>}; {sums.atBank} in batches,{" "}
            <Amount pence={sums.atBankPence} />.
          </>
        }
      >
        <a className="button" href="/admin/payouts/batches">
          Batches
        </a>
      </PageHead>
      {actionData?.says && <Notice tone="bad">{actionData.says}</Notice>}
      {actionData?.done && (
        <Notice tone={actionData.done.stopped > 0 ? "good" : "warn"}>
          {actionData.done.stopped} stopped: the money is payable again, and the members know.
          {actionData.done.skipped > 0 &&
            ` ${actionData.done.skipped === 1 ? "1 was" : `${actionData.done.skipped} were`} not waiting: what is in a batch ends only by what the bank reports.`}
        </Notice>
      )}
      {actionData?.ask && (
        <ConfirmBulk
          title={actionData.ask.length === 1 ? "Stop this payout?" : `Stop these ${actionData.ask.length} payouts?`}
          what={
            <p>
              Those that wait end, their money is payable again, and each member gets a mail that we stopped it. They
              can ask again at once: to prevent that, hold the member’s payouts.
            </p>
          }
          button={`Stop ${actionData.ask.length}`}
          act="stop"
          ids={actionData.ask}
          faults={"faults" in actionData ? actionData.faults : undefined}
        />
      )}
      <ListScreen list={payoutListing(brands)} loaded={list} empty={<p>No member has asked for money yet.</p>} />
    </>
  );
}
