import { findBankDetails } from "@farthing/core/bank-details/operations.server.ts";
import { act } from "@farthing/core/audit/act.server.ts";
import { findMemberAccounts } from "@farthing/core/ledger/browse.server.ts";
import { findMemberRef } from "@farthing/core/members/operators.server.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { findPayoutObstacle, requestPayout, type RequestedPayout } from "@farthing/core/payouts/operations.server.ts";
import { data, redirect } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Notice } from "../../kit/facts.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults } from "../../kit/read-form.ts";
import { AccountsTable } from "./accounts-table.tsx";
import type { Route } from "./+types/member-accounts-page";

async function memberOf({ context, params: { id } }: Pick<Route.LoaderArgs, "context" | "params">) {
  const member = await findMemberRef(context.get(servicesContext).db, { id });
  if (!member) throw refused(404, { title: "No such member", text: "There is no member at this address." });
  return member;
}

export async function loader(args: Route.LoaderArgs) {
  const { db, now, payouts } = args.context.get(servicesContext);
  const member = await memberOf(args);
  const accounts = await findMemberAccounts(db, { memberId: member.id });
  const details = await findBankDetails(db, { memberId: member.id, keys: payouts.bankKeys, now: now() });
  return {
    member,
    accounts,
    payablePence: accounts.find(({ kind }) => kind === "member_payable")?.balancePence ?? 0,
    accountEnding: details === null || details === "unreadable" ? null : details.accountEnding,
    mayChange: may(args.context.get(operatorContext).role, "money.change"),
    obstacle: await findPayoutObstacle(db, { memberId: member.id }),
  };
}

interface Answer {
  fault: string | null;
  ask: boolean;
  faults?: Faults | undefined;
}

/** Asks for a payout for a member who can't sign in, such as a suspended one. */
export async function action(args: Route.ActionArgs) {
  const { context, request } = args;
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const { id: memberId, brandId } = await memberOf(args);
  const typed = typedIn(await request.formData());
  const answer = (value: Answer, status = 200) => data(value, { status });
  if (typed["confirmed"] !== "yes") return answer({ fault: null, ask: true });
  const why = checkForm(typed, z.object({ why: whySchema }));
  if (!why.ok) return answer({ fault: null, ask: true, faults: why.faults }, 422);
  const what = {
    permission: "money.change",
    action: "payout.request",
    subject: {
      type: "payout",
      idOf: (asked: RequestedPayout) => (asked.outcome === "requested" ? asked.publicId : ""),
    },
    why: why.value.why,
    changed: ({ outcome }: RequestedPayout) => outcome === "requested",
  } as const;
  const by = actor.operator.email;
  const asked = await act(db, actor, what, (joined) =>
    requestPayout(joined, { brandId, memberId, sessionId: null, by, now: actor.now }),
  );
  return asked.outcome === "requested"
    ? redirect(`/admin/payouts/${asked.publicId}`, 303)
    : answer({ fault: `Nothing was done: ${refusalOf(asked)}`, ask: false }, 409);
}

function refusalOf(asked: Exclude<RequestedPayout, { outcome: "requested" }>): string {
  switch (asked.outcome) {
    case "already":
      return "a payout is under way.";
    case "on-hold":
      return "the member’s payouts are on hold.";
    case "closing":
      return "the account is being closed, and its last payout joins a batch by itself.";
    case "needs-details":
      return "the member has given no bank details.";
    case "signed-out":
      return "the account is closed.";
    case "below-threshold":
      return `${formatPence(asked.payablePence)} is payable, and the smallest payout is ${formatPence(asked.thresholdPence)}.`;
  }
}

export default function MemberAccountsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { member, accounts, payablePence, accountEnding, mayChange, obstacle } = loaderData;
  const path = `/admin/ledger/members/${member.id}`;
  return (
    <>
      <PageHead title={`Money of ${member.name}`} crumbs={[{ label: "Ledger", href: "/admin/ledger" }]}>
        <a href={`/admin/members/${member.id}`}>The member</a>
        <a href={`/admin/members/${member.id}/goodwill`}>Goodwill</a>
      </PageHead>
      {actionData?.fault && <Notice tone="bad">{actionData.fault}</Notice>}
      {actionData?.ask && (
        <Confirm
          title="Ask for a payout for this member?"
          what={
            <p>
              Everything payable, {formatPence(payablePence)}, goes to the account that they gave
              {accountEnding && ` (ending in ${accountEnding})`}, with the next batch, as if they had asked themselves.
              They get the usual mail. It is for members who can’t sign in.
            </p>
          }
          button="Ask for it"
          keep={[]}
          back={path}
          faults={actionData.faults}
        />
      )}
      {accounts.length === 0 ? (
        <p className="empty">No money has moved for this member yet.</p>
      ) : (
        <AccountsTable accounts={accounts} label="accounts of the member" />
      )}
      {mayChange && accounts.length > 0 && (
        <form method="post" action={path}>
          <p className="acts">
            <button className="button" disabled={obstacle !== null}>
              Ask for a payout for them …
            </button>
          </p>
          {obstacle && <p className="soft">Not now: {refusalOf(obstacle)}</p>}
        </form>
      )}
    </>
  );
}
